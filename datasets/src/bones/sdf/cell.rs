//! The sampling grid of a solid and its cells: corners, edges, and the sheets into which the
//! surface falls within one cell (the polygons of marching cubes; key Lorensen1987).

use super::block::{Blocks, DEPTH_FACTOR, SIZE};
use super::segment::Point;
use super::solid::Solid;

/// Corners of a cell: bit 0 is x, bit 1 is y, bit 2 is z.
pub(super) const CORNERS: usize = 8;
/// Edges of a cell: four along each axis.
pub(super) const EDGES: usize = 12;

/// Value of a corner that was taken out, in cells.
const OUTSIDE: f64 = 0.1;

/// Samples on a grid that is its own mirror image about y = 0, which cuts through the middle of cells, as the values are
/// unless the solid is one-sided.
pub(super) struct Grid {
    low: Point,
    /// Size of a cell [mm].
    pub(super) cell: f64,
    /// Number of samples along each axis; even along y.
    pub(super) count: [usize; 3],
    pub(super) values: Vec<f64>,
    /// True if the values have no mirror images.
    pub(super) one_sided: bool,
    blocks: Blocks,
}

impl Grid {
    /// Samples a solid in cells of the given size [mm], with a rim of outer samples.
    pub(super) fn sample(solid: &Solid, cell: f64) -> Self {
        let [low, high] = solid.bounds();
        let cells = |length: f64| (length / cell) as usize + 4;
        let half = cells(high[1]);
        let count = [cells(high[0] - low[0]), 2 * half, cells(high[2] - low[2])];
        let low = [low[0] - 1.5 * cell, (0.5 - half as f64) * cell, low[2] - 1.5 * cell];
        let blocks = Blocks::new(solid, low, cell, count);
        let values = vec![0.0; count.iter().product()];
        let one_sided = solid.is_one_sided();
        let mut grid = Self { low, cell, count, values, one_sided, blocks };
        let first = if one_sided { 0 } else { half };
        for i in 0..count[0] {
            for j in first..count[1] {
                grid.sample_column(i, j);
            }
        }
        grid
    }

    /// Samples along z, and their mirror images. A value far from zero stands for the ones that follow in its block.
    fn sample_column(&mut self, i: usize, j: usize) {
        let mut k = 0;
        while k < self.count[2] {
            let near = self.blocks.at([i, j, k]);
            let at = self.corner_point([i, j, k], 0);
            let value = near.map_or_else(|sign| sign, |solid| solid.value(at));
            let clear = value.max(-value / DEPTH_FACTOR) / self.cell;
            // The last sample that it stands for is a cell or more from the surface.
            let rest = SIZE - k % SIZE;
            let steps =
                if near.is_ok() { (clear.min(SIZE as f64) as usize).clamp(1, rest) } else { rest };
            let end = (k + steps).min(self.count[2]);
            for j in self.images(j) {
                let [from, to] = [k, end].map(|k| self.index([i, j, k]));
                self.values[from..to].fill(value);
            }
            k = end;
        }
    }

    /// The place of a sample along y and that of its mirror image, which a one-sided solid has not.
    fn images(&self, j: usize) -> [usize; 2] {
        [j, if self.one_sided { j } else { self.count[1] - 1 - j }]
    }

    /// The parts of the solid that matter in a cell on the left; `None` where no surface is.
    pub(super) fn solid_at(&self, cell: [usize; 3]) -> Option<&Solid> {
        self.blocks.at(cell).ok()
    }

    /// Takes out of the solid, on both sides, the corner that is least inside of each face of a cell on which two
    /// inner corners lie across from each other.
    pub(super) fn part(&mut self, cell: [usize; 3]) {
        for (corner, _) in (0..6).map(|k| face(k / 2, k % 2)) {
            let samples = corner.map(|corner| corner_of(cell, corner));
            let values = samples.map(|sample| self.values[self.index(sample)]);
            let inner = values.map(|value| value < 0.0);
            if inner[0] != inner[2] || inner[1] != inner[3] || inner[0] == inner[1] {
                continue;
            }
            let [a, b] = if inner[0] { [0, 2] } else { [1, 3] };
            let [i, j, k] = samples[if values[a] > values[b] { a } else { b }];
            for j in self.images(j) {
                let at = self.index([i, j, k]);
                self.values[at] = OUTSIDE * self.cell;
            }
        }
    }

