//! Crossings of two surfaces on straight ways: a pair of features is safe while a plane parts them
//! by a least distance at both ends of a stretch of time, since all between is linear; else the
//! stretch is halved (docs/theory/contact.md, "Never through").

use sinew_mesh::geometry::nearest_on_triangle;

use super::Surface;
use super::candidates::{Features, NearFeatures};
use super::segment::nearest;
use super::surface::Skin;
use crate::Vec3;

/// Halvings of the time of a step: what is not told apart by then is taken to pass.
const HALVINGS: u32 = 14;
/// The same of ways that are foreseen: what is not told apart by then has a contact.
const FORESEEN_HALVINGS: u32 = 5;

/// A vertex over a face, or two edges, on straight ways: the first `split` points against the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Two {
    pub(super) split: usize,
    pub(super) points: [Vec3; 4],
    pub(super) steps: [Vec3; 4],
}

/// A vertex and a face, or two edges, that would pass each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// Number of the pair.
    pub(super) pair: u32,
    pub(super) features: Features,
    /// The vertex, or the edge of A.
    pub(super) first: u32,
    /// The face, or the edge of B.
    pub(super) second: u32,
}

/// Two surfaces, or one twice, that are to stay `least` apart [m].
pub(super) struct Guard<'a> {
    pub(super) pair: u32,
    pub(super) near: NearFeatures<'a>,
    pub(super) is_self: bool,
    pub(super) least: f64,
}

impl Guard<'_> {
    /// Adds each vertex that passes a face, and each edge that passes an edge, of what begins farther apart.
    pub(super) fn add_crossings(&self, out: &mut Vec<Crossing>) {
        let [a, b] = self.near.skins;
        self.add_vertices([a, b], Features::VertexOfA, out);
        if !self.is_self {
            self.add_vertices([b, a], Features::VertexOfB, out);
        }
        self.add_edges(out);
    }

    fn add_vertices(&self, [own, other]: [&Skin; 2], features: Features, out: &mut Vec<Crossing>) {
        for v in 0..own.points.len() as u32 {
            self.near.visit_faces(features, v as usize, &mut |face| {
                let corners = other.surface.triangles[face];
                if !(self.is_self && corners.contains(&v)) {
                    let [i, j, k] = corners;
                    let of = [(own, v), (other, i), (other, j), (other, k)];
                    if Two::of(1, of).is_some_and(|two| two.crosses(self.least)) {
                        let (pair, second) = (self.pair, face as u32);
                        out.push(Crossing { pair, features, first: v, second });
                    }
                }
            });
        }
    }

    fn add_edges(&self, out: &mut Vec<Crossing>) {
        let [a, b] = self.near.skins;
        for first in 0..a.edges.len() {
            self.near.visit_edges(first, &mut |second| {
                let ([i, j], [k, l]) = (a.edges[first].ends, b.edges[second].ends);
                let beside = [i, j].iter().any(|v| [k, l].contains(v));
                if !(self.is_self && (second <= first || beside)) {
                    let of = [(a, i), (a, j), (b, k), (b, l)];
                    if Two::of(2, of).is_some_and(|two| two.crosses(self.least)) {
                        let (first, second) = (first as u32, second as u32);
                        let (pair, features) = (self.pair, Features::Edges);
                        out.push(Crossing { pair, features, first, second });
                    }
                }
            });
        }
    }
}

impl Two {
    /// The points of two features; `None` if one thing moves them all.
    pub(super) fn of(split: usize, vertices: [(&Skin, u32); 4]) -> Option<Self> {
        let holders = vertices.map(|(skin, v)| skin.surface.holders[v as usize]);
        let is_one = holders[0] != Surface::FREE && holders.iter().all(|it| *it == holders[0]);
        (!is_one).then(|| Self {
            split,
            points: vertices.map(|(skin, v)| skin.points[v as usize]),
            steps: vertices.map(|(skin, v)| skin.steps[v as usize]),
        })
    }

    /// True if the two begin farther apart than `least` [m] and come nearer, or through each other.
    pub(super) fn crosses(&self, least: f64) -> bool {
        // What begins nearer is pushed apart, not guarded.
        self.arm(0.0).norm() > least
            && !(self.arm(1.0).norm() > least && self.is_apart(0.0, 1.0, least, HALVINGS))
    }

    /// True if the two stay farther apart than `least` [m]; false where that is close.
    pub(super) fn passes_by(&self, least: f64) -> bool {
        self.is_apart(0.0, 1.0, 2.0 * least, FORESEEN_HALVINGS)
    }

    /// The same with the second moved [m].
    pub(super) fn moved(mut self, by: &Vec3) -> Self {
        self.points[self.split..].iter_mut().for_each(|p| *p += by);
        self
    }

    fn at(&self, time: f64) -> [Vec3; 4] {
        std::array::from_fn(|k| self.points[k] + self.steps[k] * time)
    }

    /// From the second to the first where they are nearest, at a share of the time.
    pub(super) fn arm(&self, time: f64) -> Vec3 {
        let [p, q, r, s] = self.at(time);
        match self.split {
            1 => p - nearest_on_triangle(&p, &[q, r, s]).point,
            _ => {
                let at = nearest(&[p, q], &[r, s]);
                at.a - at.b
            }
        }
    }

    /// True if a plane parts the two by `least` from one time to another, or planes do so in parts of that.
    fn is_apart(&self, from: f64, to: f64, least: f64, halvings: u32) -> bool {
        let middle = 0.5 * (from + to);
        let arm = self.arm(middle);
        let distance = arm.norm();
        // False for what is no number as well.
        let apart = distance > least;
        apart
            && ([from, to].iter().all(|&time| self.room(&(arm / distance), time) > 0.5 * least)
                || halvings > 0
                    && self.is_apart(from, middle, least, halvings - 1)
                    && self.is_apart(middle, to, least, halvings - 1))
    }

    /// Width of the slab across a normal that parts the two [m].
    fn room(&self, normal: &Vec3, time: f64) -> f64 {
        let heights = self.at(time).map(|p| p.dot(normal));
        let lowest = heights[..self.split].iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights[self.split..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        lowest - highest
    }
}
