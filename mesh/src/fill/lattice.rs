//! The body-centred cubic lattice: corners of cubic cells and their middles, numbered one after the other.

use crate::Vec3;

/// Cells along an edge of a block.
const BLOCK: u32 = 8;

/// A box of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    origin: Vec3,
    size: f64,
    cells: [u32; 3],
}

/// An edge of the lattice: along an axis, or the shorter one from a middle to a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) is_long: bool,
}

impl Lattice {
    /// Cells of an edge `size` [m] that surround a box with half a cell or more.
    pub(super) fn around([low, high]: [Vec3; 2], size: f64) -> Self {
        let cells: [u32; 3] =
            std::array::from_fn(|axis| ((high[axis] - low[axis]) / size).ceil() as u32 + 1);
        let extent = Vec3::from(cells.map(f64::from)) * size;
        Self { origin: 0.5 * (low + high - extent), size, cells }
    }

    fn corners(&self) -> [u32; 3] {
        self.cells.map(|count| count + 1)
    }

    fn corner_count(&self) -> u32 {
        self.corners().into_iter().product()
    }

    pub(super) fn vertex_count(&self) -> u32 {
        self.corner_count() + self.cells.into_iter().product::<u32>()
    }

    fn corner(&self, [i, j, k]: [u32; 3]) -> u32 {
        let [nx, ny, _] = self.corners();
        i + nx * (j + ny * k)
    }

    fn middle(&self, [i, j, k]: [u32; 3]) -> u32 {
        let [nx, ny, _] = self.cells;
        self.corner_count() + i + nx * (j + ny * k)
    }

    /// The place of a vertex in its grid, and whether it is the middle of a cell.
    fn place(&self, vertex: u32) -> ([u32; 3], bool) {
        let is_middle = vertex >= self.corner_count();
        let (at, [nx, ny, _]) = match is_middle {
            true => (vertex - self.corner_count(), self.cells),
            false => (vertex, self.corners()),
        };
        ([at % nx, at / nx % ny, at / (nx * ny)], is_middle)
    }

    /// Place of a vertex [m].
    pub(super) fn position(&self, vertex: u32) -> Vec3 {
        let (place, is_middle) = self.place(vertex);
        let shift = if is_middle { 0.5 } else { 0.0 };
        self.origin + Vec3::from(place.map(|at| f64::from(at) + shift)) * self.size
    }

    fn blocks(&self) -> [u32; 3] {
        self.cells.map(|count| count / BLOCK + 1)
    }

    pub(super) fn block_count(&self) -> usize {
        self.blocks().into_iter().map(|count| count as usize).product()
    }

    /// The block of a vertex.
    pub(super) fn block_of(&self, vertex: u32) -> usize {
        let ([i, j, k], _) = self.place(vertex);
        let [nx, ny, _] = self.blocks();
        (i / BLOCK + nx * (j / BLOCK + ny * (k / BLOCK))) as usize
    }

    /// The middle of a block and the radius around it of all of its vertices [m].
    pub(super) fn block(&self, block: usize) -> (Vec3, f64) {
        let [nx, ny, _] = self.blocks();
        let block = block as u32;
        let place = [block % nx, block / nx % ny, block / (nx * ny)];
        let half = 0.5 * f64::from(BLOCK) * self.size;
        let low = Vec3::from(place.map(|at| f64::from(at * BLOCK))) * self.size;
        (self.origin + low.add_scalar(half), half * 3.0_f64.sqrt())
    }

    fn each(counts: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
        let [nx, ny, nz] = counts;
        let rows = (0..nz).flat_map(move |k| (0..ny).map(move |j| (j, k)));
        rows.flat_map(move |(j, k)| (0..nx).map(move |i| [i, j, k]))
    }

    /// Neighbours along the axes, within some counts.
    fn next([place, counts]: [[u32; 3]; 2]) -> impl Iterator<Item = [u32; 3]> {
        (0..3).filter(move |&axis| place[axis] + 1 < counts[axis]).map(move |axis| {
            let mut next = place;
            next[axis] += 1;
            next
        })
    }

    /// The eight corners of a cell.
    fn around_cell(&self, [i, j, k]: [u32; 3]) -> [u32; 8] {
        std::array::from_fn(|n| {
            let n = n as u32;
            self.corner([i + (n & 1), j + (n >> 1 & 1), k + (n >> 2)])
        })
    }

    /// All edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = Edge> {
        let corners = Self::each(self.corners()).flat_map(move |at| {
            let next = Self::next([at, self.corners()]);
            next.map(move |next| [self.corner(at), self.corner(next)])
        });
        let middles = Self::each(self.cells).flat_map(move |at| {
            let next = Self::next([at, self.cells]);
            next.map(move |next| [self.middle(at), self.middle(next)])
        });
        let long = corners.chain(middles).map(|ends| Edge { ends, is_long: true });
        let short = Self::each(self.cells).flat_map(move |at| {
            let middle = self.middle(at);
            self.around_cell(at).map(|corner| Edge { ends: [middle, corner], is_long: false })
        });
        long.chain(short)
    }

    /// All tetrahedra: around each edge between middles the four that end on the edges of the face between.
    pub(super) fn tetrahedra(&self) -> impl Iterator<Item = [u32; 4]> {
        Self::each(self.cells).flat_map(move |at| {
            let axes = (0..3).filter(move |&axis| at[axis] + 1 < self.cells[axis]);
            axes.flat_map(move |axis| {
                let (mut next, [u, v]) = (at, [(axis + 1) % 3, (axis + 2) % 3]);
                next[axis] += 1;
                let ends = [self.middle(at), self.middle(next)];
                let ring = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[along, across]| {
                    let mut corner = next;
                    corner[u] += along;
                    corner[v] += across;
                    self.corner(corner)
                });
                (0..4).map(move |k| [ends[0], ends[1], ring[k], ring[(k + 1) % 4]])
            })
        })
    }
}
