//! The fibres of Blemker, Pinsky and Delp (Blemker2005).

use super::constants::{Unfit, material_constants};
use super::fibre::{Crimp, FibreEnergy, IsochoricFibre, crimp_slope};
use super::isochoric::Decoupled;
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "blemker_muscle",
    aliases: &["blemker"],
    doc: "Blemker's muscle over the isochoric stretch, n = λ̄/λ0: W' = smax/λ0 (p + a f), p = P1 (exp(P2 (n - 1)) - 1) for n > 1, from the maximum stretch on its tangent; f = 9 (n - 0.4)² for 0.4 < n <= 0.6, 1 - 4 (1 - n)² to 1.4, 9 (n - 1.6)² to 1.6.",
    source: "Blemker2005",
    constants: BlemkerMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "blemker_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    BlemkerMuscleConstants {
        /// Stress of fibres that are fully active, at their optimal stretch
        max_stress: f64 = 3e5, 3e4, "Pa", NOT_NEGATIVE;
        /// Optimal stretch λ0
        optimal_stretch: f64 = 1.0, 1.05, "-", POSITIVE;
        /// Coefficient P1 of the passive force
        exp_stress_coefficient: f64 = 0.05, 0.05, "-", NOT_NEGATIVE;
        /// Exponent P2 of the passive force, how fast crimped fibres straighten
        uncrimping_factor: f64 = 6.6, 6.6, "-", POSITIVE;
        /// Stretch from which on the passive force is linear, the optimal stretch or more
        max_stretch: f64 = 1.4, 1.4, "-", POSITIVE;
    }
    |c| vec![
        c.max_stress,
        c.optimal_stretch,
        c.exp_stress_coefficient,
        c.uncrimping_factor,
        c.max_stretch,
        crimp_slope([c.exp_stress_coefficient, c.uncrimping_factor], c.max_stretch / c.optimal_stretch),
    ],
    together |c| (c.max_stretch < c.optimal_stretch).then_some(Unfit {
        parameter: "max_stretch",
        value: c.max_stretch,
        must: "optimal_stretch or more: the passive force begins at the optimal stretch",
    })
}

/// The law.
pub type BlemkerMuscle<T> = Decoupled<IsochoricFibre<BlemkerMuscleEnergy<T>>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct BlemkerMuscleEnergy<T: Real> {
    max_stress: T,
    optimal: T,
    crimp: Crimp<T>,
}

/// The active force over its maximum and its slope by n.
#[inline(always)]
fn active_force<T: Real>(n: T) -> [T; 2] {
    let square = |x: T, factor: f64| [x * x * lit(factor), x * lit(2.0 * factor)];
    if n <= lit(0.4) || n >= lit(1.6) {
        [T::zero(); 2]
    } else if n <= lit(0.6) {
        square(n - lit(0.4), 9.0)
    } else if n < lit(1.4) {
        let [below, slope] = square(n - T::one(), 4.0);
        [T::one() - below, -slope]
    } else {
        square(n - lit(1.6), 9.0)
    }
}

/// Integral of the active force by n.
#[inline(always)]
fn active_work<T: Real>(n: T) -> T {
    let cube = |x: T, factor: f64| x * x * x * lit(factor);
    // Work of the rising part, 0.024; of the middle one, 0.8 - 8/3 0.4³.
    let (rise, middle) = (0.024, 0.8 - 8.0 / 3.0 * 0.064);
    if n <= lit(0.4) {
        T::zero()
    } else if n <= lit(0.6) {
        cube(n - lit(0.4), 3.0)
    } else if n < lit(1.4) {
        lit::<T>(rise + 0.4 - 4.0 / 3.0 * 0.064) + (n - T::one()) - cube(n - T::one(), 4.0 / 3.0)
    } else if n < lit(1.6) {
        lit::<T>(rise + middle + rise) + cube(n - lit(1.6), 3.0)
    } else {
        lit(rise + middle + rise)
    }
}

impl<T: Real> FibreEnergy<T> for BlemkerMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self {
            max_stress: lit(packed[0]),
            optimal: lit(packed[1]),
            crimp: Crimp::new([packed[2], packed[3]], packed[4] / packed[1], packed[5]),
        }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        let n = stretch / self.optimal;
        let rest = active_work(T::one() / self.optimal);
        let passive = self.crimp.energy(n - T::one());
        self.max_stress * (passive + activation * (active_work(n) - rest))
    }

    #[inline(always)]
    fn tension(&self, stretch: T, activation: T) -> [T; 2] {
        let n = stretch / self.optimal;
        let [active, active_slope] = active_force(n);
        let [passive, passive_slope] = self.crimp.force(n - T::one());
        let force = passive + activation * active;
        let slope = passive_slope + activation * active_slope;
        [self.max_stress * n * force, self.max_stress * n * (force + n * slope)]
    }
}
