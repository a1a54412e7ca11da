//! Node orders of the file formats, each stated once. `order[i]` is the place in the file of the
//! node that Sinew (ArtiSynth's order, docs/conventions.md) has at place `i`.
//!
//! VTK: Schroeder et al., The Visualization Toolkit, file formats. Gmsh: reference manual, node
//! ordering. The only difference in the corners is the hexahedron, whose first face is at t = +1.

use crate::fem::ElementKind;

const IDENTITY: [u8; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
const HEX8: [u8; 8] = [4, 5, 6, 7, 0, 1, 2, 3];
const VTK_HEX20: [u8; 20] = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19];
/// VTK's voxel: the lower face runs along x first, then y.
pub(super) const VTK_VOXEL: [u8; 8] = [4, 5, 7, 6, 0, 1, 3, 2];
const GMSH_TET10: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8];
const GMSH_HEX20: [u8; 20] = [4, 5, 6, 7, 0, 1, 2, 3, 16, 18, 19, 17, 8, 11, 13, 9, 10, 12, 14, 15];
const GMSH_WEDGE15: [u8; 15] = [0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11];
const GMSH_PYRAMID13: [u8; 13] = [0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12];

/// Order of VTK's cells, read and written.
pub(super) fn vtk(kind: ElementKind) -> &'static [u8] {
    match kind {
        ElementKind::Hex8 => &HEX8,
        ElementKind::Hex20 => &VTK_HEX20,
        _ => &IDENTITY[..kind.node_count()],
    }
}

/// Order of Gmsh's elements.
pub(super) fn gmsh(kind: ElementKind) -> &'static [u8] {
    match kind {
        ElementKind::Hex8 => &HEX8,
        ElementKind::Tet10 => &GMSH_TET10,
        ElementKind::Hex20 => &GMSH_HEX20,
        ElementKind::Wedge15 => &GMSH_WEDGE15,
        ElementKind::Pyramid13 => &GMSH_PYRAMID13,
        _ => &IDENTITY[..kind.node_count()],
    }
}

/// The order that names the same element with the other handedness.
pub(super) fn mirrored(kind: ElementKind) -> &'static [u8] {
    match kind {
        ElementKind::Tet4 => &[0, 2, 1, 3],
        ElementKind::Hex8 => &[4, 5, 6, 7, 0, 1, 2, 3],
        ElementKind::Wedge6 => &[3, 4, 5, 0, 1, 2],
        ElementKind::Pyramid5 => &[0, 3, 2, 1, 4],
        ElementKind::Tet10 => &[0, 2, 1, 3, 6, 5, 4, 7, 9, 8],
        ElementKind::Hex20 => {
            &[4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19]
        }
        ElementKind::Wedge15 => &[3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8, 12, 13, 14],
        ElementKind::Pyramid13 => &[0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10],
    }
}

/// For each corner its three neighbours along edges, in right-handed order; the apex of the pyramid
/// has four and is left out.
pub(super) fn corner_frames(kind: ElementKind) -> &'static [[u8; 4]] {
    match kind {
        ElementKind::Tet4 | ElementKind::Tet10 => {
            &[[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 2, 1]]
        }
        ElementKind::Hex8 | ElementKind::Hex20 => &[
            [0, 3, 1, 4],
            [1, 0, 2, 5],
            [2, 1, 3, 6],
            [3, 2, 0, 7],
            [4, 5, 7, 0],
            [5, 6, 4, 1],
            [6, 7, 5, 2],
            [7, 4, 6, 3],
        ],
        ElementKind::Wedge6 | ElementKind::Wedge15 => {
            &[[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5], [3, 5, 4, 0], [4, 3, 5, 1], [5, 4, 3, 2]]
        }
        ElementKind::Pyramid5 | ElementKind::Pyramid13 => {
            &[[0, 1, 3, 4], [1, 2, 0, 4], [2, 3, 1, 4], [3, 0, 2, 4]]
        }
    }
}

#[cfg(test)]
#[path = "node_order_tests.rs"]
mod tests;
