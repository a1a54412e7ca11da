//! How one cell of a grid is split into elements. Cell corners are numbered (0,0,0) (1,0,0)
//! (1,1,0) (0,1,0) (0,0,1) (1,0,1) (1,1,1) (0,1,1) along x, y, z. Cells whose i + j + k is even
//! and odd are mirror images where that is needed for the faces of neighbours to match.

use sinew::fem::ElementKind;

/// Offset of each cell corner along x, y, z.
pub(super) const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Elements of a cell as cell corners, in the node order of their kind.
type Split = &'static [&'static [u8]];

/// Splits of a cell for even and odd i + j + k.
#[derive(Clone, Copy)]
pub(super) struct Splits {
    /// The linear kind.
    pub(super) kind: ElementKind,
    /// Its quadratic kind.
    pub(super) quadratic: ElementKind,
    /// Elements of a cell with even i + j + k, then of one with odd.
    pub(super) cells: [Split; 2],
    /// Corner pairs of an element's edges in the order of the quadratic kind's mid-edge nodes.
    pub(super) edges: &'static [[u8; 2]],
}

/// The four corners at z = 1 come first: there the third reference coordinate is +1.
const HEX: Split = &[&[4, 5, 6, 7, 0, 1, 2, 3]];

/// Prisms along y, cut by the diagonal 0-5 of the face y = 0.
const WEDGES: Split = &[&[3, 2, 6, 0, 1, 5], &[3, 6, 7, 0, 5, 4]];

pub(super) const TET: Splits = Splits {
    kind: ElementKind::Tet4,
    quadratic: ElementKind::Tet10,
    cells: [
        &[&[0, 1, 2, 5], &[0, 2, 3, 7], &[0, 5, 7, 4], &[2, 7, 5, 6], &[0, 2, 7, 5]],
        &[&[1, 3, 0, 4], &[1, 2, 3, 6], &[1, 6, 4, 5], &[3, 4, 6, 7], &[1, 3, 4, 6]],
    ],
    edges: &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
};

pub(super) const HEXAHEDRON: Splits = Splits {
    kind: ElementKind::Hex8,
    quadratic: ElementKind::Hex20,
    cells: [HEX, HEX],
    edges: &[
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 4],
        [0, 4],
        [1, 5],
        [2, 6],
        [3, 7],
    ],
};

pub(super) const WEDGE: Splits = Splits {
    kind: ElementKind::Wedge6,
    quadratic: ElementKind::Wedge15,
    cells: [WEDGES, WEDGES],
    edges: &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]],
};

/// Three pyramids on the faces that do not touch their common apex: corner 0 in even cells, the
/// opposite corner 6 in odd ones, so that bases meet bases.
pub(super) const PYRAMID: Splits = Splits {
    kind: ElementKind::Pyramid5,
    quadratic: ElementKind::Pyramid13,
    cells: [
        &[&[1, 5, 6, 2, 0], &[2, 6, 7, 3, 0], &[4, 7, 6, 5, 0]],
        &[&[0, 3, 7, 4, 6], &[0, 4, 5, 1, 6], &[0, 1, 2, 3, 6]],
    ],
    edges: &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]],
};
