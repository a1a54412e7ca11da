//! The tendon of Millard's muscle: a curved toe and a line.

use super::super::active::{CurveShape, MillardCurves};
use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Tendon with a curved toe: F = f ft(l / ls), ft zero below 1, curved to a force of 2/3, then
    /// a line of slope 1.375 / e0 through a force of 1 at the strain e0.
    Millard2012Tendon = "millard2012_tendon", Passive, "Millard2013" {
        /// Maximum isometric force f of the muscle.
        max_isometric_force: f64 = 1000.0, "N", Range::NonNegative;
        /// Slack length ls.
        slack_length: f64 = 0.2, "m", Range::Positive;
        /// Strain e0 at the maximum isometric force.
        tendon_strain: f64 = 0.049, "-", Range::Within(1e-3, 1.0);
        /// Published quintic Bezier curve, or ArtiSynth's cubic Hermite one.
        curves: CurveShape = CurveShape::QuinticBezier, "-", Range::OneOf(CurveShape::NAMES);
    }
}

impl Millard2012Tendon {
    fn curves(&self) -> MillardCurves {
        let (shape, tendon_strain) = (self.curves, self.tendon_strain);
        MillardCurves { shape, tendon_strain, ..MillardCurves::default() }
    }
}

impl TensionLaw for Millard2012Tendon {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let [value, slope] = self.curves().tendon(input.length / self.slack_length);
        Tension {
            force: self.max_isometric_force * value,
            by_length: self.max_isometric_force * slope / self.slack_length,
            ..Tension::default()
        }
    }

    fn energy(&self, length: f64, _rest_length: f64) -> Option<f64> {
        let scale = self.max_isometric_force * self.slack_length;
        Some(scale * self.curves().tendon_energy(length / self.slack_length))
    }
}
