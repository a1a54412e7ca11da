//! Points where edges of the lattice cross the surface, and vertices that move onto it.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::lattice::{Edge, Lattice};
use super::pieces::Corner;
use crate::Vec3;

/// Share of an edge, long or short, within which a crossing draws its vertex onto the surface [-]: those of Labelle2007
/// for the largest least dihedral angle.
const LONG: f64 = 0.24999;
const SHORT: f64 = 0.41189;
/// Evaluations for a crossing, at most, and the depth that is left of it, as a share of the edge [-].
const EVALUATIONS: usize = 40;
const LEFT: f64 = 1e-6;

/// A crossing.
#[derive(Clone, Copy, Debug)]
struct Cut {
    edge: Edge,
    at: Vec3,
    /// Share of the edge from its first end [-].
    share: f64,
}

/// All crossings.
#[derive(Debug)]
pub(super) struct Cuts {
    list: Vec<Cut>,
}

impl Cuts {
    /// Of the edges with one end below the surface and the other not.
    pub(super) fn of(
        lattice: &Lattice,
        depths: &[f64],
        depth: &(impl Fn(&Vec3) -> f64 + Sync),
    ) -> Self {
        let is_in = |vertex: u32| depths[vertex as usize] > 0.0;
        let is_out = |vertex: u32| depths[vertex as usize] < 0.0;
        let crosses = |edge: &Edge| {
            let [a, b] = edge.ends;
            is_in(a) && is_out(b) || is_out(a) && is_in(b)
        };
        let edges: Vec<Edge> = lattice.edges().filter(crosses).collect();
        let cut = |edge: &Edge| {
            let ends = edge.ends.map(|vertex| lattice.position(vertex));
            let known = edge.ends.map(|vertex| depths[vertex as usize]);
            let share = crossing(ends, known, depth);
            Cut { edge: *edge, at: ends[0].lerp(&ends[1], share), share }
        };
        Self { list: edges.par_iter().map(cut).collect() }
    }

    /// Moves each vertex that has a crossing near it to the nearest one; its edges have no others then.
    pub(super) fn warp(self, lattice: &Lattice, mut depths: Vec<f64>) -> Warped {
        let mut of_vertex: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (k, cut) in self.list.iter().enumerate() {
            cut.edge.ends.iter().for_each(|&end| of_vertex.entry(end).or_default().push(k as u32));
        }
        let mut is_there = vec![true; self.list.len()];
        let mut moved = HashMap::new();
        for (&vertex, cuts) in &of_vertex {
            let own = lattice.position(vertex);
            let near = cuts.iter().filter(|&&k| is_there[k as usize]).filter(|&&k| {
                let cut = &self.list[k as usize];
                let share = if cut.edge.ends[0] == vertex { cut.share } else { 1.0 - cut.share };
                share < if cut.edge.is_long { LONG } else { SHORT }
            });
            let far = |k: &&u32| (self.list[**k as usize].at - own).norm_squared();
            if let Some(&k) = near.min_by(|a, b| far(a).total_cmp(&far(b))) {
                moved.insert(vertex, self.list[k as usize].at);
                depths[vertex as usize] = 0.0;
                cuts.iter().for_each(|&k| is_there[k as usize] = false);
            }
        }
        let left = self.list.iter().zip(&is_there).filter(|it| *it.1);
        let cuts = left.map(|(cut, _)| (sorted(cut.edge.ends), cut.at)).collect();
        Warped { depths, moved, cuts }
    }
}

/// The lattice with its vertices at the surface where crossings were near.
#[derive(Debug)]
pub(super) struct Warped {
    depths: Vec<f64>,
    moved: HashMap<u32, Vec3>,
    cuts: HashMap<[u32; 2], Vec3>,
}

impl Warped {
    /// Depth of a vertex [m]: 0 on the surface.
    pub(super) fn depth(&self, vertex: u32) -> f64 {
        self.depths[vertex as usize]
    }

    /// Place of a corner of a piece [m].
    pub(super) fn position(&self, lattice: &Lattice, corner: Corner) -> Vec3 {
        match corner {
            Corner::Vertex(vertex) => {
                self.moved.get(&vertex).copied().unwrap_or_else(|| lattice.position(vertex))
            }
            Corner::Cut(ends) => self.cuts.get(&ends).copied().unwrap_or_else(|| {
                let [a, b] = ends.map(|end| lattice.position(end));
                0.5 * (a + b)
            }),
        }
    }

    /// The crossing between two vertices.
    pub(super) fn cut(a: u32, b: u32) -> Corner {
        Corner::Cut(sorted([a, b]))
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The share of an edge at which the depth is zero, by the secant method kept between its ends (Illinois).
fn crossing(ends: [Vec3; 2], known: [f64; 2], depth: &impl Fn(&Vec3) -> f64) -> f64 {
    let length = (ends[1] - ends[0]).norm();
    let ([mut low, mut high], [mut at_low, mut at_high]) = ([0.0, 1.0], known);
    let mut share = 0.5;
    for _ in 0..EVALUATIONS {
        let chord = (low * at_high - high * at_low) / (at_high - at_low);
        share = if chord > low && chord < high { chord } else { 0.5 * (low + high) };
        let here = depth(&ends[0].lerp(&ends[1], share));
        if here.abs() <= LEFT * length || high - low < LEFT {
            break;
        }
        if (here > 0.0) == (known[0] > 0.0) {
            (low, at_low, at_high) = (share, here, 0.5 * at_high);
        } else {
            (high, at_high, at_low) = (share, here, 0.5 * at_low);
        }
    }
    share
}
