//! The hexahedral mesh of the tongue: a body block and a keel block that continues the middle of
//! the body's underside, each coarse cell refined evenly in block coordinates.

use sinew::Vec3;
use sinew::fem::{ElementKind, MeshError, VolumeMesh};

use super::shape::{
    BODY_CELLS, COARSE_BODY_CELLS, COARSE_KEEL_CELLS, FREE_CELLS, KEEL_CELLS, blade_weight,
    body_point, keel_point,
};

/// Node numbering of both blocks at one refinement. Index triples run from tip to root, from left
/// to right, and upwards (body) or from the body to the jaw (keel).
struct Blocks {
    /// Cells of the body before the keel.
    free: usize,
    body: [usize; 3],
    keel: [usize; 3],
}

impl Blocks {
    fn new(refine: usize) -> Self {
        if refine == 0 {
            return Self { free: FREE_CELLS / 2, body: COARSE_BODY_CELLS, keel: COARSE_KEEL_CELLS };
        }
        let refined = |cells: [usize; 3]| cells.map(|count| count * refine);
        Self { free: FREE_CELLS * refine, body: refined(BODY_CELLS), keel: refined(KEEL_CELLS) }
    }

    fn body_node(&self, [i, j, k]: [usize; 3]) -> u32 {
        ((i * (self.body[1] + 1) + j) * (self.body[2] + 1) + k) as u32
    }

    /// Layer 0 of the keel is the body's underside; the others have nodes of their own.
    fn keel_node(&self, [i, j, k]: [usize; 3]) -> u32 {
        if k == 0 {
            let aside = (self.body[1] - self.keel[1]) / 2;
            return self.body_node([i + self.free, j + aside, 0]);
        }
        let own = (i * (self.keel[1] + 1) + j) * self.keel[2] + k - 1;
        (nodes_of(self.body) + own) as u32
    }

    /// Block coordinates of a body node: length in [0, 1], width in [-1, 1], height in [0, 1].
    fn body_at(&self, [i, j, k]: [usize; 3]) -> [f64; 3] {
        [ratio(i, self.body[0]), -centred(j, self.body[1]), ratio(k, self.body[2])]
    }

    /// Block coordinates of a keel node: length of the body, width and depth of the keel.
    fn keel_at(&self, [i, j, k]: [usize; 3]) -> [f64; 3] {
        let length = ratio(i + self.free, self.body[0]);
        [length, -centred(j, self.keel[1]), ratio(k, self.keel[2])]
    }
}

/// One of the two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Body,
    Keel,
}

/// A hexahedron in its block.
pub(super) struct Cell {
    pub(super) block: Block,
    /// Its numbers along the tongue, across and upward (from the body to the jaw in the keel); along and across are those
    /// of the body in both.
    pub(super) index: [usize; 3],
    /// Block coordinates of its centre: length of the body, width, height or depth.
    pub(super) at: [f64; 3],
    /// Its extent in the same block coordinates.
    pub(super) size: [f64; 3],
    /// Part of the vault that the tongue fills [-].
    vault: f64,
}

impl Cell {
    /// Derivatives of the position [m] by the block coordinates, at the centre.
    pub(super) fn slopes(&self) -> [Vec3; 3] {
        // Relative to the cell: the error of the differences is its square.
        const STEP: f64 = 1e-3;
        let place = |at: [f64; 3]| match self.block {
            Block::Body => body_point(at, self.vault),
            Block::Keel => keel_point(at[0], at[1], at[2]),
        };
        std::array::from_fn(|axis| {
            let step = STEP * self.size[axis];
            let at = |by: f64| {
                let mut at = self.at;
                at[axis] += by;
                place(at)
            };
            (at(step) - at(-step)) / (2.0 * step)
        })
    }
}

/// The hexahedra of [`tongue_mesh`], in its order.
pub(super) fn cells(refine: usize, vault: f64) -> Vec<Cell> {
    let blocks = Blocks::new(refine);
    let cell = |block, index: [usize; 3], [low, high]: [[f64; 3]; 2]| Cell {
        block,
        index,
        at: std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis])),
        size: std::array::from_fn(|axis| (high[axis] - low[axis]).abs()),
        vault,
    };
    let next = |at: [usize; 3]| at.map(|i| i + 1);
    let body = triples([0; 3], blocks.body)
        .map(|at| cell(Block::Body, at, [at, next(at)].map(|at| blocks.body_at(at))));
    let aside = (blocks.body[1] - blocks.keel[1]) / 2;
    let keel = triples([0; 3], blocks.keel).map(|at| {
        let index = [at[0] + blocks.free, at[1] + aside, at[2]];
        cell(Block::Keel, index, [at, next(at)].map(|at| blocks.keel_at(at)))
    });
    body.chain(keel).collect()
}

