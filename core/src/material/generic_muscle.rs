//! ArtiSynth's generic muscle: constant active stress, exponential passive one (Lloyd2012).

use super::constants::{Unfit, material_constants};
use super::fibre::{Crimp, FibreEnergy, IsochoricFibre, crimp_slope};
use super::isochoric::Decoupled;
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "generic_muscle",
    aliases: &["generic"],
    doc: "Generic muscle over the isochoric stretch: λ̄ W' = smax a + P1 (exp(P2 (λ̄ - 1)) - 1) for λ̄ > 1, from the maximum stretch on a line, whose slope is that of the latter there unless it is given: FEBio's c3 = P1, c4 = P2 and c5. As in ArtiSynth P1 is a stress.",
    source: "Lloyd2012",
    constants: GenericMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "generic_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    GenericMuscleConstants {
        /// Stress of fibres that are fully active, at their optimal stretch
        max_stress: f64 = 3e4, 3e4, "Pa", NOT_NEGATIVE;
        /// Coefficient P1 of the passive stress
        exp_stress_coefficient: f64 = 0.05, 2e3, "Pa", NOT_NEGATIVE;
        /// Exponent P2 of the passive stress, how fast crimped fibres straighten
        uncrimping_factor: f64 = 6.6, 6.6, "-", POSITIVE;
        /// Stretch from which on the passive stress is linear, 1 or more
        max_stretch: f64 = 1.4, 1.4, "-", POSITIVE;
        /// Slope of the passive stress by the stretch beyond the maximum stretch; 0 for that of the curve there
        straight_modulus: f64 = 0.0, 1e5, "Pa", NOT_NEGATIVE;
    }
    |c| vec![c.max_stress, c.exp_stress_coefficient, c.uncrimping_factor, c.max_stretch, c.line()],
    together |c| (c.max_stretch < 1.0).then_some(Unfit {
        parameter: "max_stretch",
        value: c.max_stretch,
        must: "1 or more: the passive stress begins at a stretch of 1",
    })
}

impl GenericMuscleConstants {
    /// Slope of the line [Pa].
    fn line(&self) -> f64 {
        let factors = [self.exp_stress_coefficient, self.uncrimping_factor];
        let tangent = || crimp_slope(factors, self.max_stretch);
        if self.straight_modulus > 0.0 { self.straight_modulus } else { tangent() }
    }
}

/// The law.
pub type GenericMuscle<T> = Decoupled<IsochoricFibre<GenericMuscleEnergy<T>>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct GenericMuscleEnergy<T: Real> {
    max_stress: T,
    crimp: Crimp<T>,
}

/// Points and weights of Gauss-Legendre's rule on (-1, 1).
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

impl<T: Real> FibreEnergy<T> for GenericMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let crimp = Crimp::new([packed[1], packed[2]], packed[3], packed[4]);
        Self { max_stress: lit(packed[0]), crimp }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        // The passive part, the integral of its force over λ, by Gauss-Legendre's rule of five points
        // on sixteen intervals: to rounding up to the largest stretch of tissue.
        let (x, straight) = (stretch - T::one(), self.crimp.straight());
        let width = if x < straight { x } else { straight } * lit(1.0 / 32.0);
        let mut sum = T::zero();
        if x > T::zero() {
            for (k, (at, weight)) in (0..16).flat_map(|k| GAUSS.map(|point| (k, point))) {
                let here = width * lit(f64::from(2 * k + 1) + at);
                sum += self.crimp.force(here)[0] / (T::one() + here) * width * lit(weight);
            }
        }
        if x > straight {
            let ([force, line], bent) = (self.crimp.force(straight), T::one() + straight);
            sum += line * (x - straight) + (force - line * bent) * (stretch / bent).ln();
        }
        self.max_stress * activation * stretch.ln() + sum
    }

    #[inline(always)]
    fn tension(&self, stretch: T, activation: T) -> [T; 2] {
        let [force, slope] = self.crimp.force(stretch - T::one());
        [self.max_stress * activation + force, slope * stretch]
    }
}
