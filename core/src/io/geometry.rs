//! Volumes of elements and meshes.

use super::node_order;
use crate::Vec3;
use crate::fem::{ElementKind, VolumeMesh};

/// Tetrahedra that fill each corner polyhedron.
fn corner_tets(kind: ElementKind) -> &'static [[u8; 4]] {
    match node_order::corner_count(kind) {
        4 => &[[0, 1, 2, 3]],
        5 => &[[0, 1, 2, 4], [0, 2, 3, 4]],
        6 => &[[0, 1, 2, 3], [1, 2, 3, 4], [2, 4, 5, 3]],
        // Around the diagonal from corner 4 to corner 2.
        _ => &[[4, 5, 6, 2], [4, 6, 7, 2], [4, 7, 3, 2], [4, 3, 0, 2], [4, 0, 1, 2], [4, 1, 5, 2]],
    }
}

/// Six times the signed volume of a tetrahedron [m^3].
fn triple([a, b, c, d]: [Vec3; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}

/// Signed volume of element `e` [m^3], positive for the node order of docs/conventions.md. Exact
/// where the faces are planar and the edges straight.
///
/// # Panics
/// When `e` is not an element of the mesh.
pub fn element_volume(mesh: &VolumeMesh, e: usize) -> f64 {
    let (kind, nodes) = mesh.element(e);
    let corner = |i: u8| mesh.nodes[nodes[i as usize] as usize];
    corner_tets(kind).iter().map(|tet| triple(tet.map(corner))).sum::<f64>() / 6.0
}

/// Sum of the signed element volumes [m^3].
pub fn mesh_volume(mesh: &VolumeMesh) -> f64 {
    (0..mesh.element_count()).map(|e| element_volume(mesh, e)).sum()
}

/// Smallest and largest scaled Jacobian over the corners of element `e`: the triple product of the
/// three edges at a corner over the product of their lengths, between -1 and 1; 0 where an edge has
/// no length (Knupp, Achieving finite element mesh quality via optimization, 2000).
pub(super) fn scaled_jacobians(mesh: &VolumeMesh, e: usize) -> [f64; 2] {
    let (kind, nodes) = mesh.element(e);
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for frame in node_order::corner_frames(kind) {
        let x = frame.map(|i| mesh.nodes[nodes[i as usize] as usize]);
        let lengths: f64 = x[1..].iter().map(|p| (p - x[0]).norm()).product();
        let scaled = if lengths > 0.0 { triple(x) / lengths } else { 0.0 };
        range = [range[0].min(scaled), range[1].max(scaled)];
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(kind: ElementKind) -> (VolumeMesh, f64) {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let at = |z: f64| move |[x, y]: [f64; 2]| Vec3::new(x, y, z);
        let (nodes, volume): (Vec<Vec3>, f64) = match kind {
            ElementKind::Hex8 => ([square.map(at(1.0)), square.map(at(-1.0))].concat(), 8.0),
            ElementKind::Wedge6 => ([triangle.map(at(-1.0)), triangle.map(at(1.0))].concat(), 1.0),
            ElementKind::Pyramid5 => {
                ([&square.map(at(-1.0))[..], &[Vec3::new(0.0, 0.0, 1.0)]].concat(), 8.0 / 3.0)
            }
            _ => ([&triangle.map(at(0.0))[..], &[Vec3::z()]].concat(), 1.0 / 6.0),
        };
        let ids: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut mesh = VolumeMesh::new(nodes);
        mesh.push_element(kind, &ids).unwrap();
        (mesh, volume)
    }

    #[test]
    fn the_reference_elements_have_their_volumes_under_any_rigid_motion() {
        use ElementKind::{Hex8, Pyramid5, Tet4, Wedge6};
        let rotation = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        for kind in [Tet4, Hex8, Wedge6, Pyramid5] {
            let (mut mesh, volume) = reference(kind);
            for p in &mut mesh.nodes {
                *p = rotation * *p + Vec3::new(3.0, -2.0, 1.0);
            }
            // A dozen products of numbers of size 5: rounding of some 1e-15 each.
            assert!(
                (mesh_volume(&mesh) - volume).abs() < 1e-13,
                "{kind:?}: {}",
                mesh_volume(&mesh)
            );
        }
    }

    #[test]
    fn the_corners_of_a_cube_have_scaled_jacobian_one() {
        let (mesh, _) = reference(ElementKind::Hex8);
        assert_eq!(scaled_jacobians(&mesh, 0), [1.0, 1.0]);
    }
}
