//! The equilibrium muscle of Thelen. The balance of fibre and tendon is in `equilibrium`.

use super::super::constants::law_constants;
use super::super::passive::thelen_tendon;
use super::super::{ActivationModel, AxialError, Range};
use super::equilibrium::equilibrium_muscle;
use super::fibre::{Architecture, FibreCurves, ForceVelocity, TendonModel, VelocityFactor};

law_constants! {
    /// Thelen's muscle: fibre f (a exp(-(n - 1)²/g) v(r, a) + (exp(k (n - 1)/e0) - 1) / (exp(k) -
    /// 1) + b r) cos phi = tendon force F, n = lf/lo, l = lf cos phi + lt, lf sin phi constant, r =
    /// dlf/dt / (lo vmax).
    Thelen2003 = "thelen2003", Active, "Thelen2003" {
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
        /// Time constant of activation, OpenSim's; not used by instant activation.
        activation_time: f64 = 0.010, "s", Range::Positive;
        /// Time constant of deactivation, OpenSim's; not used by instant activation.
        deactivation_time: f64 = 0.040, "s", Range::Positive;
        /// Least activation, OpenSim's; not used by instant activation.
        least_activation: f64 = 0.01, "-", Range::Below(0.0, 1.0);
        /// Activation at the start where the excitation is less; not used by instant activation.
        start_activation: f64 = 0.0, "-", Range::Within(0.0, 1.0);
        /// Strain of the tendon at the maximum isometric force.
        tendon_strain: f64 = 0.04, "-", Range::Within(1e-3, 1.0);
        /// Strain e0 of the fibre at a passive force of the maximum isometric force.
        muscle_strain: f64 = 0.6, "-", Range::Within(0.05, 3.0);
        /// Width g of the active force-length curve.
        active_shape: f64 = 0.45, "-", Range::Within(0.05, 5.0);
        /// Exponent k of the passive force-length curve.
        passive_shape: f64 = 5.0, "-", Range::Within(0.1, 20.0);
        /// Curvature of the force-velocity curve.
        velocity_shape: f64 = 0.25, "-", Range::Within(0.01, 10.0);
        /// Force of a fibre that is stretched fast, over the isometric one.
        lengthening_force: f64 = 1.4, "-", Range::Within(1.05, 10.0);
        /// Part of the lengthening force beyond which the force-velocity curve is its tangent.
        linear_threshold: f64 = 0.99, "-", Range::Within(0.9, 0.999);
        /// Steepness of the lengthening hyperbola: 1 is ArtiSynth's, without a kink at rest; 2 is that of Thelen2003 and OpenSim.
        lengthening_factor: f64 = 1.0, "-", Range::Within(0.1, 10.0);
    }
}

equilibrium_muscle!(Thelen2003);

impl FibreCurves for Thelen2003 {
    fn architecture(&self) -> Architecture {
        Self::architecture(self)
    }

    fn active(&self, length: f64) -> [f64; 2] {
        let x = length - 1.0;
        let value = (-x * x / self.active_shape).exp();
        [value, -2.0 * x / self.active_shape * value]
    }

    /// A fibre of ten times the strain of the maximum force is taken for no longer: the exponential
    /// goes on as its tangent, so that no trial length overflows.
    fn passive(&self, length: f64) -> [f64; 2] {
        let x = (length - 1.0) / self.muscle_strain;
        if x <= 0.0 {
            return [0.0, 0.0];
        }
        let (k, curved) = (self.passive_shape, x.min(10.0));
        // exp(k x) - 1 over exp(k) - 1, without the overflow of either.
        let value = (k * (curved - 1.0)).exp() * (-k * curved).exp_m1() / (-k).exp_m1();
        let slope = k * (k * (curved - 1.0)).exp() / -(-k).exp_m1();
        [value + slope * (x - curved), slope / self.muscle_strain]
    }

    /// The hyperbolas meet at rest with one slope where the factor of the lengthening one is 1 + 1/Af,
    /// as in ArtiSynth; Thelen2003 has 2 + 2/Af and a kink.
    fn force_velocity(&self, rate: f64, activation: f64) -> ForceVelocity {
        let (shape, most) = (self.velocity_shape, self.lengthening_force);
        let alpha = 0.25 + 0.75 * activation;
        if rate <= -alpha {
            return ForceVelocity { value: 0.0, by_rate: 0.0, by_activation: 0.0 };
        }
        if rate <= 0.0 {
            let below = alpha - rate / shape;
            let steep = (1.0 + 1.0 / shape) / (below * below);
            let value = (alpha + rate) / below;
            return ForceVelocity {
                value,
                by_rate: alpha * steep,
                by_activation: -0.75 * rate * steep,
            };
        }
        // A function of the rate over beta; beta grows with the activation.
        let beta_by_alpha = (most - 1.0) / (self.lengthening_factor * (1.0 + 1.0 / shape));
        let beta = alpha * beta_by_alpha;
        let threshold = most * self.linear_threshold;
        let x = rate / beta;
        let curved = x.min((threshold - 1.0) / (most - threshold));
        let slope = (most - 1.0) / (1.0 + curved).powi(2);
        let value = (1.0 + most * curved) / (1.0 + curved) + slope * (x - curved);
        let by_alpha = -slope * x / alpha;
        ForceVelocity { value, by_rate: slope / beta, by_activation: 0.75 * by_alpha }
    }

    fn tendon(&self, length: f64) -> [f64; 2] {
        thelen_tendon(length - 1.0, self.tendon_strain)
    }

    /// The hyperbola must have a part above the isometric force.
    fn check_constants(&self) -> Result<(), AxialError> {
        let bound = 1.0 / self.linear_threshold;
        if self.lengthening_force > bound {
            return Ok(());
        }
        let (law, constant, other) = ("thelen2003", "lengthening_force", "1 / linear_threshold");
        Err(AxialError::NotAbove { law, constant, value: self.lengthening_force, other, bound })
    }
}
