//! Linear elasticity in the frame that turns with the point: F = RU, eps = U - I,
//! sigma = R (lambda tr(eps) I + 2 mu eps) Rᵀ.

use nalgebra::{Matrix3, Matrix6};

use super::linear::{hooke, quadratic_energy};
use super::{
    Axes, Deformation, Isotropic, LawFrame, LawKind, Material, Unpack, VolumeEnergy,
    polar_rotation, voigt,
};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "corot",
    aliases: &["corotated", "corotated_linear"],
    doc: "Linear elasticity in the frame R that turns with the element, for large rotations and small strains: W = lambda/2 tr(e)² + mu e:e, e = U - I, F = RU. As in ArtiSynth its stress stands for the Cauchy stress without division by J, and its tangent leaves out the derivative of R.",
    source: "MuellerGross2004",
    constants: Isotropic::LIST,
    needs_positive_volume: false,
    axes: Axes::None,
    muscle: false,
    kernel: "corotated",
    volume: Some(VolumeEnergy::Trace(0)),
};

/// Corotated linear elasticity. As in ArtiSynth the turned stress stands for the Cauchy stress,
/// without division by J, and the tangent leaves out the derivative of R: it is isotropic, and so
/// the same in every frame. R is a proper rotation for inverted F too.
#[derive(Clone, Copy, Debug)]
pub struct Corotated<T: Real> {
    lambda: T,
    mu: T,
}

impl<T: Real> Corotated<T> {
    /// R and U - I. The latter comes from U² = I + 2E as E - (U - I)²/2, which keeps the digits of
    /// small strains: an error of U is multiplied by the strain.
    #[inline]
    fn rotation_and_strain(d: &Deformation<T>) -> (Matrix3<T>, Matrix3<T>) {
        let half = lit::<T>(0.5);
        let r = polar_rotation(&d.f);
        let u = r.transpose() * d.f;
        let e = (u + u.transpose()) * half - Matrix3::identity();
        (r, d.green_strain() - e * e * half)
    }
}

impl<T: Real> Unpack<T> for Corotated<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { lambda: lit(packed[0]), mu: lit(packed[1]) }
    }
}

impl<T: Real> Material<T> for Corotated<T> {
    fn frame(&self) -> LawFrame {
        LawFrame::Element
    }

    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let (_, e) = Self::rotation_and_strain(d);
        quadratic_energy(&e, self.lambda, self.mu)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let (r, e) = Self::rotation_and_strain(d);
        r * hooke(&e, self.lambda, self.mu) * r.transpose()
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        (self.stress(d), voigt::isotropic(self.lambda, self.mu))
    }

    fn unturned(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let strain = (d.h + d.h.transpose()) * lit::<T>(0.5);
        (hooke(&strain, self.lambda, self.mu), voigt::isotropic(self.lambda, self.mu))
    }
}
