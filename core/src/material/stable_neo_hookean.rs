//! The neo-Hookean law that keeps its value through inversion (SmithDeGoesKim2018):
//! W = m/2 (I1 - 3) - m/2 ln((I1 + 1)/4) + l/2 (J - 1)² - 3/4 m (J - 1), with m = 4/3 mu and
//! l = lambda + 5/6 mu so that lambda and mu are Lamé's constants at rest.

use nalgebra::{Matrix3, Matrix6};

use super::neo_hookean::minus_log;
use super::{
    Axes, Deformation, Isotropic, LawKind, Material, Unpack, VolumeEnergy, to_voigt, voigt,
};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "neohook_stable",
    aliases: &["stable_neo_hookean", "stable_neohookean"],
    doc: "Stable neo-Hookean, which has a value and resists when it is inverted: W = m/2 (I1 - 3) - m/2 ln((I1 + 1)/4) + l/2 (J - 1)² - 3/4 m (J - 1), m = 4/3 mu, l = lambda + 5/6 mu.",
    source: "SmithDeGoesKim2018",
    constants: Isotropic::LIST,
    needs_positive_volume: false,
    axes: Axes::None,
    muscle: false,
    kernel: "stable_neo_hookean",
    volume: Some(VolumeEnergy::Quadratic(0)),
};

/// The stable neo-Hookean law.
#[derive(Clone, Copy, Debug)]
pub struct StableNeoHookean<T: Real> {
    l: T,
    m: T,
}

impl<T: Real> Unpack<T> for StableNeoHookean<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [lambda, mu] = [packed[0], packed[1]];
        Self { l: lit(lambda + 5.0 / 6.0 * mu), m: lit(4.0 / 3.0 * mu) }
    }
}

impl<T: Real> Material<T> for StableNeoHookean<T> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let half = lit::<T>(0.5);
        let (change, quarter) = (d.volume_change(), d.left_strain().trace() * lit(0.25));
        // Parts of first order are taken out of I1 - 3 and J - 1.
        let shear = (d.h.norm_squared() * half - d.volume_change_beyond_trace()) * lit(0.75)
            + minus_log(quarter, quarter.ln_1p()) * half;
        self.m * shear + half * self.l * change * change
    }

    /// J sigma = m (3/4 (b - I - (J - 1) I) + (I1 - 3)/(4 (I1 + 1)) b) + l J (J - 1) I.
    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let (change, left) = (d.volume_change(), d.left_strain());
        let excess = left.trace() / ((left.trace() + lit(4.0)) * lit(4.0));
        let stiff = Matrix3::from_diagonal_element(change);
        let shear = (left - stiff) * lit::<T>(0.75) + (left + Matrix3::identity()) * excess;
        shear * (self.m / d.j) + stiff * self.l
    }

    /// c = 2m/(J (I1 + 1)²) b⊗b + (p + J l) I⊗I - 2p 𝕀, p = l (J - 1) - 3/4 m.
    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let left = d.left_strain();
        let i1 = left.trace() + lit(4.0);
        let pressure = self.l * d.volume_change() - self.m * lit(0.75);
        let b = to_voigt(&(left + Matrix3::identity()));
        let c = b * b.transpose() * (self.m * lit(2.0) / (d.j * i1 * i1))
            + voigt::isotropic(pressure + d.j * self.l, -pressure);
        (self.stress(d), c)
    }
}
