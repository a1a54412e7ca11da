//! Small-strain linear elasticity: eps = (H + Hᵀ)/2, sigma = lambda tr(eps) I + 2 mu eps.
//! Right for small rotations only; [`super::Corotated`] is the one for tissue that turns.

use nalgebra::{Matrix3, Matrix6};

use super::{
    Axes, Deformation, Isotropic, LawFrame, LawKind, Material, Unpack, VolumeEnergy, voigt,
};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "linear",
    aliases: &["linear_elastic"],
    doc: "Small-strain linear elasticity, for small rotations: W = lambda/2 tr(e)² + mu e:e, e = sym H. Its stress stands for the Cauchy stress without division by J.",
    source: "Hughes2000",
    constants: Isotropic::LIST,
    needs_positive_volume: false,
    axes: Axes::None,
    muscle: false,
    kernel: "linear",
    volume: Some(VolumeEnergy::Trace(0)),
};

/// Linear elasticity. Its stress stands for the Cauchy stress as it is, without division by J.
#[derive(Clone, Copy, Debug)]
pub struct Linear<T: Real> {
    lambda: T,
    mu: T,
}

impl<T: Real> Linear<T> {
    #[inline]
    fn strain(d: &Deformation<T>) -> Matrix3<T> {
        (d.h + d.h.transpose()) * lit::<T>(0.5)
    }
}

impl<T: Real> Unpack<T> for Linear<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { lambda: lit(packed[0]), mu: lit(packed[1]) }
    }
}

impl<T: Real> Material<T> for Linear<T> {
    fn frame(&self) -> LawFrame {
        LawFrame::Rest
    }

    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        quadratic_energy(&Self::strain(d), self.lambda, self.mu)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        hooke(&Self::strain(d), self.lambda, self.mu)
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        (self.stress(d), voigt::isotropic(self.lambda, self.mu))
    }
}

/// Hooke's law: lambda tr(e) I + 2 mu e.
#[inline(always)]
pub(super) fn hooke<T: Real>(e: &Matrix3<T>, lambda: T, mu: T) -> Matrix3<T> {
    e * (mu + mu) + Matrix3::from_diagonal_element(lambda * e.trace())
}

/// lambda/2 tr(e)² + mu e:e.
#[inline(always)]
pub(super) fn quadratic_energy<T: Real>(e: &Matrix3<T>, lambda: T, mu: T) -> T {
    let trace = e.trace();
    lit::<T>(0.5) * lambda * trace * trace + mu * e.norm_squared()
}
