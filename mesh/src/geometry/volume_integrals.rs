//! Volume, centroid and inertia of a volume mesh of one density, element by element.

use super::SolidIntegrals;
use crate::{ElementKind, VolumeMesh};
use crate::{Mat3, Vec3};

/// Integrals over the elements of `mesh`: of tetrahedra in closed form, else by the quadrature of the
/// quadratic elements of the same shape. Exact for straight tetrahedra, parallelepipeds and prisms; the
/// five points of a pyramid give its volume, but the rest to some digits only. `None` when the volume
/// is not positive.
pub fn mesh_integrals(mesh: &VolumeMesh) -> Option<SolidIntegrals> {
    let [lo, hi] = mesh.bounding_box()?;
    // Moments are taken near the mesh, then about the centroid: nothing large is subtracted.
    let origin = lo + 0.5 * (hi - lo);
    let (volume, first, _) = moments(mesh, &origin);
    if !(volume > 0.0 && volume.is_finite()) {
        return None;
    }
    let centroid = origin + first / volume;
    let (_, _, second_moment) = moments(mesh, &centroid);
    Some(SolidIntegrals { volume, centroid, second_moment })
}

/// Integrals of 1, r and r rᵀ, r from `origin`.
fn moments(mesh: &VolumeMesh, origin: &Vec3) -> (f64, Vec3, Mat3) {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    let mut shape = [0.0; ElementKind::MAX_NODE_COUNT];
    let mut gradients = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
    for (kind, nodes) in mesh.elements() {
        if kind == ElementKind::Tet4 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| mesh.nodes[nodes[i] as usize] - origin);
            let part = (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
            let sum = a + b + c + d;
            let outer = |v: &Vec3| v * v.transpose();
            volume += part;
            first += sum * (part / 4.0);
            // The moments of a tetrahedron (Tonon2004), as products of its corners.
            let products = outer(&a) + outer(&b) + outer(&c) + outer(&d) + outer(&sum);
            second += products * (part / 20.0);
            continue;
        }
        for point in kind.quadratic().points() {
            kind.shape(point.at, &mut shape);
            kind.gradient(point.at, &mut gradients);
            let (mut jacobian, mut r) = (Mat3::zeros(), Vec3::zeros());
            for ((&node, n), gradient) in nodes.iter().zip(shape).zip(gradients) {
                let x = mesh.nodes[node as usize] - origin;
                r += x * n;
                jacobian += x * Vec3::from(gradient).transpose();
            }
            let part = point.weight * jacobian.determinant();
            volume += part;
            first += r * part;
            second += r * r.transpose() * part;
        }
    }
    (volume, first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::boundary;

    /// One element of each kind in an affine frame; straight edges, planar faces.
    #[test]
    fn an_element_of_each_kind_has_the_integrals_of_the_polyhedron_that_it_is() {
        let map = Mat3::new(1.0, 0.3, -0.2, 0.1, 2.0, 0.4, 0.0, -0.5, 0.7);
        for kind in ElementKind::ALL {
            let shift = Vec3::new(7.0, -3.0, 2.0);
            let corners = kind.linear().nodes().iter().map(|&r| map * Vec3::from(r) + shift);
            let mut nodes: Vec<Vec3> = corners.collect();
            for &[a, b] in kind.edges().iter().filter(|_| kind.is_quadratic()) {
                nodes.push((nodes[a as usize] + nodes[b as usize]) / 2.0);
            }
            let mut mesh = VolumeMesh::new(nodes);
            let all: Vec<u32> = (0..kind.node_count() as u32).collect();
            mesh.push_element(kind, &all).unwrap();
            let solid = boundary(&mesh).mesh.solid_integrals().unwrap();
            let found = mesh_integrals(&mesh).unwrap();
            // Five digits more than the rules have.
            let tolerance = 1e-9;
            assert!((found.volume - solid.volume).abs() < tolerance * solid.volume, "{kind:?}");
            let away = (found.centroid - solid.centroid).norm();
            let error = (found.second_moment - solid.second_moment).norm();
            let is_pyramid = kind.linear() == ElementKind::Pyramid5;
            let loose = if is_pyramid { 0.3 } else { tolerance };
            assert!(away < loose, "{kind:?}: {away:e}");
            assert!(error < loose * solid.second_moment.norm(), "{kind:?}: {error:e}");
        }
    }
}
