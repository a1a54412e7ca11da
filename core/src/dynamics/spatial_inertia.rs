//! Mass, centre of mass and rotational inertia of a rigid body: checks, composition, change of
//! frame, and what a closed mesh gives (Featherstone2008, ch. 2).

use nalgebra::{SymmetricEigen, UnitQuaternion};

use crate::geometry::{GeometryError, SurfaceMesh};
use crate::{Mat3, Vec3};

/// Share of the largest principal moment by which rounding may break the triangle inequality or the
/// symmetry: files give moments with seven digits or so.
const TOLERANCE: f64 = 1e-6;

/// Smallest principal moment over the largest: below, the body cannot be turned back from a
/// torque with any digits left.
const SLENDEREST: f64 = 1e-12;

/// Errors of an inertia.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InertiaError {
    /// A mass or density that is not positive and finite.
    #[error("the {name} is {given}; it must be positive and finite")]
    NotPositive {
        /// Mass [kg] or density [kg/m³].
        name: &'static str,
        /// Its value.
        given: f64,
    },
    /// A number of the centre of mass or of the inertia that is not finite.
    #[error("the {name} has entries that are not finite")]
    NotFinite {
        /// Name of the number.
        name: &'static str,
    },
    /// The rotational inertia is not symmetric.
    #[error(
        "entries ({row}, {column}) and ({column}, {row}) of the rotational inertia differ: {upper} \
         and {lower} kg m²; give both products of inertia with the same sign"
    )]
    NotSymmetric {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// Entry above the diagonal.
        upper: f64,
        /// Entry below the diagonal.
        lower: f64,
    },
    /// The principal moments are not those of any distribution of mass that fills space.
    #[error(
        "principal moments ({}, {}, {}) kg m² are those of no solid: each must be positive and at \
         most the sum of the others; check units and signs of the products of inertia",
        .principal[0], .principal[1], .principal[2]
    )]
    Unphysical {
        /// Principal moments, rising [kg m²].
        principal: [f64; 3],
    },
    /// Nothing was given to compose.
    #[error("an inertia is composed of one part at least; none was given")]
    NoParts,
    /// A density or a mass is given for a body without a surface.
    #[error("a density or a mass needs a closed surface; give one, or the inertia itself")]
    NoSurface,
    /// The mesh bounds no solid.
    #[error(transparent)]
    Mesh(#[from] GeometryError),
}

/// Mass, centre of mass in the body frame, and rotational inertia about the centre of mass in the
/// axes of the body frame, which need not be principal. Physically valid by construction: positive
/// mass, positive principal moments that satisfy the triangle inequality.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Given")]
pub struct SpatialInertia {
    mass: f64,
    center: Vec3,
    rotational: Mat3,
}

/// The same, not yet checked.
#[derive(serde::Deserialize)]
struct Given {
    mass: f64,
    center: Vec3,
    rotational: Mat3,
}

impl TryFrom<Given> for SpatialInertia {
    type Error = InertiaError;

    fn try_from(given: Given) -> Result<Self, InertiaError> {
        Self::new(given.mass, given.center, given.rotational)
    }
}

impl SpatialInertia {
    /// Of mass [kg], centre of mass in the body frame [m], and rotational inertia about the centre of
    /// mass in body axes [kg m²].
    ///
    /// # Errors
    /// Numbers that are not finite, a mass that is not positive, a matrix that is not symmetric, or
    /// principal moments that no solid has.
    pub fn new(mass: f64, center: Vec3, rotational: Mat3) -> Result<Self, InertiaError> {
        check_positive("mass", mass)?;
        if center.iter().any(|c| !c.is_finite()) {
            return Err(InertiaError::NotFinite { name: "centre of mass" });
        }
        let rotational = checked(&rotational)?;
        Ok(Self { mass, center, rotational })
    }

