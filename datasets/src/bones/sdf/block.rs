//! Samples of a solid on a grid, made in blocks: each has a solid of its own, of the parts that are near.

use super::segment::Point;
use super::solid::{Region, Solid};

/// Cells of a block along each axis.
pub(super) const SIZE: usize = 4;
/// Blocks along each axis that are looked at together first.
const GROUP: usize = 4;
/// Cells about the surface within which values count: corners of the cells that it crosses.
const BAND: f64 = 1.5;
/// Cells by which smoothing may move a vertex out of its own.
const ROOM: f64 = 0.3;
/// Deepest of the values that first-order distances make of a depth: ellipsoids seem deeper than they are.
pub(super) const DEPTH_FACTOR: f64 = 1.5;

/// The solids near the blocks of a grid, on the left and in the middle.
pub(super) struct Blocks {
    low: Point,
    cell: f64,
    count: [usize; 3],
    solids: Vec<Option<Solid>>,
    /// 1 outside and -1 inside, for blocks without surface.
    signs: Vec<f64>,
}

impl Blocks {
    /// Of a grid from `low` [mm] with `count` samples along each axis in cells of the given size [mm].
    pub(super) fn new(solid: &Solid, low: Point, cell: f64, count: [usize; 3]) -> Self {
        let count = count.map(|n| n.div_ceil(SIZE));
        let total = count.iter().product();
        let mut blocks =
            Self { low, cell, count, solids: vec![None; total], signs: vec![1.0; total] };
        for group in places([0; 3], count.map(|n| n.div_ceil(GROUP))) {
            let first = group.map(|n| n * GROUP);
            let region = blocks.region(first, GROUP);
            if !solid.is_one_sided() && region.center[1] + region.radius < 0.0 {
                continue;
            }
            let near = solid.near(region);
            if near.is_empty() {
                continue;
            }
            let end = std::array::from_fn(|axis| (first[axis] + GROUP).min(count[axis]));
            places(first, end).for_each(|block| blocks.fill(&near, block));
        }
        blocks
    }

    /// The ball around `size` blocks along each axis, with room for vertices that smoothing moves.
    fn region(&self, first: [usize; 3], size: usize) -> Region {
        let half = 0.5 * (size * SIZE) as f64 * self.cell;
        let at = |axis: usize| self.low[axis] + (first[axis] * SIZE) as f64 * self.cell + half;
        let radius = (half + ROOM * self.cell) * 3f64.sqrt();
        Region { center: std::array::from_fn(at), radius, band: BAND * self.cell }
    }

    /// Of the parts near a group of blocks, those near one of them.
    fn fill(&mut self, solid: &Solid, block: [usize; 3]) {
        let region = self.region(block, 1);
        let (center, radius) = (region.center, region.radius);
        if !solid.is_one_sided() && center[1] + radius < 0.0 {
            return;
        }
        let near = solid.near(region);
        let value = near.value(center);
        let at = self.index(block);
        self.signs[at] = if value < 0.0 { -1.0 } else { 1.0 };
        let has_surface = value < radius && value > -DEPTH_FACTOR * radius;
        self.solids[at] = (has_surface && !near.is_empty()).then_some(near);
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.count[1] + j) * self.count[2] + k
    }

    /// The solid near a sample, or the sign of all values in its block.
    pub(super) fn at(&self, sample: [usize; 3]) -> Result<&Solid, f64> {
        let at = self.index(sample.map(|n| n / SIZE));
        self.solids[at].as_ref().ok_or(self.signs[at])
    }
}

/// All triples from the first up to the end.
fn places(first: [usize; 3], end: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let rows = (first[0]..end[0]).flat_map(move |i| (first[1]..end[1]).map(move |j| [i, j]));
    rows.flat_map(move |[i, j]| (first[2]..end[2]).map(move |k| [i, j, k]))
}
