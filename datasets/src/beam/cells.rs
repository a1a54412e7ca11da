//! Split of one cell of a grid into elements. Cell corners are numbered (0,0,0) (1,0,0) (1,1,0)
//! (0,1,0) (0,0,1) (1,0,1) (1,1,1) (0,1,1) along x, y, z. Cells are mirror images of each other
//! where that is needed for the faces of neighbours to match.

use sinew::fem::ElementKind;

/// Offset of each cell corner along x, y, z.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Elements of a cell as cell corners, in the node order of their kind.
type Split = &'static [&'static [u8]];

/// Splits of the cells of a grid.
#[derive(Clone, Copy)]
pub(super) struct Splits {
    /// The linear kind.
    pub(super) kind: ElementKind,
    cells: Cells,
}

/// Pattern of splits from cell to cell.
#[derive(Clone, Copy)]
enum Cells {
    /// Splits of a cell with even i + j + k, and of one with odd.
    Alternating([Split; 2]),
    /// The split of the cell (0, 0, 0); every other is its mirror image along each axis on which it is odd.
    Mirrored(Split),
}

impl Splits {
    /// Elements of the cell (i, j, k): their corners as offsets from it, in the node order of the kind.
    pub(super) fn elements(self, cell: [usize; 3]) -> impl Iterator<Item = Vec<[usize; 3]>> {
        let (split, mirror) = match self.cells {
            Cells::Alternating(splits) => (splits[cell.iter().sum::<usize>() % 2], [0; 3]),
            Cells::Mirrored(split) => (split, cell.map(|i| i % 2)),
        };
        let place = move |&corner: &u8| {
            let at = CORNERS[corner as usize];
            [0, 1, 2].map(|axis| at[axis] ^ mirror[axis])
        };
        split.iter().map(move |corners| {
            let mut list: Vec<[usize; 3]> = corners.iter().map(place).collect();
            if mirror.iter().sum::<usize>() % 2 == 1 {
                // The base of a pyramid winds the other way in a mirror.
                list.swap(1, 3);
            }
            list
        })
    }
}

/// The four corners at z = 1 come first: there the third reference coordinate is +1.
const HEX: Split = &[&[4, 5, 6, 7, 0, 1, 2, 3]];

/// Prisms along y, cut by the diagonal 0-5 of the face y = 0.
const WEDGES: Split = &[&[3, 2, 6, 0, 1, 5], &[3, 6, 7, 0, 5, 4]];

pub(super) const TET: Splits = Splits {
    kind: ElementKind::Tet4,
    cells: Cells::Alternating([
        &[&[0, 1, 2, 5], &[0, 2, 3, 7], &[0, 5, 7, 4], &[2, 7, 5, 6], &[0, 2, 7, 5]],
        &[&[1, 3, 0, 4], &[1, 2, 3, 6], &[1, 6, 4, 5], &[3, 4, 6, 7], &[1, 3, 4, 6]],
    ]),
};

pub(super) const HEXAHEDRON: Splits =
    Splits { kind: ElementKind::Hex8, cells: Cells::Alternating([HEX, HEX]) };

pub(super) const WEDGE: Splits =
    Splits { kind: ElementKind::Wedge6, cells: Cells::Alternating([WEDGES, WEDGES]) };

/// Three pyramids on the faces that do not touch their common apex: that corner of the cell whose three coordinates are
/// even, so that bases meet bases and a grid with an even number of cells along an axis is its own mirror image along it.
pub(super) const PYRAMID: Splits = Splits {
    kind: ElementKind::Pyramid5,
    cells: Cells::Mirrored(&[&[1, 5, 6, 2, 0], &[2, 6, 7, 3, 0], &[4, 7, 6, 5, 0]]),
};
