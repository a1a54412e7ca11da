//! A spring and a damper with an active force beside them.

use super::super::constants::{choice, law_constants};
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

choice! {
    /// Side of the rest length on which a spring acts.
    Side {
        /// At every length; it pushes when it is short.
        Both = "both",
        /// Only when it is longer than at rest.
        Tension = "tension",
    }
}

law_constants! {
    /// Spring with an active force, x = l - l0: F = s(x) + d dl/dt + f a; s = k x, or over a blend
    /// interval b sign(x) k x² / (2 b) for |x| < b and sign(x) k (|x| - b/2) beyond.
    SimpleMuscle = "simple_muscle", Active, "Lloyd2012" {
        /// Stiffness k.
        stiffness: f64 = 0.0, "N/m", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
        /// Maximum force f.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Blend interval b over which the stiffness rises to k.
        blend_interval: f64 = 0.0, "m", Range::NonNegative;
        /// Side of the rest length on which the spring acts.
        side: Side = Side::Both, "-", Range::OneOf(Side::NAMES);
    }
}

impl SimpleMuscle {
    fn spring(&self, stretch: f64) -> [f64; 2] {
        let (k, blend) = (self.stiffness, self.blend_interval);
        if self.side == Side::Tension && stretch < 0.0 {
            [0.0, 0.0]
        } else if stretch.abs() < blend {
            let slope = k * stretch.abs() / blend;
            [0.5 * slope * stretch, slope]
        } else {
            [k * (stretch - 0.5 * blend * stretch.signum()), k]
        }
    }
}

impl TensionLaw for SimpleMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let [force, by_length] = self.spring(input.length - input.rest_length);
        Tension {
            force: force + self.damping * input.rate + self.max_force * input.excitation,
            by_length,
            by_rate: self.damping,
            by_excitation: self.max_force,
        }
    }
}
