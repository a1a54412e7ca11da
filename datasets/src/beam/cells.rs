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
    /// Elements of a cell with even i + j + k, then of one with odd.
    pub(super) cells: [Split; 2],
}

/// The four corners at z = 1 come first: there the third reference coordinate is +1.
const HEX: Split = &[&[4, 5, 6, 7, 0, 1, 2, 3]];

/// Prisms along y, cut by the diagonal 0-5 of the face y = 0.
const WEDGES: Split = &[&[3, 2, 6, 0, 1, 5], &[3, 6, 7, 0, 5, 4]];

pub(super) const TET: Splits = Splits {
    kind: ElementKind::Tet4,
    cells: [
        &[&[0, 1, 2, 5], &[0, 2, 3, 7], &[0, 5, 7, 4], &[2, 7, 5, 6], &[0, 2, 7, 5]],
        &[&[1, 3, 0, 4], &[1, 2, 3, 6], &[1, 6, 4, 5], &[3, 4, 6, 7], &[1, 3, 4, 6]],
    ],
};

pub(super) const HEXAHEDRON: Splits = Splits { kind: ElementKind::Hex8, cells: [HEX, HEX] };

pub(super) const WEDGE: Splits = Splits { kind: ElementKind::Wedge6, cells: [WEDGES, WEDGES] };

/// Three pyramids on the faces that do not touch their common apex: corner 0 in even cells, the
/// opposite corner 6 in odd ones, so that bases meet bases, as ArtiSynth splits a cell. Such a grid is not its own mirror
/// image, whatever the counts: a coarse beam of it bends sideways under its weight.
pub(super) const PYRAMID: Splits = Splits {
    kind: ElementKind::Pyramid5,
    cells: [
        &[&[1, 5, 6, 2, 0], &[2, 6, 7, 3, 0], &[4, 7, 6, 5, 0]],
        &[&[0, 3, 7, 4, 6], &[0, 4, 5, 1, 6], &[0, 1, 2, 3, 6]],
    ],
};
