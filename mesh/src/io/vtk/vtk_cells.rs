//! VTK's cell type codes, shared by the XML and the legacy format.

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::Problem;
use crate::io::volume::builder::Builder;

enum Cell {
    Volume(ElementKind, &'static [u8]),
    /// Points, lines, faces.
    Lower(&'static str),
    /// A solid that has no counterpart here.
    Unsupported(&'static str),
    Unknown,
}

fn cell(code: i64) -> Cell {
    if let Some(kind) = Codes::find(|row| i64::from(row.vtk) == code) {
        return Cell::Volume(kind, element_codes::vtk(kind));
    }
    match code {
        0 => Cell::Lower("empty cells"),
        1 | 2 => Cell::Lower("points"),
        3 | 4 | 21 | 35 | 68 | 75 => Cell::Lower("lines"),
        5 | 6 | 22 | 34 | 69 | 76 => Cell::Lower("triangles"),
        7 | 36 => Cell::Lower("polygons"),
        8 | 9 | 23 | 28 | 30 | 70 | 77 => Cell::Lower("quadrilaterals"),
        11 => Cell::Volume(ElementKind::Hex8, &element_codes::VTK_VOXEL),
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

/// Adds a cell of this type and these points; `base` is the first point of its piece.
pub(in crate::io) fn add(
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
