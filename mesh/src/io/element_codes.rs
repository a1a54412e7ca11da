//! The elements in all mesh formats, one row a kind: its name in each format, and its node orders.
//! A place `order[i]` in an order is that in the file of the node that Sinew (ArtiSynth's order,
//! docs/reference/conventions.md) has at place `i`.
//!
//! VTK: Schroeder et al., The Visualization Toolkit, file formats. Gmsh: reference manual, node ordering. The only
//! difference in the corners is the hexahedron, whose first face is at t = +1.

use crate::ElementKind;

/// Names of a kind of element in the formats, and its node orders.
pub(super) struct Codes {
    pub(super) kind: ElementKind,
    /// In words, for messages.
    pub(super) words: &'static str,
    /// VTK's cell type.
    pub(super) vtk: u8,
    /// Gmsh's element type.
    pub(super) gmsh: u8,
    /// FEBio's type.
    pub(super) febio: &'static str,
    /// The digits behind Abaqus's C3D.
    pub(super) abaqus: &'static str,
    /// Nastran's cards, which linear and quadratic elements share.
    pub(super) nastran: &'static [&'static str],
    /// Medit's sections in small letters, the one that is written first.
    pub(super) medit: &'static [&'static str],
    /// AVS's cell; empty for none.
    pub(super) ucd: &'static str,
    /// Vega's kinds of element.
    pub(super) vega: &'static [&'static str],
    pub(super) orders: Orders,
    /// The order that names the same element with the other handedness.
    pub(super) mirrored: &'static [u8],
    /// For each corner its three neighbours along edges, in right-handed order; the apex of the pyramid has four and
    /// is left out.
    pub(super) corner_frames: &'static [[u8; 4]],
}

/// Node orders; an empty one is Sinew's own.
pub(super) struct Orders {
    /// Read and written; FEBio's, Medit's, Vega's and Abaqus's too.
    pub(super) vtk: &'static [u8],
    pub(super) gmsh: &'static [u8],
    /// Quadratic hexahedra and wedges have the upright edges before the upper ones.
    pub(super) nastran: &'static [u8],
    /// The place in AVS's file of each of VTK's nodes: the apex of a pyramid comes first, wedges and hexahedra begin
    /// with their upper face.
    pub(super) ucd: &'static [u8],
}

const SAME: &[u8] = &[];
const HEX8: [u8; 8] = [4, 5, 6, 7, 0, 1, 2, 3];
const VTK_HEX20: [u8; 20] = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19];
/// VTK's voxel: the lower face runs along x first, then y.
pub(super) const VTK_VOXEL: [u8; 8] = [4, 5, 7, 6, 0, 1, 3, 2];
const GMSH_HEX20: [u8; 20] = [4, 5, 6, 7, 0, 1, 2, 3, 16, 18, 19, 17, 8, 11, 13, 9, 10, 12, 14, 15];
const NASTRAN_HEX20: [u8; 20] =
    [4, 5, 6, 7, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 12, 13, 14, 15];

const TET: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 2, 1]];
const HEX: [[u8; 4]; 8] = [
    [0, 3, 1, 4],
    [1, 0, 2, 5],
    [2, 1, 3, 6],
    [3, 2, 0, 7],
    [4, 5, 7, 0],
    [5, 6, 4, 1],
    [6, 7, 5, 2],
    [7, 4, 6, 3],
];
const WEDGE: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5], [3, 5, 4, 0], [4, 3, 5, 1], [5, 4, 3, 2]];
const PYRAMID: [[u8; 4]; 4] = [[0, 1, 3, 4], [1, 2, 0, 4], [2, 3, 1, 4], [3, 0, 2, 4]];

