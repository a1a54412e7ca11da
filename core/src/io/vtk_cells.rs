//! VTK's cell type codes, shared by the XML and the legacy format.

use super::builder::Builder;
use super::error::Problem;
use super::node_order;
use crate::fem::ElementKind;

enum Cell {
    Volume(ElementKind, &'static [u8]),
    /// Points, lines, faces.
    Lower(&'static str),
    /// A solid that has no counterpart here.
    Unsupported(&'static str),
    Unknown,
}

fn cell(code: i64) -> Cell {
    let volume = |kind| Cell::Volume(kind, node_order::vtk(kind));
    match code {
        0 => Cell::Lower("empty cells"),
        1 | 2 => Cell::Lower("points"),
        3 | 4 | 21 | 35 | 68 | 75 => Cell::Lower("lines"),
        5 | 6 | 22 | 34 | 69 | 76 => Cell::Lower("triangles"),
        7 | 36 => Cell::Lower("polygons"),
        8 | 9 | 23 | 28 | 30 | 70 | 77 => Cell::Lower("quadrilaterals"),
        10 => volume(ElementKind::Tet4),
        11 => Cell::Volume(ElementKind::Hex8, &node_order::VTK_VOXEL),
        12 => volume(ElementKind::Hex8),
        13 => volume(ElementKind::Wedge6),
        14 => volume(ElementKind::Pyramid5),
        24 => volume(ElementKind::Tet10),
        25 => volume(ElementKind::Hex20),
        26 => volume(ElementKind::Wedge15),
        27 => volume(ElementKind::Pyramid13),
        15 => Cell::Unsupported("pentagonal prism (VTK type 15)"),
        16 => Cell::Unsupported("hexagonal prism (VTK type 16)"),
        29 | 33 => Cell::Unsupported("27- or 24-node hexahedron (VTK type 29, 33)"),
        31 | 32 => Cell::Unsupported("linear-quadratic wedge (VTK type 31, 32)"),
        37 => Cell::Unsupported("19-node pyramid (VTK type 37)"),
        41 | 42 => Cell::Unsupported("polyhedron (VTK type 41, 42)"),
        71..=74 | 78..=81 => Cell::Unsupported("higher-order Lagrange or Bezier cell"),
        _ => Cell::Unknown,
    }
}

/// The code that a kind is written with.
pub(super) fn code(kind: ElementKind) -> u8 {
    match kind {
        ElementKind::Tet4 => 10,
        ElementKind::Hex8 => 12,
        ElementKind::Wedge6 => 13,
        ElementKind::Pyramid5 => 14,
        ElementKind::Tet10 => 24,
        ElementKind::Hex20 => 25,
        ElementKind::Wedge15 => 26,
        ElementKind::Pyramid13 => 27,
    }
}

/// Adds a cell of this type and these points; `base` is the first point of its piece.
pub(super) fn add(
    builder: &mut Builder,
    cell_number: u64,
    code: i64,
    points: &[i64],
    base: usize,
) -> Result<(), Problem> {
    match cell(code) {
        Cell::Lower(name) => {
            builder.skip(name);
            Ok(())
        }
        Cell::Unsupported(name) => Err(Problem::Unsupported {
            what: format!("cell {cell_number}: {name}"),
            remedy: "convert it to tetrahedra, hexahedra, wedges or pyramids of first or second order",
        }),
        Cell::Unknown => Err(Problem::UnknownType { element: cell_number, code }),
        Cell::Volume(kind, order) => {
            builder.add_element(cell_number, kind, order, points, |node| {
                usize::try_from(node).ok().and_then(|n| n.checked_add(base))
            })
        }
    }
}
