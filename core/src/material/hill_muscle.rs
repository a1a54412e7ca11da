//! Hill-type active stress in tissue: force-length curve of a Gaussian bell, passive exponential
//! (Thelen2003).

use super::constants::material_constants;
use super::fibre::{FibreEnergy, IsochoricFibre};
use super::isochoric::Decoupled;
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "hill_muscle",
    aliases: &["hill"],
    doc: "Hill-type muscle over the isochoric stretch, n = λ̄/λ0: W' = smax/λ0 (p + a exp(-(n - 1)²/gamma)), p = (exp(k (n - 1)/e0) - 1)/(exp k - 1) for n > 1. Quasi-static: the force does not depend on the velocity.",
    source: "Thelen2003",
    constants: HillMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "hill_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    HillMuscleConstants {
        /// Stress of fibres that are fully active, at their optimal stretch
        max_stress: f64 = 3e5, 3e4, "Pa", NOT_NEGATIVE;
        /// Optimal stretch λ0
        optimal_stretch: f64 = 1.0, 1.05, "-", POSITIVE;
        /// Width gamma of the force-length curve
        width: f64 = 0.45, 0.45, "-", POSITIVE;
        /// Strain e0 at which the passive force is the maximum force
        passive_strain: f64 = 0.6, 0.6, "-", POSITIVE;
        /// Exponent k of the passive force
        passive_exponent: f64 = 4.0, 4.0, "-", POSITIVE;
    }
    |c| vec![
        c.max_stress,
        c.optimal_stretch,
        1.0 / c.width,
        1.0 / c.passive_exponent.exp_m1(),
        c.passive_exponent / c.passive_strain,
    ]
}

/// The law.
pub type HillMuscle<T> = Decoupled<IsochoricFibre<HillMuscleEnergy<T>>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct HillMuscleEnergy<T: Real> {
    max_stress: T,
    optimal: T,
    narrowness: T,
    p1: T,
    p2: T,
}

impl<T: Real> FibreEnergy<T> for HillMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [max_stress, optimal, narrowness, p1, p2] = std::array::from_fn(|k| lit(packed[k]));
        Self { max_stress, optimal, narrowness, p1, p2 }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        let (n, rest) = (stretch / self.optimal, T::one() / self.optimal);
        let passive = |x: T| {
            if x <= T::zero() {
                T::zero()
            } else {
                self.p1 * ((self.p2 * x).exp_m1() / self.p2 - x)
            }
        };
        // The bell by Simpson's rule: smooth, and never needed to more than some ten digits.
        let step = (n - rest) * lit(1.0 / 64.0);
        let bell = |k: u32| {
            let x = rest + step * lit(f64::from(k)) - T::one();
            (-x * x * self.narrowness).exp()
        };
        let weight = |k: u32| {
            if k == 0 || k == 64 {
                1.0
            } else if k % 2 == 1 {
                4.0
            } else {
                2.0
            }
        };
        let sum = (0..=64).fold(T::zero(), |sum, k| sum + bell(k) * lit(weight(k)));
        let one = T::one();
        self.max_stress
            * (passive(n - one) - passive(rest - one) + activation * sum * step * lit(1.0 / 3.0))
    }

    #[inline(always)]
    fn tension(&self, stretch: T, activation: T) -> [T; 2] {
        let n = stretch / self.optimal;
        let x = n - T::one();
        let bell = (-x * x * self.narrowness).exp();
        let bell_slope = -(x + x) * self.narrowness * bell;
        let stiff = self.p1 * (self.p2 * x).exp();
        let [passive, passive_slope] =
            if x > T::zero() { [stiff - self.p1, stiff * self.p2] } else { [T::zero(); 2] };
        let force = passive + activation * bell;
        let slope = passive_slope + activation * bell_slope;
        [self.max_stress * n * force, self.max_stress * n * (force + n * slope)]
    }
}
