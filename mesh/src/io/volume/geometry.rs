//! Volumes and shapes of the elements of a mesh.

use crate::io::element_codes::Codes;
use crate::{ElementKind, VolumeMesh};
use crate::{Mat3, Vec3};

/// Six times the signed volume of a tetrahedron [m^3].
fn triple([a, b, c, d]: [Vec3; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}

/// Volume of each quadrature point of element `e` [m^3]: its weight times the Jacobian determinant
/// of the map from the reference element, curved edges included.
///
/// # Panics
/// When `e` is not an element of the mesh.
pub(in crate::io) fn point_volumes(mesh: &VolumeMesh, e: usize) -> impl Iterator<Item = f64> {
    let (kind, nodes) = mesh.element(e);
    let origin = mesh.nodes[nodes[0] as usize];
    kind.points().iter().map(move |point| {
        let mut gradients = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
        kind.gradient(point.at, &mut gradients);
        let mut jacobian = Mat3::zeros();
        for (&node, gradient) in nodes.iter().zip(gradients) {
            // From the first node: the gradients sum to zero, and a mesh may lie far from 0.
            jacobian += (mesh.nodes[node as usize] - origin) * Vec3::from(gradient).transpose();
        }
        point.weight * jacobian.determinant()
    })
}

/// Signed volume of element `e` [m^3], positive for the node order of docs/reference/conventions.md: the sum
/// over its quadrature points, which is exact where the edges are straight and the faces planar.
///
/// # Panics
/// When `e` is not an element of the mesh.
pub fn element_volume(mesh: &VolumeMesh, e: usize) -> f64 {
    point_volumes(mesh, e).sum()
}

/// Sum of the signed element volumes [m^3].
pub fn mesh_volume(mesh: &VolumeMesh) -> f64 {
    (0..mesh.element_count()).map(|e| element_volume(mesh, e)).sum()
}

/// Smallest and largest scaled Jacobian over the corners of element `e`: the triple product of the
/// three edges at a corner over the product of their lengths, between -1 and 1; 0 where an edge has
/// no length (Knupp, Achieving finite element mesh quality via optimization, 2000).
pub(in crate::io) fn scaled_jacobians(mesh: &VolumeMesh, e: usize) -> [f64; 2] {
    let (kind, nodes) = mesh.element(e);
    if kind == ElementKind::Tet4 {
        return tet_jacobians([0, 1, 2, 3].map(|i| mesh.nodes[nodes[i] as usize]));
    }
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for frame in Codes::of(kind).corner_frames {
        let x = frame.map(|i| mesh.nodes[nodes[i as usize] as usize]);
        let lengths: f64 = x[1..].iter().map(|p| (p - x[0]).norm()).product();
        let scaled = if lengths > 0.0 { triple(x) / lengths } else { 0.0 };
        range = [range[0].min(scaled), range[1].max(scaled)];
    }
    range
}

/// The same for a tetrahedron, whose corners have one triple product and share their edges: most
/// meshes are made of them.
fn tet_jacobians(x: [Vec3; 4]) -> [f64; 2] {
    let length = |a: usize, b: usize| (x[b] - x[a]).norm();
    let [ab, ac, ad] = [length(0, 1), length(0, 2), length(0, 3)];
    let [bc, bd, cd] = [length(1, 2), length(1, 3), length(2, 3)];
    let lengths = [ab * ac * ad, ab * bc * bd, ac * bc * cd, ad * bd * cd];
    let triple = triple(x);
    let scaled = lengths.map(|length| if length > 0.0 { triple / length } else { 0.0 });
    let [a, b, c, d] = scaled;
    [a.min(b).min(c).min(d), a.max(b).max(c).max(d)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of the reference element and, if quadratic, the middles of straight edges.
    fn reference(kind: ElementKind) -> VolumeMesh {
        let corners: Vec<_> = kind.linear().nodes().iter().map(|&r| Vec3::from(r)).collect();
        let middle = |&[a, b]: &[u8; 2]| (corners[a as usize] + corners[b as usize]) / 2.0;
        let middles = kind.edges().iter().filter(|_| kind.is_quadratic()).map(middle);
        let nodes: Vec<_> = corners.iter().copied().chain(middles).collect();
        let ids: Vec<u32> = (0..kind.node_count() as u32).collect();
        let mut mesh = VolumeMesh::new(nodes);
        mesh.push_element(kind, &ids).unwrap();
        mesh
    }

    #[test]
    fn the_reference_elements_have_their_volumes_under_any_rigid_motion() {
        let rotation = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        for kind in ElementKind::ALL {
            let volume = match kind.corner_count() {
                4 => 1.0 / 6.0,
                5 => 8.0 / 3.0,
                6 => 1.0,
                _ => 8.0,
            };
            let mut mesh = reference(kind);
            for p in &mut mesh.nodes {
                *p = rotation * *p + Vec3::new(3.0, -2.0, 1.0);
            }
            // Some hundred products of numbers of size 5: rounding of some 1e-15 each.
            let found = mesh_volume(&mesh);
            assert!((found - volume).abs() < 1e-13, "{kind:?}: {found}");
        }
    }

    #[test]
    fn a_bent_edge_changes_the_volume_and_inverts_points_between_sound_corners() {
        let mut mesh = reference(ElementKind::Tet10);
        mesh.nodes[4].z = 0.5;
        // z = t + 2 r (1 - r - s - t), so J = 1 - 2 r, whose integral is 1/6 - 2/24.
        let volume = 1.0 / 12.0;
        assert!((mesh_volume(&mesh) - volume).abs() < 1e-15, "{}", mesh_volume(&mesh));
        assert!(point_volumes(&mesh, 0).any(|v| v < 0.0));
        assert!(scaled_jacobians(&mesh, 0)[0] > 0.0);
    }

    #[test]
    fn the_corners_of_a_tetrahedron_share_what_each_has_by_itself() {
        let x = [[0.1, 0.0, 0.2], [1.0, -0.3, 0.0], [0.2, 2.0, 0.1], [0.0, 0.4, 0.7]];
        let x = x.map(Vec3::from);
        let mut own = [f64::INFINITY, f64::NEG_INFINITY];
        for frame in Codes::of(ElementKind::Tet4).corner_frames {
            let corners = frame.map(|i| x[i as usize]);
            let lengths: f64 = corners[1..].iter().map(|p| (p - corners[0]).norm()).product();
            let scaled = triple(corners) / lengths;
            own = [own[0].min(scaled), own[1].max(scaled)];
        }
        let found = tet_jacobians(x);
        // Some twenty products and a root.
        assert!((0..2).all(|i| (found[i] - own[i]).abs() < 1e-14), "{found:?} {own:?}");
    }

    #[test]
    fn the_corners_of_a_cube_have_scaled_jacobian_one() {
        assert_eq!(scaled_jacobians(&reference(ElementKind::Hex8), 0), [1.0, 1.0]);
    }
}
