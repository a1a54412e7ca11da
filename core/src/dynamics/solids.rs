//! Inertia of analytic solids of uniform density about the origin, axes along z (Goldstein2002; the
//! moments of the capsule are those of its parts by parallel axes).

use super::{InertiaError, SpatialInertia};
use crate::{Mat3, Vec3};

impl SpatialInertia {
    /// Of a solid box of edges `size` [m] and mass [kg].
    ///
    /// # Errors
    /// A mass or length that gives no valid inertia.
    pub fn of_box(mass: f64, size: &Vec3) -> Result<Self, InertiaError> {
        check("edge of the box", size.as_slice())?;
        Self::of_second_moments(mass, &(size.component_mul(size) / 12.0))
    }

    /// Of a solid sphere of `radius` [m] and mass [kg].
    ///
    /// # Errors
    /// A mass or radius that is not positive.
    pub fn of_sphere(mass: f64, radius: f64) -> Result<Self, InertiaError> {
        Self::of_ellipsoid(mass, &Vec3::repeat(radius))
    }

    /// Of a solid ellipsoid of these half axes [m] and mass [kg].
    ///
    /// # Errors
    /// A mass or half axis that gives no valid inertia.
    pub fn of_ellipsoid(mass: f64, half_axes: &Vec3) -> Result<Self, InertiaError> {
        check("half axis of the ellipsoid", half_axes.as_slice())?;
        Self::of_second_moments(mass, &(half_axes.component_mul(half_axes) / 5.0))
    }

    /// Of a solid cylinder of `radius` and `length` [m] along z and mass [kg].
    ///
    /// # Errors
    /// A mass, radius or length that gives no valid inertia.
    pub fn of_cylinder(mass: f64, radius: f64, length: f64) -> Result<Self, InertiaError> {
        check("radius or length of the cylinder", &[radius, length])?;
        let across = radius * radius / 4.0;
        Self::of_second_moments(mass, &Vec3::new(across, across, length * length / 12.0))
    }

    /// Of a solid capsule: a cylinder of `radius` and `length` [m] along z between half spheres, all
    /// of mass [kg].
    ///
    /// # Errors
    /// A mass, radius or length that gives no valid inertia.
    pub fn of_capsule(mass: f64, radius: f64, length: f64) -> Result<Self, InertiaError> {
        check("radius or length of the capsule", &[radius, length])?;
        // Volumes over pi r², and second moments per volume; a half sphere's centroid lies 3/8 r
        // from its flat face, about which its second moment is r²/5.
        let (r, l, column, ball) = (radius, length, length, 4.0 / 3.0 * radius);
        let across = column * r * r / 4.0 + ball * r * r / 5.0;
        let along = column * l * l / 12.0 + ball * (r * r / 5.0 + l * l / 4.0 + 0.375 * r * l);
        Self::of_second_moments(mass, &(Vec3::new(across, across, along) / (column + ball)))
    }

    /// Of second moments per mass along the axes [m²].
    fn of_second_moments(mass: f64, second: &Vec3) -> Result<Self, InertiaError> {
        let rotational = Vec3::repeat(second.sum()) - second;
        Self::new(mass, Vec3::zeros(), Mat3::from_diagonal(&(rotational * mass)))
    }
}

fn check(name: &'static str, lengths: &[f64]) -> Result<(), InertiaError> {
    match lengths.iter().find(|&&l| !(l > 0.0 && l.is_finite())) {
        Some(&given) => Err(InertiaError::NotPositive { name, given }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{SurfaceMesh, capsule_mesh, cylinder_mesh, ellipsoid_mesh};

    /// Formulas against fine meshes of the same mass: meshes are inscribed, so their moments are
    /// too small by up to 2e-3 of their size, as second moments are.
    #[test]
    fn formulas_are_those_of_fine_meshes() {
        let (m, r, l) = (2.5, 0.3, 0.8);
        let axes = Vec3::new(0.2, 0.3, 0.5);
        let pairs: [(SpatialInertia, SurfaceMesh); 4] = [
            (
                SpatialInertia::of_sphere(m, r).unwrap(),
                ellipsoid_mesh(&Vec3::repeat(r), 5).unwrap(),
            ),
            (SpatialInertia::of_ellipsoid(m, &axes).unwrap(), ellipsoid_mesh(&axes, 5).unwrap()),
            (SpatialInertia::of_cylinder(m, r, l).unwrap(), cylinder_mesh(r, l, 256).unwrap()),
            (SpatialInertia::of_capsule(m, r, l).unwrap(), capsule_mesh(r, l, 256).unwrap()),
        ];
        for (formula, mesh) in pairs {
            let meshed = SpatialInertia::from_mesh_mass(&mesh, m).unwrap();
            for i in 0..3 {
                let [a, b] = [meshed, formula].map(|s| s.rotational()[(i, i)]);
                assert!((a / b - 1.0).abs() < 2e-3, "axis {i}: mesh {a}, formula {b}");
            }
        }
    }

    #[test]
    fn textbook_values() {
        let sphere = SpatialInertia::of_sphere(2.0, 0.5).unwrap().rotational();
        assert!((sphere - Mat3::identity() * 0.2).norm() < 1e-16);
        let cylinder = SpatialInertia::of_cylinder(2.0, 0.5, 3.0).unwrap().rotational();
        assert!((cylinder.m33 - 0.25).abs() < 1e-15);
        assert!((cylinder.m11 - 2.0 * (3.0 * 0.25 + 9.0) / 12.0).abs() < 1e-15);
        assert!(SpatialInertia::of_sphere(1.0, 0.0).is_err());
        assert!(SpatialInertia::of_box(1.0, &Vec3::new(1.0, -1.0, 1.0)).is_err());
    }
}
