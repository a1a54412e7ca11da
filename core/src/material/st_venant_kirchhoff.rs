//! St. Venant-Kirchhoff: W = lambda/2 tr(E)² + mu E:E with the Green-Lagrange strain E,
//! S = lambda tr(E) I + 2 mu E, sigma = F S Fᵀ / J, c = (lambda b⊗b + mu b⊙b) / J.

use nalgebra::{Matrix3, Matrix6};

use super::linear::{hooke, quadratic_energy};
use super::{Axes, Deformation, Isotropic, LawKind, Material, Unpack, to_voigt, voigt};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "stvk",
    aliases: &["st_venant_kirchhoff", "saint_venant_kirchhoff"],
    doc: "St. Venant-Kirchhoff, for large rotations and moderate strains: W = lambda/2 tr(E)² + mu E:E with the Green-Lagrange strain E. It softens in compression, below a stretch of 1/√3.",
    source: "BonetWood2008",
    constants: Isotropic::LIST,
    needs_positive_volume: false,
    axes: Axes::None,
    muscle: false,
    kernel: "st_venant_kirchhoff",
    volume: None,
};

/// The St. Venant-Kirchhoff law: for large rotations, moderate strains. It softens in compression
/// (below a stretch of 1/√3) and has no barrier against inversion.
#[derive(Clone, Copy, Debug)]
pub struct StVenantKirchhoff<T: Real> {
    lambda: T,
    mu: T,
}

impl<T: Real> Unpack<T> for StVenantKirchhoff<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { lambda: lit(packed[0]), mu: lit(packed[1]) }
    }
}

impl<T: Real> Material<T> for StVenantKirchhoff<T> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        quadratic_energy(&d.green_strain(), self.lambda, self.mu)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        d.f * hooke(&d.green_strain(), self.lambda, self.mu) * d.f.transpose() / d.j
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let b = d.left_strain() + Matrix3::identity();
        let v = to_voigt(&b);
        let c = v * v.transpose() * self.lambda + voigt::double_product(&b) * self.mu;
        (self.stress(d), c / d.j)
    }
}
