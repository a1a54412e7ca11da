//! Resistance of single points whose volume is looked at elsewhere: a mean over an element or around a node says nothing of
//! a point that is squeezed flat while its neighbours swell, and no law of the shape has a value there.

use crate::material::MaterialSpec;
use crate::{Real, lit};

/// Share of its volume below which a point resists by itself [-]. The tissue does so in no physiological motion: whoever
/// loses half of the volume of a point has left what the mesh can show, and is to be brought back.
const FLAT: f64 = 0.5;
/// Modulus over the shear modulus at rest [-], that from which on a tissue counts as nearly incompressible. The energy has no
/// bound at J = 0, so that another one would change where a point stops and not whether it does.
const STIFFNESS: f64 = 98.0;

/// U(J) = -m (J - J0)² ln(J / J0) where J < J0, nothing where more is left: twice continuously differentiable, convex, without
/// a bound at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGuard<T: Real> {
    /// m [Pa].
    modulus: T,
    /// J0 [-].
    flat: T,
}

impl PointGuard<f64> {
    /// Of a law whose energy has a part of the volume alone; `None` of others, and of those that have a value at any volume.
    pub fn of(law: &MaterialSpec) -> Option<Self> {
        if !law.kind().needs_positive_volume {
            return None;
        }
        let shear = law.bulk()?.modulus() / law.bulk_over_shear()?;
        Some(Self { modulus: STIFFNESS * shear, flat: FLAT })
    }

    /// As kernels take it: m [Pa] and J0 [-].
    pub fn packed(&self) -> [f64; 2] {
        [self.modulus, self.flat]
    }

    /// Energy density at J [J/m³].
    pub(in super::super) fn energy(&self, j: f64) -> f64 {
        if j >= self.flat {
            return 0.0;
        }
        -self.modulus * (j - self.flat).powi(2) * (j / self.flat).ln()
    }
}

impl<T: Real> PointGuard<T> {
    /// From what [`PointGuard::packed`] makes; m = 0 resists nothing.
    pub fn unpack([modulus, flat]: [f64; 2]) -> Self {
        Self { modulus: lit(modulus), flat: lit(flat) }
    }

    /// U' and U'' at J [Pa].
    #[inline(always)]
    pub fn slopes(&self, j: T) -> [T; 2] {
        if j >= self.flat || self.modulus == T::zero() {
            return [T::zero(); 2];
        }
        let (below, log) = (j - self.flat, (j / self.flat).ln());
        let (two, ratio) = (lit::<T>(2.0), below / j);
        let first = -two * below * log - below * ratio;
        let second = -two * log - lit::<T>(4.0) * ratio + ratio * ratio;
        [self.modulus * first, self.modulus * second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slopes_are_those_of_the_energy_and_it_grows_without_bound() {
        let guard = PointGuard::<f64>::unpack([2e5, FLAT]);
        for j in [0.02, 0.2, 0.35, 0.49, 0.499_9, 0.51, 1.0] {
            let h = 1e-5 * j;
            let central = (guard.energy(j + h) - guard.energy(j - h)) / (2.0 * h);
            let [first, second] = guard.slopes(j);
            assert!(
                (first - central).abs() < 1e-6 * guard.modulus,
                "U' at {j}: {first}, {central}"
            );
            let central = (guard.slopes(j + h)[0] - guard.slopes(j - h)[0]) / (2.0 * h);
            let close = (second - central).abs() < 1e-5 * guard.modulus.max(second);
            assert!(close, "U'' at {j}: {second}, {central}");
            assert!(first <= 0.0 && second >= 0.0, "it pushes outward, more and more");
        }
        // ln grows as slowly as it may: what counts is the pressure.
        assert!(guard.slopes(1e-6)[0] < -1e10 && guard.energy(1e-6) > 5e5);
    }
}
