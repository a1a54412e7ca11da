//! The tendon of Thelen's muscle: an exponential toe and a line.

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Tendon with an exponential toe: e = l/ls - 1, F = f Ft (exp(3 e/et) - 1) / (exp(3) - 1) for
    /// 0 < e < et, f (k (e - et) + Ft) beyond; Ft = 0.33, et = 99 e0 exp(3) / (166 exp(3) - 67), k
    /// = 0.67 / (e0 - et).
    Thelen2003Tendon = "thelen2003_tendon", Passive, "Thelen2003" {
        /// Maximum isometric force f of the muscle.
        max_isometric_force: f64 = 1000.0, "N", Range::NonNegative;
        /// Slack length ls.
        slack_length: f64 = 0.2, "m", Range::Positive;
        /// Strain e0 at the maximum isometric force.
        tendon_strain: f64 = 0.04, "-", Range::Within(1e-3, 1.0);
    }
}

/// Force at the end of the toe, over the maximum isometric force.
const TOE_FORCE: f64 = 0.33;
/// Shape of the toe.
const TOE_SHAPE: f64 = 3.0;

fn toe_strain(tendon_strain: f64) -> f64 {
    let exp3 = TOE_SHAPE.exp();
    99.0 * tendon_strain * exp3 / (166.0 * exp3 - 67.0)
}

/// Force over the maximum isometric force, and its derivative by the strain.
pub(crate) fn thelen_tendon(strain: f64, tendon_strain: f64) -> [f64; 2] {
    let toe = toe_strain(tendon_strain);
    let slope = (1.0 - TOE_FORCE) / (tendon_strain - toe);
    if strain <= 0.0 {
        [0.0, 0.0]
    } else if strain > toe {
        [slope * (strain - toe) + TOE_FORCE, slope]
    } else {
        let factor = TOE_FORCE / TOE_SHAPE.exp_m1();
        let rate = TOE_SHAPE / toe;
        [factor * (rate * strain).exp_m1(), factor * rate * (rate * strain).exp()]
    }
}

/// Integral of [`thelen_tendon`] over the strain from zero.
fn thelen_tendon_energy(strain: f64, tendon_strain: f64) -> f64 {
    let toe = toe_strain(tendon_strain);
    let slope = (1.0 - TOE_FORCE) / (tendon_strain - toe);
    let strain = strain.max(0.0);
    let curved = strain.min(toe);
    let line = strain - curved;
    let rate = TOE_SHAPE / toe;
    let factor = TOE_FORCE / TOE_SHAPE.exp_m1();
    let curve = factor * ((rate * curved).exp_m1() / rate - curved);
    curve + line * (TOE_FORCE + 0.5 * slope * line)
}

impl TensionLaw for Thelen2003Tendon {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let strain = input.length / self.slack_length - 1.0;
        let [value, slope] = thelen_tendon(strain, self.tendon_strain);
        Tension {
            force: self.max_isometric_force * value,
            by_length: self.max_isometric_force * slope / self.slack_length,
            ..Tension::default()
        }
    }

    fn energy(&self, length: f64, _rest_length: f64) -> Option<f64> {
        let scale = self.max_isometric_force * self.slack_length;
        let strain = length / self.slack_length - 1.0;
        Some(scale * thelen_tendon_energy(strain, self.tendon_strain))
    }
}
