//! Compressible neo-Hookean: W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)²,
//! J sigma = mu (b - I) + lambda ln J I, J c = lambda I⊗I + 2 (mu - lambda ln J) 𝕀.

use nalgebra::{Matrix3, Matrix6};

use super::{Axes, Deformation, Isotropic, LawKind, Material, Unpack, VolumeEnergy, voigt};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "neohook",
    aliases: &["neo_hookean", "neohookean"],
    doc: "Compressible neo-Hookean: W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)².",
    source: "BonetWood2008",
    constants: Isotropic::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "neo_hookean",
    volume: Some(VolumeEnergy::Logarithmic(0)),
};

/// The compressible neo-Hookean law (Bonet and Wood).
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean<T: Real> {
    lambda: T,
    mu: T,
}

impl<T: Real> NeoHookean<T> {
    #[inline(always)]
    fn stress_with(&self, d: &Deformation<T>, log_j: T) -> Matrix3<T> {
        let pressure = Matrix3::from_diagonal_element(self.lambda * log_j);
        (d.left_strain() * self.mu + pressure) / d.j
    }
}

impl<T: Real> Unpack<T> for NeoHookean<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { lambda: lit(packed[0]), mu: lit(packed[1]) }
    }
}

impl<T: Real> Material<T> for NeoHookean<T> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let half = lit::<T>(0.5);
        let x = d.volume_change();
        let log_j = x.ln_1p();
        // (I1 - 3)/2 - ln J with the parts of first order, tr H and J - 1, taken out of both.
        let shear =
            d.h.norm_squared() * half - d.volume_change_beyond_trace() + minus_log(x, log_j);
        self.mu * shear + half * self.lambda * log_j * log_j
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        self.stress_with(d, d.volume_change().ln_1p())
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let log_j = d.volume_change().ln_1p();
        let mu = self.mu - self.lambda * log_j;
        (self.stress_with(d, log_j), voigt::isotropic(self.lambda / d.j, mu / d.j))
    }
}

/// x - ln(1 + x), for small x by the series of ln(1 + x) = 2 artanh(x / (2 + x)).
#[inline]
pub(super) fn minus_log<T: Real>(x: T, log: T) -> T {
    if x.abs() > lit(0.05) {
        return x - log;
    }
    let s = x / (x + lit(2.0));
    let q = s * s;
    // With |s| <= 0.026 the term after 1/11 q⁴ is below 1e-17 of the sum.
    let series = [1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0]
        .iter()
        .fold(T::zero(), |sum, &c| sum * q + lit(c));
    x * s - lit::<T>(2.0) * s * q * series
}
