//! Integrals over a surface and over the solid inside it, exact for the polyhedron: the divergence
//! theorem turns them into sums over triangles (Mirtich1996, Eberly2002; here as the moments of
//! signed tetrahedra, Tonon2004, which are the same polynomials).

use super::{GeometryError, SurfaceMesh};
use crate::{Mat3, Vec3};

/// Integrals over the triangles as a thin shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceIntegrals {
    /// Area [m²].
    pub area: f64,
    /// Mean position on the surface [m]; the middle of the bounding box if there is no area.
    pub centroid: Vec3,
}

/// Integrals over the solid that a surface bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidIntegrals {
    /// Volume [m³].
    pub volume: f64,
    /// Mean position in the solid [m].
    pub centroid: Vec3,
    /// Integral of r rᵀ over the volume, r from the centroid [m⁵].
    pub second_moment: Mat3,
}

impl SolidIntegrals {
    /// Integral of |r|² I - r rᵀ about the centroid [m⁵]: times the density, the rotational inertia.
    pub fn volume_inertia(&self) -> Mat3 {
        Mat3::from_diagonal_element(self.second_moment.trace()) - self.second_moment
    }
}

impl SurfaceMesh {
    /// The middle of the bounding box: sums are taken relative to it, so that a small solid far
    /// from the origin loses no digits to cancellation.
    fn local_origin(&self) -> Vec3 {
        self.bounding_box().map_or(Vec3::zeros(), |[lo, hi]| lo + 0.5 * (hi - lo))
    }

    /// Area and mean position of the surface; it need not be closed.
    pub fn surface_integrals(&self) -> SurfaceIntegrals {
        let origin = self.local_origin();
        let (mut area, mut moment) = (0.0, Vec3::zeros());
        for t in 0..self.triangles().len() {
            let [a, b, c] = self.corners(t).map(|p| p - origin);
            let part = 0.5 * (b - a).cross(&(c - a)).norm();
            area += part;
            moment += (a + b + c) * (part / 3.0);
        }
        let offset = if area > 0.0 { moment / area } else { Vec3::zeros() };
        SurfaceIntegrals { area, centroid: origin + offset }
    }

    /// Volume inside, negative if the surface is inside-out [m³]; has a meaning for closed ones.
    pub fn signed_volume(&self) -> f64 {
        self.moments(&self.local_origin()).0
    }

    /// The sum of [`signed_volume`](Self::signed_volume), about `origin`: the same for closed ones.
    pub(super) fn signed_volume_about(&self, origin: &Vec3) -> f64 {
        self.moments(origin).0
    }

    /// Volume, centroid and second moment of the solid inside.
    ///
    /// # Errors
    /// A surface that is open, winds inconsistently, or encloses no positive volume.
    pub fn solid_integrals(&self) -> Result<SolidIntegrals, GeometryError> {
        let topology = self.topology();
        if !topology.is_closed() {
            return Err(GeometryError::NotClosed {
                triangle_count: self.triangles().len(),
                open_edges: topology.open_edges,
                inconsistent_edges: topology.inconsistent_edges,
            });
        }
        let origin = self.local_origin();
        let (volume, first, _) = self.moments(&origin);
        if !(volume > 0.0 && volume.is_finite()) {
            return Err(GeometryError::NotPositive { volume });
        }
        let centroid = origin + first / volume;
        // A second sweep about the centroid itself: nothing large is subtracted.
        let (_, _, second_moment) = self.moments(&centroid);
        Ok(SolidIntegrals { volume, centroid, second_moment })
    }

