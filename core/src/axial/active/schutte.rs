//! The muscle of Schutte et al. Its curves are in `schutte_curves`, the balance of fibre and tendon in `equilibrium`.

use super::super::constants::{choice, law_constants};
use super::super::curve::{hermite, hill_hyperbola};
use super::super::{ActivationModel, Range};
use super::equilibrium::equilibrium_muscle;
use super::fibre::{Architecture, FibreCurves, ForceVelocity, TendonModel, VelocityFactor};
use super::schutte_curves::{ACTIVE, PASSIVE, TENDON};

choice! {
    /// Passive force of the fibre of Schutte's muscle.
    SchuttePassive {
        /// exp(8 (n - 3/2)), at every length.
        Exponential = "exponential",
        /// The spline through OpenSim's default points, from the optimal length on.
        Spline = "spline",
    }
}

law_constants! {
    /// Schutte's muscle: fibre f (a c(n) v(r) + q(n) + b r) cos phi = tendon f ft(lt/ls - 1) = F, l = lf cos phi + lt, lf sin
    /// phi constant, n = lf/lo, r = dlf/dt / (lo vmax); c and ft are splines, v = (1 + r)/(1 - r/0.15) for r in (-1, 0) and
    /// (s + 1.4 r)/(s + r) for r > 0, s = 0.13 0.15/1.15.
    Schutte1993 = "schutte1993", Active, "Schutte1993" {
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
        fibre_damping: f64 = 0.1, "-", Range::NonNegative;
        /// Elastic tendon, with the fibre's length a state, or rigid tendon.
        tendon: TendonModel = TendonModel::Elastic, "-", Range::OneOf(TendonModel::NAMES);
        /// Dependence of the active force on the rate.
        force_velocity: VelocityFactor = VelocityFactor::Included, "-",
            Range::OneOf(VelocityFactor::NAMES);
        /// Passive force q of the fibre.
        passive: SchuttePassive = SchuttePassive::Exponential, "-",
            Range::OneOf(SchuttePassive::NAMES);
        /// Dynamics of the activation.
        activation: ActivationModel = ActivationModel::Instant, "-",
            Range::OneOf(ActivationModel::NAMES);
        /// Time constant of activation at full excitation; not used by instant activation.
        activation_time: f64 = 0.011, "s", Range::Positive;
        /// Time constant of deactivation; not used by instant activation.
        deactivation_time: f64 = 0.0685, "s", Range::Positive;
        /// Least activation; not used by instant activation.
        least_activation: f64 = 0.0, "-", Range::Below(0.0, 1.0);
        /// Activation at the start where the excitation is less; not used by instant activation.
        start_activation: f64 = 0.0, "-", Range::Within(0.0, 1.0);
    }
}

equilibrium_muscle!(Schutte1993);

/// Curvature of the hyperbola of a fibre that shortens.
const SHORTENING: f64 = 0.15;
/// Steepness of that of one that lengthens, and its limit.
const LENGTHENING: f64 = 0.13 * SHORTENING / (1.0 + SHORTENING);
const LENGTHENING_FORCE: f64 = 1.4;
/// Exponent of the passive force, and fibre over optimal length where it is that of the muscle.
const PASSIVE_SHAPE: f64 = 8.0;
const PASSIVE_LENGTH: f64 = 1.5;

impl Schutte1993 {
    /// Active force of a fibre, over the maximum one, by its length over the optimal one [-].
    pub fn active_force(length: f64) -> f64 {
        not_negative(hermite(&ACTIVE, length))[0]
    }

    /// Passive force by the spline, likewise [-].
    pub fn passive_force(length: f64) -> f64 {
        not_negative(hermite(&PASSIVE, length))[0]
    }

    /// Force of the tendon, over the maximum one, by its strain [-].
    pub fn tendon_force(strain: f64) -> f64 {
        tendon(strain)[0]
    }
}

fn tendon(strain: f64) -> [f64; 2] {
    if strain <= 0.0 { [0.0; 2] } else { not_negative(hermite(&TENDON, strain)) }
}

/// The value, and its slope, where that is not below 0.
fn not_negative([value, slope]: [f64; 2]) -> [f64; 2] {
    if value > 0.0 { [value, slope] } else { [0.0; 2] }
}

impl FibreCurves for Schutte1993 {
    fn architecture(&self) -> Architecture {
        Self::architecture(self)
    }

    fn active(&self, length: f64) -> [f64; 2] {
        not_negative(hermite(&ACTIVE, length))
    }

    /// The exponential goes on as its tangent where no fibre is so long, so that no trial length overflows.
    fn passive(&self, length: f64) -> [f64; 2] {
        match self.passive {
            SchuttePassive::Spline => not_negative(hermite(&PASSIVE, length)),
            SchuttePassive::Exponential => {
                let x = PASSIVE_SHAPE * (length - PASSIVE_LENGTH);
                let value = x.min(40.0).exp();
                [value * (1.0 + x - x.min(40.0)), PASSIVE_SHAPE * value]
            }
        }
    }

    fn force_velocity(&self, rate: f64, _activation: f64) -> ForceVelocity {
        let [value, by_rate] = if rate <= -1.0 {
            [0.0; 2]
        } else if rate <= 0.0 {
            let [value, by_speed] = hill_hyperbola(-rate, SHORTENING);
            [value, -by_speed]
        } else {
            let below = LENGTHENING + rate;
            let slope = LENGTHENING * (LENGTHENING_FORCE - 1.0) / (below * below);
            [(LENGTHENING + LENGTHENING_FORCE * rate) / below, slope]
        };
        ForceVelocity { value, by_rate, by_activation: 0.0 }
    }

    fn tendon(&self, length: f64) -> [f64; 2] {
        tendon(length - 1.0)
    }
}