    /// Of the solid inside a closed mesh, at a uniform density [kg/m³].
    ///
    /// # Errors
    /// A mesh that bounds no solid, or a density that is not positive.
    pub fn from_mesh_density(mesh: &SurfaceMesh, density: f64) -> Result<Self, InertiaError> {
        check_positive("density", density)?;
        let solid = mesh.solid_integrals()?;
        let rotational = solid.volume_inertia() * density;
        Self::new(solid.volume * density, solid.centroid, rotational)
    }

    /// Of the solid inside a closed mesh, at the uniform density that gives this mass [kg].
    ///
    /// # Errors
    /// A mesh that bounds no solid, or a mass that is not positive.
    pub fn from_mesh_mass(mesh: &SurfaceMesh, mass: f64) -> Result<Self, InertiaError> {
        check_positive("mass", mass)?;
        let solid = mesh.solid_integrals()?;
        Self::new(mass, solid.centroid, solid.volume_inertia() * (mass / solid.volume))
    }

    /// Of point masses: mass [kg] and position in the body frame [m] of each. They must not lie on one
    /// line.
    ///
    /// # Errors
    /// No point, a mass that is not positive, or points on a line, which have no inertia about it.
    pub fn from_point_masses(points: &[(f64, Vec3)]) -> Result<Self, InertiaError> {
        points.iter().try_for_each(|&(mass, _)| check_positive("mass", mass))?;
        let parts = points.iter().map(|&(mass, center)| (mass, center, Mat3::zeros()));
        Self::of_parts(parts)
    }

    /// Of bodies that are rigidly joined, all given in one frame.
    ///
    /// # Errors
    /// No part at all, or sums that overflow.
    pub fn composed(parts: &[Self]) -> Result<Self, InertiaError> {
        Self::of_parts(parts.iter().map(|p| (p.mass, p.center, p.rotational)))
    }

    fn of_parts(
        parts: impl Iterator<Item = (f64, Vec3, Mat3)> + Clone,
    ) -> Result<Self, InertiaError> {
        let Some((_, origin, _)) = parts.clone().next() else {
            return Err(InertiaError::NoParts);
        };
        let mass: f64 = parts.clone().map(|(m, _, _)| m).sum();
        let moment: Vec3 = parts.clone().map(|(m, c, _)| (c - origin) * m).sum();
        let center = origin + moment / mass;
        let rotational: Mat3 = parts.map(|(m, c, j)| j + point_inertia(m, &(c - center))).sum();
        Self::new(mass, center, rotational)
    }

    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Centre of mass in the body frame [m].
    pub fn center_of_mass(&self) -> Vec3 {
        self.center
    }

    /// Rotational inertia about the centre of mass in body axes [kg m²].
    pub fn rotational(&self) -> Mat3 {
        self.rotational
    }

    /// Rotational inertia about `point` of the body frame [m], in body axes [kg m²] (parallel axes).
    pub fn rotational_about(&self, point: &Vec3) -> Mat3 {
        self.rotational + point_inertia(self.mass, &(self.center - point))
    }

    /// Principal moments, rising [kg m²], and the rotation from principal to body axes.
    pub fn principal(&self) -> (Vec3, UnitQuaternion<f64>) {
        let eigen = SymmetricEigen::new(self.rotational);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let [x, y] = [order[0], order[1]].map(|i| eigen.eigenvectors.column(i).into_owned());
        let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(axes);
        let moments = order.map(|i| eigen.eigenvalues[i]);
        (Vec3::from(moments), UnitQuaternion::from_rotation_matrix(&rotation))
    }

    /// The same body, given in a frame of which the present one is turned by `rotation` and whose
    /// origin lies at minus `translation` [m]: x -> rotation x + translation.
    #[must_use]
    pub fn transformed(&self, rotation: &UnitQuaternion<f64>, translation: &Vec3) -> Self {
        let r = rotation.to_rotation_matrix().into_inner();
        let rotational = symmetric_part(&(r * self.rotational * r.transpose()));
        Self { mass: self.mass, center: rotation * self.center + translation, rotational }
    }

