//! The muscle of De Groote and Fregly, of smooth curves throughout. The balance of fibre and tendon is in `equilibrium`.

use super::super::constants::law_constants;
use super::super::{ActivationModel, Range};
use super::equilibrium::equilibrium_muscle;
use super::fibre::{Architecture, FibreCurves, ForceVelocity, TendonModel, VelocityFactor};

law_constants! {
    /// Muscle of De Groote and Fregly: fibre f (a fl(n) v(r) + (exp(4 (n - 1)/e0) - o)/(exp(4) - o) + b r) cos phi =
    /// tendon force f (c exp(k (t - 1)) - c), fl three bell curves, v = d1 asinh(d2 r + d3) + d4, o = exp(-3.2/e0), c = 0.2,
    /// k = ln(6)/et, n = lf/lo, t = lt/ls, r = dlf/dt / (lo vmax).
    DeGrooteFregly2016 = "de_groote_fregly2016", Active, "DeGroote2016" {
        /// Maximum isometric force.
        max_isometric_force: f64 = 1000.0, "N", Range::NonNegative;
        /// Optimal length of the fibre.
        optimal_fibre_length: f64 = 0.1, "m", Range::Positive;
        /// Slack length of the tendon.
        tendon_slack_length: f64 = 0.2, "m", Range::Positive;
        /// Pennation at the optimal length of the fibre.
        pennation: f64 = 0.0, "rad", Range::Within(0.0, 1.4);
        /// Fastest contraction, optimal lengths a second.
        max_contraction_velocity: f64 = 10.0, "1/s", Range::Positive;
        /// Damping of the fibre: force over the maximum one, by rate over the fastest one.
        fibre_damping: f64 = 0.0, "-", Range::NonNegative;
        /// Elastic tendon, with the fibre's length a state, or rigid tendon.
        tendon: TendonModel = TendonModel::Elastic, "-", Range::OneOf(TendonModel::NAMES);
        /// Dependence of the active force on the rate.
        force_velocity: VelocityFactor = VelocityFactor::Included, "-",
            Range::OneOf(VelocityFactor::NAMES);
        /// Dynamics of the activation.
        activation: ActivationModel = ActivationModel::Instant, "-",
            Range::OneOf(ActivationModel::NAMES);
        /// Time constant of activation; not used by instant activation.
        activation_time: f64 = 0.015, "s", Range::Positive;
        /// Time constant of deactivation; not used by instant activation.
        deactivation_time: f64 = 0.060, "s", Range::Positive;
        /// Least activation; not used by instant activation.
        least_activation: f64 = 0.0, "-", Range::Below(0.0, 1.0);
        /// Activation at the start where the excitation is less; not used by instant activation.
        start_activation: f64 = 0.0, "-", Range::Within(0.0, 1.0);
        /// Strain et of the tendon at the maximum isometric force.
        tendon_strain: f64 = 0.049, "-", Range::Within(1e-3, 1.0);
        /// Strain e0 of the fibre at a passive force of the maximum isometric force; below 0.001 there is no passive force.
        muscle_strain: f64 = 0.6, "-", Range::Within(0.0, 3.0);
        /// Width of the active force-length curve over the published one.
        active_width: f64 = 1.0, "-", Range::Within(0.1, 10.0);
    }
}

equilibrium_muscle!(DeGrooteFregly2016);

/// Height, place, width and growth of the width of the bells of the active curve.
const BELLS: [[f64; 4]; 3] = [
    [0.815_067_113_424_354_2, 1.055_033_428_970_575, 0.162_384_573_599_574, 0.063_303_448_465_465],
    [0.433_004_984_392_647, 0.716_775_413_397_76, -0.029_947_116_970_696, 0.200_356_847_296_188],
    [0.1, 1.0, 0.353_553_390_593_274, 0.0],
];
/// d1 to d4 of the force-velocity curve.
const VELOCITY: [f64; 4] = [-0.321_134_612_798_980_8, -8.149, -0.374, 0.882_532_773_324_991_2];
/// Exponent of the passive curve, and the length where it is 0.
const PASSIVE: [f64; 2] = [4.0, 0.2];
/// Strain of the fibre below which there is no passive force.
const LEAST_STRAIN: f64 = 1e-3;
/// Factor of the tendon's exponential.
const TENDON: f64 = 0.2;

impl FibreCurves for DeGrooteFregly2016 {
    fn architecture(&self) -> Architecture {
        Self::architecture(self)
    }

    fn active(&self, length: f64) -> [f64; 2] {
        let x = (length - 1.0) / self.active_width + 1.0;
        let bell = |[height, place, width, growth]: [f64; 4]| {
            let wide = width + growth * x;
            let value = height * (-0.5 * ((x - place) / wide).powi(2)).exp();
            let slope = value * (place - x) * (width + place * growth) / wide.powi(3);
            if wide.abs() > 1e-9 { [value, slope] } else { [0.0, 0.0] }
        };
        let sum = BELLS.map(bell).iter().fold([0.0; 2], |s, it| [s[0] + it[0], s[1] + it[1]]);
        [sum[0], sum[1] / self.active_width]
    }

    /// Beyond ten times its strain it goes on as its tangent; below its zero it is 0.
    fn passive(&self, length: f64) -> [f64; 2] {
        let [k, zero] = PASSIVE;
        if self.muscle_strain < LEAST_STRAIN || length <= zero {
            return [0.0, 0.0];
        }
        let least = (k * (zero - 1.0) / self.muscle_strain).exp();
        let x = (length - 1.0) / self.muscle_strain;
        let curved = x.min(10.0);
        let exponential = (k * curved).exp() / (k.exp() - least);
        let slope = k * exponential;
        let value = exponential - least / (k.exp() - least) + slope * (x - curved);
        [value, slope / self.muscle_strain]
    }

    fn force_velocity(&self, rate: f64, _activation: f64) -> ForceVelocity {
        let [d1, d2, d3, d4] = VELOCITY;
        // The curve falls below 0 beyond the fastest rate.
        if rate <= -1.0 {
            return ForceVelocity { value: 0.0, by_rate: 0.0, by_activation: 0.0 };
        }
        let x = d2 * rate + d3;
        ForceVelocity {
            value: d1 * x.asinh() + d4,
            by_rate: d1 * d2 / x.hypot(1.0),
            by_activation: 0.0,
        }
    }

    fn tendon(&self, length: f64) -> [f64; 2] {
        let strain = length - 1.0;
        if strain <= 0.0 {
            return [0.0, 0.0];
        }
        let k = ((1.0 + TENDON) / TENDON).ln() / self.tendon_strain;
        let curved = strain.min(10.0 * self.tendon_strain);
        let slope = TENDON * k * (k * curved).exp();
        [TENDON * (k * curved).exp_m1() + slope * (strain - curved), slope]
    }
}
