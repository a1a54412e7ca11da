//! Tetrahedra inside a surface: a lattice, cut and warped at the surface (isosurface stuffing, Labelle2007).
//!
//! The lattice is that of a cubic grid and of the middles of its cells, whose tetrahedra are all alike. Where an edge of
//! the lattice crosses the surface close to one of its vertices, that vertex moves onto the surface; what the surface
//! still cuts is put together from its inner part. So tetrahedra at the surface are never flat, and those inside are
//! the lattice's own. The triangles of the surface are not kept: edges sharper than the lattice is fine are cut off.

mod lattice;
mod pieces;
mod warp;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::element::ElementKind;
use crate::geometry::{SignedDistance, SurfaceMesh, SurfaceSide};
use crate::mesh::VolumeMesh;
use crate::{Mat3, Vec3};
use lattice::Lattice;
use pieces::{Corner, pieces};
use warp::{Cuts, Warped};

/// Most cells of the lattice in the box around a surface: each has two vertices that are asked for their distance.
const MOST_CELLS: f64 = 8e6;

/// Errors of filling a surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FillError {
    /// A size that is none.
    #[error("the size of elements must be > 0 and finite, got {0}")]
    Size(f64),
    /// More cells than fit.
    #[error(
        "elements of size {size} make {cells:.1e} cells of the box around the surface, {MOST_CELLS:.0e} are taken: give a size of at least {least:.3e}"
    )]
    TooMany {
        /// Size that was given, in the unit of the surface.
        size: f64,
        /// Cells that it makes.
        cells: f64,
        /// The least size that is taken, in the same unit.
        least: f64,
    },
    /// A surface without an inside.
    #[error(
        "the surface has no inside: it is open, and its triangles surround nothing; close it first"
    )]
    Sheet,
    /// A size larger than what is to be filled.
    #[error("no element of size {0} fits inside the surface: give a smaller size")]
    Empty(f64),
}

/// Tetrahedra of four nodes, with edges of about `size` [m], inside a surface. It may be inside out, have holes that are
/// small beside it, triangles that disagree or pass through each other: inside is where the winding number is over
/// one half. The same surface and size give the same mesh, whatever the number of threads.
///
/// # Errors
/// [`FillError`].
pub fn fill(surface: &SurfaceMesh, size: f64) -> Result<VolumeMesh, FillError> {
    if !(size > 0.0 && size.is_finite()) {
        return Err(FillError::Size(size));
    }
    let distance = SignedDistance::by_winding(surface).ok_or(FillError::Sheet)?;
    if distance.side() == SurfaceSide::Sheet {
        return Err(FillError::Sheet);
    }
    let bounds = bounds(surface);
    let extent = bounds[1] - bounds[0];
    let cells = extent.map(|length| length / size + 2.0).product();
    if cells > MOST_CELLS {
        let least = size * (cells / MOST_CELLS).cbrt() * 1.01;
        return Err(FillError::TooMany { size, cells, least });
    }
    let lattice = Lattice::around(bounds, size);
    let depth = |p: &Vec3| distance.foot(p).map_or(-1.0, |foot| -foot.distance);
    let depths = depths(&lattice, distance.side(), &depth);
    let cuts = Cuts::of(&lattice, &depths, &depth);
    let mesh = put_together(&lattice, &cuts.warp(&lattice, depths));
    if mesh.element_count() == 0 { Err(FillError::Empty(size)) } else { Ok(mesh) }
}

/// The least and the greatest coordinates of the triangles.
fn bounds(surface: &SurfaceMesh) -> [Vec3; 2] {
    let corners = surface.triangles().iter().flatten();
    let corners = corners.map(|&corner| surface.vertices()[corner as usize]);
    let none = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
    corners.fold(none, |[low, high], p| [low.inf(&p), high.sup(&p)])
}

/// Depth of each vertex below the surface [m], negative outside. Blocks of cells that the surface does not come near
/// have the depth of their middle throughout: it is the sign that counts there.
fn depths(
    lattice: &Lattice,
    side: SurfaceSide,
    depth: &(impl Fn(&Vec3) -> f64 + Sync),
) -> Vec<f64> {
    let blocks: Vec<Option<f64>> = match side {
        // Beside a hole the sign may change without a surface.
        SurfaceSide::Solid | SurfaceSide::Sheet => vec![None; lattice.block_count()],
        SurfaceSide::Closed => {
            let decided = |block: usize| {
                let (middle, radius) = lattice.block(block);
                Some(depth(&middle)).filter(|depth| depth.abs() > radius)
            };
            (0..lattice.block_count()).into_par_iter().map(decided).collect()
        }
    };
    let at = |vertex: u32| {
        let block = blocks[lattice.block_of(vertex)];
        block.unwrap_or_else(|| depth(&lattice.position(vertex)))
    };
    (0..lattice.vertex_count()).into_par_iter().map(at).collect()
}

/// The inner parts of all tetrahedra of the lattice.
fn put_together(lattice: &Lattice, warped: &Warped) -> VolumeMesh {
    let mut mesh = VolumeMesh::default();
    let mut numbers: HashMap<Corner, u32> = HashMap::new();
    for tetrahedron in lattice.tetrahedra() {
        if tetrahedron.iter().all(|&vertex| warped.depth(vertex) <= 0.0) {
            continue;
        }
        for piece in pieces(tetrahedron, warped) {
            let mut nodes = piece.map(|corner| {
                let next = mesh.nodes.len() as u32;
                let number = *numbers.entry(corner).or_insert(next);
                if number == next {
                    mesh.nodes.push(warped.position(lattice, corner));
                }
                number
            });
            let [a, b, c, d] = nodes.map(|node| mesh.nodes[node as usize]);
            if Mat3::from_columns(&[b - a, c - a, d - a]).determinant() < 0.0 {
                nodes.swap(2, 3);
            }
            // The nodes are there.
            let _ = mesh.push_element(ElementKind::Tet4, &nodes);
        }
    }
    mesh
}
