//! All piercings of triangles of one surface by edges of the other, and winding numbers of vertices.

use super::exact::{Shift, height, pierce};
use super::prepared::OverlapSurface;
use super::result::Operand;
use crate::Vec3;
use crate::tree::Bounds;

/// An edge that goes through a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piercing {
    pub(super) edge_of: Operand,
    /// Number of the edge in its surface.
    pub(super) edge: u32,
    /// Share of the edge before the point [-].
    pub(super) along: f64,
    /// The triangle of the other surface.
    pub(super) triangle: u32,
    /// True if the edge goes along the normal of the triangle, from the smaller to the larger number.
    pub(super) leaves: bool,
    pub(super) position: Vec3,
}

/// Two surfaces that are asked for what they have in common.
#[derive(Clone, Copy)]
pub(super) struct Pair<'s> {
    pub(super) surfaces: [&'s OverlapSurface; 2],
    /// A power of two that brings coordinates near 1 rounds nothing and keeps products of six lengths
    /// within the numbers.
    scale: f64,
}

impl<'s> Pair<'s> {
    pub(super) fn new(first: &'s OverlapSurface, second: &'s OverlapSurface) -> Self {
        let reach = first.reach().max(second.reach());
        let scale = if reach > 0.0 {
            reach.log2().floor().clamp(-1000.0, 1000.0).exp2().recip()
        } else {
            1.0
        };
        Self { surfaces: [first, second], scale }
    }

    pub(super) fn surface(&self, operand: Operand) -> &'s OverlapSurface {
        self.surfaces[operand.index()]
    }

    fn scaled_corners(&self, operand: Operand, t: u32) -> [Vec3; 3] {
        self.surface(operand).corners(t).map(|p| p * self.scale)
    }

    /// Replaces `found` by all piercings, by surface, edge, and place along the edge.
    pub(super) fn find_piercings(&self, found: &mut Vec<Piercing>) {
        found.clear();
        let [first, second] = self.surfaces;
        first.tree().visit_pairs(second.tree(), &mut |t, s| self.add_piercings([t, s], found));
        found.sort_unstable_by(|a, b| {
            let order = (a.edge_of, a.edge).cmp(&(b.edge_of, b.edge));
            order.then(a.along.total_cmp(&b.along)).then(a.triangle.cmp(&b.triangle))
        });
    }

    /// Adds those of two triangles, one of each surface.
    fn add_piercings(&self, triangles: [u32; 2], found: &mut Vec<Piercing>) {
        let corners = [Operand::First, Operand::Second]
            .map(|operand| self.scaled_corners(operand, triangles[operand.index()]));
        let over_second = corners[0].map(|p| height(&corners[1], &p, Shift::Back));
        let over_first = corners[1].map(|p| height(&corners[0], &p, Shift::Forth));
        let ends = [over_second, over_first];
        let is_apart = |at: &[super::exact::Height; 3]| {
            at[0].sign != 0 && at.iter().all(|end| end.sign == at[0].sign)
        };
        if ends.iter().any(is_apart) {
            return;
        }
        for edge_of in [Operand::First, Operand::Second] {
            let (own, other) = (edge_of.index(), edge_of.other().index());
            let surface = self.surfaces[own];
            for k in 0..3 {
                let edge = surface.edge_of(triangles[own], k);
                // Each edge once: with the first of its triangles.
                if surface.sides_of(edge)[0] != 3 * triangles[own] + k as u32 {
                    continue;
                }
                let turned = usize::from(!surface.is_forward(triangles[own], k));
                let [from, to] = [(k + turned) % 3, (k + 1 - turned) % 3];
                let line = [from, to].map(|end| corners[own][end]);
                let shift = shift_of(edge_of);
                let heights = [from, to].map(|end| ends[own][end]);
                if let Some(passage) = pierce(&line, &corners[other], heights, shift) {
                    let along = passage.along;
                    let position = self.point_along(edge_of, edge, along);
                    let (triangle, leaves) = (triangles[other], passage.leaves);
                    found.push(Piercing { edge_of, edge, along, triangle, leaves, position });
                }
            }
        }
    }

    fn point_along(&self, edge_of: Operand, edge: u32, along: f64) -> Vec3 {
        let surface = self.surface(edge_of);
        let [p, q] = surface.edges()[edge as usize].map(|v| surface.vertices()[v as usize]);
        if along < 0.5 { p + (q - p) * along } else { q - (q - p) * (1.0 - along) }
    }

    /// Replaces `numbers` by the winding numbers of the other surface, which is closed, about the vertices
    /// of a surface: at one of each component along a ray, from there on by what pierces the edges.
    pub(super) fn find_windings(
        &self,
        of: Operand,
        piercings: &[Piercing],
        numbers: &mut Vec<i32>,
        jumps: &mut Vec<i32>,
    ) {
        let surface = self.surface(of);
        jumps.clear();
        jumps.resize(surface.edges().len(), 0);
        for piercing in piercings.iter().filter(|piercing| piercing.edge_of == of) {
            jumps[piercing.edge as usize] += if piercing.leaves { -1 } else { 1 };
        }
        numbers.clear();
        numbers.resize(surface.vertices().len(), 0);
        for branch in surface.branches() {
            numbers[branch.vertex as usize] = match branch.from {
                None => self.winding_by_ray(of, branch.vertex),
                Some(from) => {
                    let jump = jumps[from.edge as usize];
                    let is_forward = from.vertex < branch.vertex;
                    numbers[from.vertex as usize] + if is_forward { jump } else { -jump }
                }
            };
        }
    }

    /// The winding number of the other surface about a vertex: signed piercings of a ray along x.
    fn winding_by_ray(&self, of: Operand, vertex: u32) -> i32 {
        let origin = self.surface(of).vertices()[vertex as usize];
        let beam = Bounds { low: origin, high: Vec3::new(f64::INFINITY, origin.y, origin.z) };
        let start = origin * self.scale;
        // Scaled coordinates are below 2.
        let ray = [start, Vec3::new(4.0, start.y, start.z)];
        let mut number = 0;
        self.surface(of.other()).tree().visit_overlapping(&beam, &mut |t| {
            let face = self.scaled_corners(of.other(), t);
            let ends = ray.map(|end| height(&face, &end, shift_of(of)));
            if let Some(passage) = pierce(&ray, &face, ends, shift_of(of)) {
                number += if passage.leaves { 1 } else { -1 };
            }
        });
        number
    }
}

fn shift_of(operand: Operand) -> Shift {
    match operand {
        Operand::First => Shift::Back,
        Operand::Second => Shift::Forth,
    }
}