    /// Integrals of 1, r and r rᵀ over the solid, r from `origin`. A tetrahedron (o, a, b, c) of
    /// volume V has the moments V s / 4 and V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20, s = a + b + c.
    fn moments(&self, origin: &Vec3) -> (f64, Vec3, Mat3) {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for t in 0..self.triangles().len() {
            let [a, b, c] = self.corners(t).map(|p| p - origin);
            let part = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += sum * (0.25 * part);
            let outer = |v: &Vec3| v * v.transpose();
            second += (outer(&a) + outer(&b) + outer(&c) + outer(&sum)) * (part / 20.0);
        }
        (volume, first, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{cuboid_mesh, ellipsoid_mesh, icosphere_mesh};
    use nalgebra::Rotation3;

    /// An oblique tetrahedron, and its integrals by an affine map of the unit one.
    fn oblique() -> (SurfaceMesh, Mat3) {
        let map = Mat3::new(1.0, 0.3, -0.2, 0.1, 2.0, 0.4, 0.0, -0.5, 0.7);
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let unit = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = SurfaceMesh::new(corners.to_vec(), unit).unwrap();
        (mesh.transformed(&map, &Vec3::new(3.0, -2.0, 1.0)).unwrap(), map)
    }

    #[test]
    fn moments_of_a_tetrahedron_are_those_of_the_mapped_unit_one() {
        let (mesh, map) = oblique();
        let solid = mesh.solid_integrals().unwrap();
        let volume = map.determinant() / 6.0;
        assert!((solid.volume - volume).abs() < 1e-14 * volume);
        let centroid = map * Vec3::repeat(0.25) + Vec3::new(3.0, -2.0, 1.0);
        assert!((solid.centroid - centroid).norm() < 1e-14);
        // Unit tetrahedron: int x² = 1/60, int x y = 1/120, about the centroid (less 1/96 each).
        let unit = Mat3::from_element(1.0 / 120.0 - 1.0 / 96.0) + Mat3::identity() / 120.0;
        let second = map * unit * map.transpose() * map.determinant();
        assert!((solid.second_moment - second).norm() < 1e-13 * second.norm());
    }

    #[test]
    fn a_turned_box_has_its_analytic_inertia() {
        let size = Vec3::new(0.2, 0.04, 0.1);
        let turn = Rotation3::new(Vec3::new(0.3, -1.1, 0.7)).into_inner();
        let mesh = cuboid_mesh(&size).unwrap().transformed(&turn, &Vec3::x()).unwrap();
        let solid = mesh.solid_integrals().unwrap();
        let square = size.component_mul(&size) * (solid.volume / 12.0);
        let local = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
        let inertia = turn * Mat3::from_diagonal(&local) * turn.transpose();
        assert!((solid.volume_inertia() - inertia).norm() < 1e-14 * inertia.norm());
        let area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
        assert!((mesh.surface_integrals().area - area).abs() < 1e-14 * area);
        assert!((mesh.surface_integrals().centroid - Vec3::x()).norm() < 1e-15);
    }

    /// A mandible's size, 100 m away (a scan in a world of its own): coordinates there carry 1e-14 m,
    /// one part in 1e13 of the size; sums about the world's origin would lose nine digits of the moment.
    #[test]
    fn a_small_solid_far_from_the_origin_keeps_its_digits() {
        let near = ellipsoid_mesh(&Vec3::new(0.06, 0.05, 0.03), 3).unwrap();
        let offset = Vec3::new(100.0, -70.0, 40.0);
        let far = near.transformed(&Mat3::identity(), &offset).unwrap();
        let (a, b) = (near.solid_integrals().unwrap(), far.solid_integrals().unwrap());
        assert!((a.volume - b.volume).abs() < 1e-11 * a.volume);
        assert!((a.centroid + offset - b.centroid).norm() < 1e-13);
        assert!((a.second_moment - b.second_moment).norm() < 1e-11 * a.second_moment.norm());
    }

    #[test]
    fn a_sphere_of_triangles_approaches_the_sphere_with_second_order() {
        let exact = 4.0 / 3.0 * std::f64::consts::PI;
        let error = |n| 1.0 - icosphere_mesh(1.0, n).unwrap().signed_volume() / exact;
        let order = (error(2) / error(3)).log2();
        assert!((order - 2.0).abs() < 0.05, "order {order}");
    }

    #[test]
    fn a_surface_that_bounds_nothing_is_refused_with_the_reason() {
        let (mesh, _) = oblique();
        let open = SurfaceMesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec());
        let error = open.unwrap().solid_integrals().unwrap_err();
        assert!(error.to_string().contains("3 open edges"), "{error}");
        let error = mesh.flipped().solid_integrals().unwrap_err();
        assert!(matches!(error, GeometryError::NotPositive { volume } if volume < 0.0));
        assert!(SurfaceMesh::default().solid_integrals().is_err());
    }
}