/// One row a kind, in the order of the enum.
static ROWS: [Codes; ElementKind::ALL.len()] = [
    Codes {
        kind: ElementKind::Tet4,
        words: "tetrahedron",
        vtk: 10,
        gmsh: 4,
        febio: "tet4",
        abaqus: "4",
        nastran: &["CTETRA"],
        medit: &["tetrahedra"],
        ucd: "tet",
        vega: &["TET", "TETS"],
        orders: Orders { vtk: SAME, gmsh: SAME, nastran: SAME, ucd: SAME },
        mirrored: &[0, 2, 1, 3],
        corner_frames: &TET,
    },
    Codes {
        kind: ElementKind::Hex8,
        words: "hexahedron",
        vtk: 12,
        gmsh: 5,
        febio: "hex8",
        abaqus: "8",
        nastran: &["CHEXA"],
        medit: &["hexahedra"],
        ucd: "hex",
        vega: &["CUBIC"],
        orders: Orders { vtk: &HEX8, gmsh: &HEX8, nastran: &HEX8, ucd: &HEX8 },
        mirrored: &HEX8,
        corner_frames: &HEX,
    },
    Codes {
        kind: ElementKind::Wedge6,
        words: "wedge",
        vtk: 13,
        gmsh: 6,
        febio: "penta6",
        abaqus: "6",
        nastran: &["CPENTA"],
        medit: &["prisms", "pentahedra"],
        ucd: "prism",
        vega: &[],
        orders: Orders { vtk: SAME, gmsh: SAME, nastran: SAME, ucd: &[3, 4, 5, 0, 1, 2] },
        mirrored: &[3, 4, 5, 0, 1, 2],
        corner_frames: &WEDGE,
    },
    Codes {
        kind: ElementKind::Pyramid5,
        words: "pyramid",
        vtk: 14,
        gmsh: 7,
        febio: "pyra5",
        abaqus: "5",
        nastran: &["CPYRAM", "CPYRA"],
        medit: &["pyramids"],
        ucd: "pyr",
        vega: &[],
        orders: Orders { vtk: SAME, gmsh: SAME, nastran: SAME, ucd: &[1, 2, 3, 4, 0] },
        mirrored: &[0, 3, 2, 1, 4],
        corner_frames: &PYRAMID,
    },
    Codes {
        kind: ElementKind::Tet10,
        words: "quadratic tetrahedron",
        vtk: 24,
        gmsh: 11,
        febio: "tet10",
        abaqus: "10",
        nastran: &["CTETRA"],
        medit: &["tetrahedrap2"],
        ucd: "",
        vega: &[],
        orders: Orders {
            vtk: SAME,
            gmsh: &[0, 1, 2, 3, 4, 5, 6, 7, 9, 8],
            nastran: SAME,
            ucd: SAME,
        },
        mirrored: &[0, 2, 1, 3, 6, 5, 4, 7, 9, 8],
        corner_frames: &TET,
    },
    Codes {
        kind: ElementKind::Hex20,
        words: "quadratic hexahedron",
        vtk: 25,
        gmsh: 17,
        febio: "hex20",
        abaqus: "20",
        nastran: &["CHEXA"],
        medit: &[],
        ucd: "",
        vega: &[],
        orders: Orders { vtk: &VTK_HEX20, gmsh: &GMSH_HEX20, nastran: &NASTRAN_HEX20, ucd: SAME },
        mirrored: &VTK_HEX20,
        corner_frames: &HEX,
    },
    Codes {
        kind: ElementKind::Wedge15,
        words: "quadratic wedge",
        vtk: 26,
        gmsh: 18,
        febio: "penta15",
        abaqus: "15",
        nastran: &["CPENTA"],
        medit: &[],
        ucd: "",
        vega: &[],
        orders: Orders {
            vtk: SAME,
            gmsh: &[0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11],
            nastran: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11],
            ucd: SAME,
        },
        mirrored: &[3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8, 12, 13, 14],
        corner_frames: &WEDGE,
    },
    Codes {
        kind: ElementKind::Pyramid13,
        words: "quadratic pyramid",
        vtk: 27,
        gmsh: 19,
        febio: "pyra13",
        abaqus: "13",
        nastran: &["CPYRAM", "CPYRA"],
        medit: &[],
        ucd: "",
        vega: &[],
        orders: Orders {
            vtk: SAME,
            gmsh: &[0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12],
            nastran: SAME,
            ucd: SAME,
        },
        mirrored: &[0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10],
        corner_frames: &PYRAMID,
    },
];

impl Codes {
    /// The row of a kind.
    pub(super) fn of(kind: ElementKind) -> &'static Self {
        &ROWS[kind as usize]
    }

    /// The kind whose row fits.
    pub(super) fn find(fits: impl Fn(&Self) -> bool) -> Option<ElementKind> {
        ROWS.iter().find(|row| fits(row)).map(|row| row.kind)
    }

    /// The linear and the quadratic kind of a Nastran card.
    pub(super) fn of_card(card: &[u8]) -> Option<[ElementKind; 2]> {
        let kind = Self::find(|row| row.nastran.iter().any(|name| name.as_bytes() == card))?;
        Some([kind.linear(), kind.quadratic()])
    }
}

/// A kind in words.
pub(super) fn name(kind: ElementKind) -> &'static str {
    Codes::of(kind).words
}

const IDENTITY: [u8; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

fn or_own(order: &'static [u8], kind: ElementKind) -> &'static [u8] {
    if order.is_empty() { &IDENTITY[..kind.node_count()] } else { order }
}

/// Order of VTK's cells, read and written: the place in it of each node of an element in Sinew's order.
pub fn vtk(kind: ElementKind) -> &'static [u8] {
    or_own(Codes::of(kind).orders.vtk, kind)
}

/// Order of Gmsh's elements.
pub(super) fn gmsh(kind: ElementKind) -> &'static [u8] {
    or_own(Codes::of(kind).orders.gmsh, kind)
}

/// Order of Nastran's elements.
pub(super) fn nastran(kind: ElementKind) -> &'static [u8] {
    or_own(Codes::of(kind).orders.nastran, kind)
}

/// The place in AVS's file of each of VTK's nodes.
pub(super) fn ucd(kind: ElementKind) -> &'static [u8] {
    or_own(Codes::of(kind).orders.ucd, kind)
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn every_kind_has_its_row_and_orders_of_its_length_and_codes_of_its_own() {
        for (k, kind) in ElementKind::ALL.into_iter().enumerate() {
            let row = Codes::of(kind);
            assert_eq!(row.kind, kind);
            for order in [vtk(kind), gmsh(kind), nastran(kind), ucd(kind), row.mirrored] {
                let mut places = order.to_vec();
                places.sort_unstable();
                assert_eq!(places, IDENTITY[..kind.node_count()], "{}", row.words);
            }
            for other in &ROWS[..k] {
                assert!(row.vtk != other.vtk && row.gmsh != other.gmsh, "{}", row.words);
                assert!(row.febio != other.febio && row.abaqus != other.abaqus, "{}", row.words);
                assert_ne!(row.words, other.words);
            }
        }
    }
}

#[cfg(test)]
#[path = "element_codes_tests.rs"]
mod tests;