    /// The body with all its mass times `factor` [-].
    ///
    /// # Errors
    /// A factor that is not positive and finite.
    pub fn scaled(&self, factor: f64) -> Result<Self, InertiaError> {
        check_positive("factor of the mass", factor)?;
        Self::new(self.mass * factor, self.center, self.rotational * factor)
    }
}

/// m (|r|² I - r rᵀ) [kg m²].
fn point_inertia(mass: f64, r: &Vec3) -> Mat3 {
    (Mat3::from_diagonal_element(r.norm_squared()) - r * r.transpose()) * mass
}

fn symmetric_part(m: &Mat3) -> Mat3 {
    (m + m.transpose()) * 0.5
}

fn check_positive(name: &'static str, given: f64) -> Result<(), InertiaError> {
    let is_valid = given > 0.0 && given.is_finite();
    if is_valid { Ok(()) } else { Err(InertiaError::NotPositive { name, given }) }
}

/// The symmetric part of `rotational`, if it is the inertia of a solid.
fn checked(rotational: &Mat3) -> Result<Mat3, InertiaError> {
    if rotational.iter().any(|e| !e.is_finite()) {
        return Err(InertiaError::NotFinite { name: "rotational inertia" });
    }
    let allowed = TOLERANCE * rotational.amax();
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (rotational[(row, column)], rotational[(column, row)]);
        if (upper - lower).abs() > allowed {
            return Err(InertiaError::NotSymmetric { row, column, upper, lower });
        }
    }
    let symmetric = symmetric_part(rotational);
    let mut principal: [f64; 3] = symmetric.symmetric_eigenvalues().into();
    principal.sort_by(f64::total_cmp);
    let [small, middle, large] = principal;
    if small <= SLENDEREST * large || small + middle < large * (1.0 - TOLERANCE) {
        return Err(InertiaError::Unphysical { principal });
    }
    Ok(symmetric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{cuboid_mesh, ellipsoid_mesh};

    fn diagonal(x: f64, y: f64, z: f64) -> Result<SpatialInertia, InertiaError> {
        SpatialInertia::new(1.0, Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(x, y, z)))
    }

    fn assert_same(a: &SpatialInertia, b: &SpatialInertia, tolerance: f64) {
        assert!((a.mass / b.mass - 1.0).abs() < tolerance, "{} {}", a.mass, b.mass);
        let length = (b.rotational.norm() / b.mass).sqrt();
        assert!((a.center - b.center).norm() < tolerance * length, "{} {}", a.center, b.center);
        let error = (a.rotational - b.rotational).norm();
        assert!(error < tolerance * b.rotational.norm(), "{} {}", a.rotational, b.rotational);
    }

    #[test]
    fn a_mesh_gives_the_same_body_by_density_and_by_mass() {
        let mesh = cuboid_mesh(&Vec3::new(0.2, 0.04, 0.04)).unwrap();
        let by_density = SpatialInertia::from_mesh_density(&mesh, 1000.0).unwrap();
        let by_mass = SpatialInertia::from_mesh_mass(&mesh, 0.32).unwrap();
        let analytic = SpatialInertia::of_box(0.32, &Vec3::new(0.2, 0.04, 0.04)).unwrap();
        assert_same(&by_density, &analytic, 1e-14);
        assert_same(&by_mass, &analytic, 1e-14);
    }

    #[test]
    fn a_body_of_two_halves_is_the_whole() {
        let whole = SpatialInertia::of_box(3.0, &Vec3::new(2.0, 0.5, 1.0)).unwrap();
        let half = SpatialInertia::of_box(1.5, &Vec3::new(1.0, 0.5, 1.0)).unwrap();
        let turned = UnitQuaternion::from_euler_angles(0.3, 0.2, -0.7);
        let offset = Vec3::new(5.0, -3.0, 2.0);
        let parts = [-0.5, 0.5].map(|x| {
            half.transformed(&UnitQuaternion::identity(), &(Vec3::x() * x))
                .transformed(&turned, &offset)
        });
        let composed = SpatialInertia::composed(&parts).unwrap();
        assert_same(&composed, &whole.transformed(&turned, &offset), 1e-14);
        assert_eq!(SpatialInertia::composed(&[]), Err(InertiaError::NoParts));
    }

    #[test]
    fn parallel_axes_give_a_rod_about_its_end() {
        let rod = SpatialInertia::of_box(2.0, &Vec3::new(3.0, 1e-3, 1e-3)).unwrap();
        let about_end = rod.rotational_about(&Vec3::new(-1.5, 0.0, 0.0));
        assert!((about_end.m22 - 2.0 * 9.0 / 3.0).abs() < 1e-5);
        assert!((about_end.m11 - rod.rotational().m11).abs() < 1e-15);
    }

    #[test]
    fn principal_moments_rise_and_their_axes_give_the_inertia_back() {
        let turned = UnitQuaternion::from_euler_angles(0.3, 0.2, -0.7);
        let body = diagonal(4.0, 2.0, 3.0).unwrap().transformed(&turned, &Vec3::zeros());
        let (moments, axes) = body.principal();
        assert!((moments - Vec3::new(2.0, 3.0, 4.0)).norm() < 1e-14);
        let back = SpatialInertia::new(1.0, Vec3::zeros(), Mat3::from_diagonal(&moments))
            .unwrap()
            .transformed(&axes, &Vec3::zeros());
        assert_same(&back, &body, 1e-14);
    }

    #[test]
    fn four_point_masses_have_the_inertia_of_their_sum() {
        let corners = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let points = corners.map(|(x, y)| (0.5, Vec3::new(7.0 + x, y, 1.0)));
        let body = SpatialInertia::from_point_masses(&points).unwrap();
        let expected = Mat3::from_diagonal(&Vec3::new(2.0, 2.0, 4.0));
        let expected = SpatialInertia::new(2.0, Vec3::new(7.0, 0.0, 1.0), expected).unwrap();
        assert_same(&body, &expected, 1e-15);
        let line = SpatialInertia::from_point_masses(&points[..2]).unwrap_err();
        assert!(matches!(line, InertiaError::Unphysical { .. }), "{line}");
    }

    #[test]
    fn a_mesh_far_away_gives_the_body_of_one_nearby() {
        let near = ellipsoid_mesh(&Vec3::new(0.06, 0.05, 0.03), 3).unwrap();
        let far = near.transformed(&Mat3::identity(), &Vec3::repeat(50.0)).unwrap();
        let [a, b] = [near, far].map(|m| SpatialInertia::from_mesh_density(&m, 1900.0).unwrap());
        // Coordinates of 50 m carry 7e-15 m, 1e-13 of the size.
        assert_same(&b, &a.transformed(&UnitQuaternion::identity(), &Vec3::repeat(50.0)), 1e-11);
    }

    #[test]
    fn moments_that_no_solid_has_are_refused_and_a_thin_plate_is_not() {
        assert!(matches!(diagonal(1.0, 1.0, 2.1), Err(InertiaError::Unphysical { .. })));
        assert!(matches!(diagonal(1.0, 1.0, -0.1), Err(InertiaError::Unphysical { .. })));
        assert!(matches!(diagonal(1.0, 1.0, 0.0), Err(InertiaError::Unphysical { .. })));
        // A plate has equality, and files round it to either side.
        assert!(diagonal(1.0, 1.0, 2.000_000_1).is_ok());
        let skewed = Mat3::new(2.0, 0.1, 0.0, -0.1, 2.0, 0.0, 0.0, 0.0, 2.0);
        let error = SpatialInertia::new(1.0, Vec3::zeros(), skewed).unwrap_err();
        assert!(matches!(error, InertiaError::NotSymmetric { row: 0, column: 1, .. }), "{error}");
        assert!(SpatialInertia::new(0.0, Vec3::zeros(), Mat3::identity()).is_err());
        assert!(SpatialInertia::new(1.0, Vec3::repeat(f64::NAN), Mat3::identity()).is_err());
    }
}
