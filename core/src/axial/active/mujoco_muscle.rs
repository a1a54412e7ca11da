//! The muscle of MuJoCo: parabolas for force by length and by velocity, a passive force, a rigid tendon.

use super::super::constants::{ensure_above, law_constants};
use super::super::{AxialError, AxialInput, Contraction, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Muscle of MuJoCo: F = f (a c(n) v(w) + q(n)), n = ra + (l - la)/lo, w = dl/dt / (lo vm), lo =
    /// (lb - la)/(rb - ra). c is a bump of four parabolas that is 0 at nl and nh, 1/2 half way to 1, and 1 at
    /// 1; v = (1 + w)² for w in (-1, 0), vp - (y - w)²/y for w in (0, y), y = vp - 1; q = p x²/2 for x = (n - 1)/(b - 1)
    /// in (0, 1), b = (1 + nh)/2, and p (x - 1/2) beyond.
    MujocoMuscle = "mujoco_muscle", Active, "MuJoCo" {
        /// Greatest isometric force f.
        max_force: f64 = 1000.0, "N", Range::NonNegative;
        /// Length of the line la at the shorter end of its range.
        short_length: f64 = 0.2, "m", Range::Finite;
        /// Length of the line lb at the longer end of its range.
        long_length: f64 = 0.35, "m", Range::Finite;
        /// Length of the fibre ra at the shorter end, over its optimal length.
        short_fibre: f64 = 0.75, "-", Range::Finite;
        /// Length of the fibre rb at the longer end, over its optimal length.
        long_fibre: f64 = 1.05, "-", Range::Finite;
        /// Least fibre length nl with an active force, over the optimal length.
        least_fibre: f64 = 0.5, "-", Range::Below(0.0, 1.0);
        /// Greatest fibre length nh with an active force, over the optimal length.
        greatest_fibre: f64 = 1.6, "-", Range::Within(1.0, 100.0);
        /// Velocity vm of the unloaded fibre, optimal lengths a second.
        max_velocity: f64 = 1.5, "1/s", Range::Positive;
        /// Passive force p over f: half of it is reached half way from the optimal length to nh.
        passive_factor: f64 = 1.3, "-", Range::NonNegative;
        /// Force vp of a fibre that lengthens fast, over f.
        lengthening_factor: f64 = 1.2, "-", Range::Within(1.0, 100.0);
    }
}

/// Least size of what is divided by, as in MuJoCo.
const LEAST: f64 = 1e-15;

impl MujocoMuscle {
    /// Optimal length of the fibre [m].
    fn optimal_length(&self) -> f64 {
        (self.long_length - self.short_length) / (self.long_fibre - self.short_fibre).max(LEAST)
    }

    /// The active force by the length of the fibre, over the greatest, and its slope.
    fn by_length(&self, n: f64) -> [f64; 2] {
        let (low, high) = (self.least_fibre, self.greatest_fibre);
        if n < low || n > high {
            return [0.0; 2];
        }
        let (a, b) = (0.5 * (low + 1.0), 0.5 * (1.0 + high));
        let rising = |from: f64, width: f64| {
            let x = (n - from) / width.max(LEAST);
            [0.5 * x * x, x / width.max(LEAST)]
        };
        let falling = |[value, slope]: [f64; 2]| [1.0 - value, -slope];
        if n <= a {
            rising(low, a - low)
        } else if n <= 1.0 {
            falling(rising(1.0, 1.0 - a))
        } else if n <= b {
            falling(rising(1.0, b - 1.0))
        } else {
            rising(high, high - b)
        }
    }

    /// The factor of the active force by the rate of the fibre, and its slope.
    fn by_velocity(&self, w: f64) -> [f64; 2] {
        let y = self.lengthening_factor - 1.0;
        if w <= -1.0 {
            [0.0; 2]
        } else if w <= 0.0 {
            [(w + 1.0) * (w + 1.0), 2.0 * (w + 1.0)]
        } else if w <= y {
            let left = (y - w) / y.max(LEAST);
            [self.lengthening_factor - left * (y - w), 2.0 * left]
        } else {
            [self.lengthening_factor, 0.0]
        }
    }

    /// The passive force over the greatest active one, and its slope.
    fn passive(&self, n: f64) -> [f64; 2] {
        let width = (0.5 * (self.greatest_fibre - 1.0)).max(LEAST);
        let x = (n - 1.0) / width;
        if x <= 0.0 {
            [0.0; 2]
        } else if x <= 1.0 {
            [self.passive_factor * 0.5 * x * x, self.passive_factor * x / width]
        } else {
            [self.passive_factor * (x - 0.5), self.passive_factor / width]
        }
    }
}

impl TensionLaw for MujocoMuscle {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let optimal = self.optimal_length().max(LEAST);
        let speed = (optimal * self.max_velocity).max(LEAST);
        let n = self.short_fibre + (input.length - self.short_length) / optimal;
        let [c, c_slope] = self.by_length(n);
        let [v, v_slope] = self.by_velocity(input.rate / speed);
        let [q, q_slope] = self.passive(n);
        let (f, a) = (self.max_force, input.excitation);
        Tension {
            force: f * (a * c * v + q),
            by_length: f * (a * c_slope * v + q_slope) / optimal,
            by_rate: f * a * c * v_slope / speed,
            by_excitation: f * c * v,
        }
    }

    fn contraction(&self, input: &AxialInput, _state: &[f64]) -> Option<Contraction> {
        Some(Contraction {
            fibre_length: self.short_fibre * self.optimal_length() + input.length
                - self.short_length,
            fibre_velocity: input.rate,
            activation: input.excitation,
            tendon_force: self.tension(input, &Past::NONE).force,
        })
    }

    fn check_together(&self) -> Result<(), AxialError> {
        ensure_above(self, "long_length", "short_length")?;
        ensure_above(self, "long_fibre", "short_fibre")
    }
}