fn ratio(i: usize, count: usize) -> f64 {
    i as f64 / count as f64
}

/// From -1 to 1 over 0..=count, and exactly odd about the middle.
fn centred(i: usize, count: usize) -> f64 {
    (2.0 * i as f64 - count as f64) / count as f64
}

fn nodes_of(cells: [usize; 3]) -> usize {
    cells.iter().map(|count| count + 1).product()
}

/// All triples from `start` below `end`, the last index fastest.
fn triples(start: [usize; 3], end: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (start[0]..end[0]).flat_map(move |i| {
        (start[1]..end[1]).flat_map(move |j| (start[2]..end[2]).map(move |k| [i, j, k]))
    })
}

/// One more than each.
fn ends(cells: [usize; 3]) -> [usize; 3] {
    cells.map(|count| count + 1)
}

/// The mesh with 740 r³ hexahedra, where r = `refine`, or 228 of them for r = 0, and one weight a node for the scheduled load;
/// `vault` is the part of the vault of the palate that it fills [-].
/// Node sets: `tip` (front face), `dorsum` (upper surface), `jaw` (origin at the mandible), `hyoid`
/// (rear end face).
pub(super) fn tongue_mesh(refine: usize, vault: f64) -> Result<(VolumeMesh, Vec<f64>), MeshError> {
    let blocks = Blocks::new(refine);
    let (mut nodes, mut weights) = (Vec::new(), Vec::new());
    for at in triples([0; 3], ends(blocks.body)) {
        let at = blocks.body_at(at);
        nodes.push(body_point(at, vault));
        weights.push(blade_weight(at[0]));
    }
    for at in triples([0, 0, 1], ends(blocks.keel)) {
        let [s, w, d] = blocks.keel_at(at);
        nodes.push(keel_point(s, w, d));
        // The keel is drawn along by the body, the less the nearer to the mandible.
        weights.push(blade_weight(s) * (1.0 - d) * (1.0 - d));
    }
    let mut mesh = VolumeMesh::new(nodes);
    for cell in triples([0; 3], blocks.body) {
        push_cell(&mut mesh, cell, [0, 1], |at| blocks.body_node(at))?;
    }
    for cell in triples([0; 3], blocks.keel) {
        push_cell(&mut mesh, cell, [1, 0], |at| blocks.keel_node(at))?;
    }
    add_sets(&mut mesh, &blocks);
    Ok((mesh, weights))
}

/// Appends a hexahedron; `[below, above]` are the steps of the third index to its lower and its
/// upper face, and the upper face comes first in the node order.
fn push_cell(
    mesh: &mut VolumeMesh,
    [i, j, k]: [usize; 3],
    [below, above]: [usize; 2],
    node: impl Fn([usize; 3]) -> u32,
) -> Result<(), MeshError> {
    let face = |step| {
        [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| node([i, j, k + step]))
    };
    let [upper, lower] = [face(above), face(below)];
    mesh.push_element(ElementKind::Hex8, &[upper, lower].concat())
}

fn add_sets(mesh: &mut VolumeMesh, blocks: &Blocks) {
    let [length, _, height] = blocks.body;
    let body = |keep: &dyn Fn([usize; 3]) -> bool| -> Vec<u32> {
        let all = triples([0; 3], ends(blocks.body));
        all.filter(|at| keep(*at)).map(|at| blocks.body_node(at)).collect()
    };
    let depth = blocks.keel[2];
    let jaw = triples([0, 0, depth], ends(blocks.keel)).map(|at| blocks.keel_node(at)).collect();
    let sets = [
        ("tip", body(&|at| at[0] == 0)),
        ("dorsum", body(&|at| at[2] == height)),
        ("hyoid", body(&|at| at[0] == length)),
        ("jaw", jaw),
    ];
    mesh.node_sets.extend(sets.map(|(name, nodes)| (name.to_owned(), nodes)));
}
