//! Constitutive laws of soft tissue: energy -> Cauchy stress -> spatial tangent, at a point.
//! One file a law, one variant in [`MaterialSpec`]. Voigt order: xx, yy, zz, xy, yz, xz, full
//! tensor components (no factor 2 in the tangent).

use nalgebra::{Matrix3, Matrix6};

use crate::{Real, lit};

mod by_name;
mod corotated;
mod linear;
mod mooney_rivlin;
mod neo_hookean;
mod polar;
mod spec;
mod st_venant_kirchhoff;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_reference;
mod voigt;

pub(crate) use by_name::{CONSTANTS, material_constant, set_material_constant};
pub use corotated::Corotated;
pub use linear::Linear;
pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;
pub use polar::polar_rotation;
pub use spec::{Isotropic, MaterialError, MaterialSpec, MooneyRivlinConstants};
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use voigt::{VOIGT, from_voigt, to_voigt};

/// What a law is evaluated at: the deformation of one point, built from the displacement gradient
/// `H = F - I` so that small strains keep their digits in f32.
#[derive(Clone, Copy, Debug)]
pub struct Deformation<T: Real> {
    /// Displacement gradient H [-], row = component, column = reference direction.
    pub h: Matrix3<T>,
    /// Deformation gradient F = I + H [-].
    pub f: Matrix3<T>,
    /// Volume ratio J = det F [-].
    pub j: T,
}

impl<T: Real> Deformation<T> {
    /// From the displacement gradient.
    #[inline(always)]
    pub fn new(h: Matrix3<T>) -> Self {
        let f = h + Matrix3::identity();
        Self { h, f, j: f.determinant() }
    }

    /// Green-Lagrange strain E = (H + Hᵀ + HᵀH) / 2 [-].
    #[inline(always)]
    pub fn green_strain(&self) -> Matrix3<T> {
        (self.h + self.h.transpose() + self.h.transpose() * self.h) * lit::<T>(0.5)
    }

    /// J - 1 - tr H = (tr² H - tr H²) / 2 + det H [-].
    #[inline(always)]
    pub fn volume_change_beyond_trace(&self) -> T {
        let h = &self.h;
        let xy = h.m11 * h.m22 - h.m12 * h.m21;
        let yz = h.m22 * h.m33 - h.m23 * h.m32;
        let xz = h.m11 * h.m33 - h.m13 * h.m31;
        xy + yz + xz + h.determinant()
    }

    /// J - 1 [-], with all digits at small strain.
    #[inline(always)]
    pub fn volume_change(&self) -> T {
        self.h.trace() + self.volume_change_beyond_trace()
    }

    /// b - I = H + Hᵀ + HHᵀ [-], twice the left counterpart of the Green-Lagrange strain.
    #[inline(always)]
    pub fn left_strain(&self) -> Matrix3<T> {
        self.h + self.h.transpose() + self.h * self.h.transpose()
    }
}

/// A constitutive law at one point.
pub trait Material<T: Real>: Copy + Send + Sync {
    /// Whether the law is undefined for J <= 0 (an inverted point is then an error of the step).
    const NEEDS_POSITIVE_VOLUME: bool;

    /// Strain energy per reference volume W [J/m³].
    fn energy(&self, d: &Deformation<T>) -> T;

    /// Cauchy stress [Pa].
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T>;

    /// Cauchy stress [Pa] and spatial tangent [Pa], the latter with both minor symmetries.
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>);
}

/// `with_law!(spec, T, law => expression)` evaluates the expression with `law` bound to the
/// [`Material`] over the scalar `T` that a [`MaterialSpec`] describes.
/// For tests that visit every law.
#[cfg(test)]
macro_rules! with_law {
    ($spec:expr, $T:ty, $law:ident => $body:expr) => {{
        use $crate::material as m;
        match $spec {
            m::MaterialSpec::Linear(constants) => {
                let $law = m::Linear::<$T>::new(constants);
                $body
            }
            m::MaterialSpec::Corotated(constants) => {
                let $law = m::Corotated::<$T>::new(constants);
                $body
            }
            m::MaterialSpec::StVenantKirchhoff(constants) => {
                let $law = m::StVenantKirchhoff::<$T>::new(constants);
                $body
            }
            m::MaterialSpec::NeoHookean(constants) => {
                let $law = m::NeoHookean::<$T>::new(constants);
                $body
            }
            m::MaterialSpec::MooneyRivlin(constants) => {
                let $law = m::MooneyRivlin::<$T>::new(constants);
                $body
            }
        }
    }};
}
#[cfg(test)]
pub(crate) use with_law;
