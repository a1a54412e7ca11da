//! A fibre at an angle to a tendon: its shape, its curves, and how hard it pulls along the tendon
//! (Zajac1989, Millard2013). Forces here are over the maximum isometric force.

use super::super::AxialError;
use super::super::activation::ActivationDynamics;
use super::super::constants::choice;

choice! {
    /// Model of the tendon in series with the fibre.
    TendonModel {
        /// It stretches under the force that it carries; the fibre's length is a state.
        Elastic = "elastic",
        /// It has its slack length.
        Rigid = "rigid",
    }
}

choice! {
    /// Dependence of the force of a fibre on its rate.
    VelocityFactor {
        /// It does.
        Included = "included",
        /// It does not, but for the damping.
        Ignored = "ignored",
    }
}

/// Factor of the active force by the rate, and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceVelocity {
    /// The factor [-].
    pub value: f64,
    /// Derivative by the normalized rate [-].
    pub by_rate: f64,
    /// Derivative by the activation [-].
    pub by_activation: f64,
}

/// Sizes of a muscle with a tendon in series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Architecture {
    /// Maximum isometric force [N].
    pub(super) max_force: f64,
    /// Optimal length of the fibre [m].
    pub(super) optimal: f64,
    /// Slack length of the tendon [m].
    pub(super) slack: f64,
    /// Distance of the ends of the fibre across the tendon [m], constant.
    pub(super) height: f64,
    /// Fastest contraction [m/s].
    pub(super) max_rate: f64,
    /// Damping of the fibre: force over the maximum one, by rate over the fastest one [-].
    pub(super) damping: f64,
    pub(super) tendon: TendonModel,
    pub(super) velocity: VelocityFactor,
    pub(super) activation: ActivationDynamics,
}

/// Curves and architecture of a muscle with a tendon in series. A curve gives [value, slope].
pub(super) trait FibreCurves {
    fn architecture(&self) -> Architecture;
    /// Active force by the length of the fibre over the optimal one.
    fn active(&self, length: f64) -> [f64; 2];
    /// Passive force by the length of the fibre over the optimal one.
    fn passive(&self, length: f64) -> [f64; 2];
    /// Factor of the active force by the rate of the fibre over the fastest one.
    fn force_velocity(&self, rate: f64, activation: f64) -> ForceVelocity;
    /// Force of the tendon by its length over its slack length.
    fn tendon(&self, length: f64) -> [f64; 2];
    /// Checks of constants against each other.
    fn check_constants(&self) -> Result<(), AxialError> {
        Ok(())
    }
}

/// The force of a fibre along the tendon over the maximum isometric force, and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    pub(super) force: f64,
    /// By the length of the fibre along the tendon, at a constant rate [1/m].
    pub(super) by_length: f64,
    /// By the rate of that length [s/m].
    pub(super) by_rate: f64,
    pub(super) by_activation: f64,
}

/// Steepest angle of a fibre to the tendon, acos 0.1 [rad] (OpenSim's and ArtiSynth's).
const STEEPEST_COS: f64 = 0.1;
/// Shortest fibre over the optimal length (OpenSim's for Thelen's muscle).
const SHORTEST: f64 = 0.01;

impl Architecture {
    /// The least length of the fibre along the tendon [m].
    pub(super) fn shortest(&self) -> f64 {
        let steepest = self.height * STEEPEST_COS / (1.0 - STEEPEST_COS * STEEPEST_COS).sqrt();
        steepest.max(SHORTEST * self.optimal)
    }
}

/// Pull of a fibre whose length along the tendon is `along` [m], positive, with the rate `rate`
/// [m/s].
pub(super) fn pull<M: FibreCurves>(muscle: &M, along: f64, rate: f64, activation: f64) -> Pull {
    let m = muscle.architecture();
    let length = along.hypot(m.height);
    let cos = along / length;
    let cos_by_along = (m.height / length).powi(2) / length;
    let normal_rate = rate * cos / m.max_rate;
    let [active, active_slope] = muscle.active(length / m.optimal);
    let [passive, passive_slope] = muscle.passive(length / m.optimal);
    let factor = match m.velocity {
        VelocityFactor::Included => muscle.force_velocity(normal_rate, activation),
        VelocityFactor::Ignored => ForceVelocity { value: 1.0, by_rate: 0.0, by_activation: 0.0 },
    };
    let fibre = activation * active * factor.value + passive + m.damping * normal_rate;
    let by_normal_rate = activation * active * factor.by_rate + m.damping;
    let by_normal_length = activation * active_slope * factor.value + passive_slope;
    let rate_by_along = rate * cos_by_along / m.max_rate;
    Pull {
        force: fibre * cos,
        by_length: fibre * cos_by_along
            + by_normal_length * cos * cos / m.optimal
            + by_normal_rate * rate_by_along * cos,
        by_rate: by_normal_rate * cos * cos / m.max_rate,
        by_activation: active * (factor.value + activation * factor.by_activation) * cos,
    }
}
