//! Hill's three elements with a rigid tendon and a pennation of constant height.

use super::super::constants::law_constants;
use super::super::curve::{Node, hermite};
use super::super::{AxialInput, Contraction, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Three elements, rigid tendon, m = l - ls, lf² = m² + (lo sin phi)²: F = (f (a c(n) + q(n)) +
    /// d dl/dt) m/lf, n = lf/lo, c and q cubic fits of Millard's curves; never below zero,
    /// zero when m <= 0.
    HillRigidTendon = "hill_rigid_tendon", Active, "Millard2013" {
        /// Maximum isometric force f.
        max_force: f64 = 1000.0, "N", Range::NonNegative;
        /// Optimal length of the fibre lo.
        optimal_fibre_length: f64 = 0.1, "m", Range::Positive;
        /// Length of the tendon ls.
        tendon_slack_length: f64 = 0.0, "m", Range::NonNegative;
        /// Pennation phi at the optimal length.
        pennation: f64 = 0.0, "rad", Range::Within(0.0, 1.4);
        /// Damping d of the line.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
    }
}

const ACTIVE: [Node; 18] = [
    [0.0, 0.0, 0.0],
    [0.4441, 0.0, 0.0032],
    [0.485_499, 0.049_428, 2.704_085],
    [0.604_897, 0.468_734, 3.621_026],
    [0.7083, 0.7802, 1.675],
    [0.755_184, 0.829_206, 0.892_252],
    [0.884_248, 0.942_572, 0.869_613],
    [0.950_937, 0.999_124, 0.203_163],
    [0.974_018, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [1.039_163, 1.0, 0.0],
    [1.048_153, 1.0, -0.202_392],
    [1.076_168, 0.979_828, -0.913_958],
    [1.119_493, 0.930_727, -1.363_428],
    [1.332_344, 0.640_401, -1.414_611],
    [1.696_577, 0.132_416, -1.405_918],
    [1.8123, 0.0, -0.035],
    [2.0, 0.0, 0.0],
];

const PASSIVE: [Node; 7] = [
    [1.0, 0.0, 0.0],
    [1.207, 0.053_03, 0.3944],
    [1.398, 0.257_62, 1.629_26],
    [1.4984, 0.448, 2.2334],
    [1.5876, 0.6763, 2.7346],
    [1.6574, 0.8669, 2.7756],
    [1.7, 1.0, 2.7577],
];

impl TensionLaw for HillRigidTendon {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let m = input.length - self.tendon_slack_length;
        if m <= 0.0 {
            return Tension::default();
        }
        let (f, a, optimal) = (self.max_force, input.excitation, self.optimal_fibre_length);
        let height = optimal * self.pennation.sin();
        let fibre = m.hypot(height);
        let cos = m / fibre;
        let cos_by_m = (height / fibre).powi(2) / fibre;
        // The cubics of the two ends dip below zero by less than a thousandth.
        let [c, c_slope] = match hermite(&ACTIVE, fibre / optimal) {
            [c, _] if c < 0.0 => [0.0, 0.0],
            curve => curve,
        };
        let [q, q_slope] = hermite(&PASSIVE, fibre / optimal);
        let along = f * (a * c + q) + self.damping * input.rate;
        let tension = Tension {
            force: along * cos,
            by_length: along * cos_by_m + f * (a * c_slope + q_slope) * cos * cos / optimal,
            by_rate: self.damping * cos,
            by_excitation: f * c * cos,
        };
        tension.or_slack()
    }

    fn contraction(&self, input: &AxialInput, _state: &[f64]) -> Option<Contraction> {
        let along = (input.length - self.tendon_slack_length).max(0.0);
        let fibre_length = along.hypot(self.optimal_fibre_length * self.pennation.sin());
        let cos = if fibre_length > 0.0 { along / fibre_length } else { 0.0 };
        Some(Contraction {
            fibre_length,
            fibre_velocity: input.rate * cos,
            activation: input.excitation,
            tendon_force: self.tension(input, &Past::NONE).force,
        })
    }
}