    /// Number of a sample, or of the cell above it.
    pub(super) fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.count[1] + j) * self.count[2] + k
    }

    /// A corner of a cell [mm].
    pub(super) fn corner_point(&self, cell: [usize; 3], corner: usize) -> Point {
        let at = corner_of(cell, corner);
        std::array::from_fn(|axis| self.low[axis] + at[axis] as f64 * self.cell)
    }

    /// Values at the corners of a cell.
    pub(super) fn corners(&self, cell: [usize; 3]) -> [f64; CORNERS] {
        std::array::from_fn(|corner| self.values[self.index(corner_of(cell, corner))])
    }

    /// The cells from `first` along every axis.
    pub(super) fn cells(&self, first: usize) -> impl Iterator<Item = [usize; 3]> + use<> {
        let [ni, nj, nk] = self.count.map(|count| count - 1);
        let rows = (first..ni).flat_map(move |i| (first..nj).map(move |j| [i, j]));
        rows.flat_map(move |[i, j]| (first..nk).map(move |k| [i, j, k]))
    }
}

fn corner_of([i, j, k]: [usize; 3], corner: usize) -> [usize; 3] {
    [i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)]
}

/// The edge along `axis` at steps `u` and `v` along the next two axes.
pub(super) fn edge_at(axis: usize, u: usize, v: usize) -> usize {
    4 * axis + u + 2 * v
}

/// The corners at the ends of an edge.
pub(super) fn edge_ends(edge: usize) -> [usize; 2] {
    let axis = edge / 4;
    let from = (edge & 1) << ((axis + 1) % 3) | (edge >> 1 & 1) << ((axis + 2) % 3);
    [from, from | 1 << axis]
}

/// The mirror image of an edge in a cell mirrored along y.
pub(super) fn mirrored_edge(edge: usize) -> usize {
    match edge / 4 {
        // Along x the first step is along y, along z the second.
        0 => edge ^ 1,
        1 => edge,
        _ => edge ^ 2,
    }
}

/// Corners around a face of a cell, and the edges from each to the next.
fn face(normal: usize, side: usize) -> ([usize; 4], [usize; 4]) {
    let (u, v) = ((normal + 1) % 3, (normal + 2) % 3);
    let corner = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let edge = [edge_at(u, 0, side), edge_at(v, side, 1), edge_at(u, 1, side), edge_at(v, side, 0)];
    (corner.map(|[a, b]| side << normal | a << u | b << v), edge)
}

/// Labels that are equal for edges crossed by one sheet. On a face with inner corners at the ends of
/// one diagonal the surface keeps these corners apart, as seen from both cells.
fn labels(inner: impl Fn(usize) -> bool) -> [usize; EDGES] {
    let mut label: [usize; EDGES] = std::array::from_fn(|edge| edge);
    let mut join = |a: usize, b: usize| {
        let [keep, drop] = [label[a], label[b]];
        label.iter_mut().filter(|label| **label == drop).for_each(|label| *label = keep);
    };
    for (corner, edge) in (0..6).map(|k| face(k / 2, k % 2)) {
        let crossed = (0..4).filter(|&k| inner(corner[k]) != inner(corner[(k + 1) % 4]));
        match crossed.clone().count() {
            0 => {}
            2 => {
                let mut ends = crossed.map(|k| edge[k]);
                if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                    join(a, b);
                }
            }
            _ => {
                (0..4).filter(|&k| inner(corner[k])).for_each(|k| join(edge[(k + 3) % 4], edge[k]))
            }
        }
    }
    label
}

/// The sheet that crosses each edge, numbered from 0, and their number; `None` for a cell that the
/// surface does not cross.
pub(super) fn sheets(corners: &[f64; CORNERS]) -> Option<([Option<u32>; EDGES], u32)> {
    let inner = |corner: usize| corners[corner] < 0.0;
    let label = labels(inner);
    let mut sheet_of = [None; EDGES];
    let mut count = 0;
    for edge in 0..EDGES {
        let [a, b] = edge_ends(edge).map(inner);
        if a == b {
            continue;
        }
        let known = (0..edge).find(|&k| sheet_of[k].is_some() && label[k] == label[edge]);
        sheet_of[edge] = known.and_then(|k| sheet_of[k]).or_else(|| {
            count += 1;
            Some(count - 1)
        });
    }
    (count > 0).then_some((sheet_of, count))
}
