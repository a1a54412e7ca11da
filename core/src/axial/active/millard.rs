//! The equilibrium muscle of Millard et al. Its curves are in `millard_curves`, the balance of
//! fibre and tendon in `equilibrium`.

use super::super::constants::law_constants;
use super::super::{ActivationModel, Range};
use super::equilibrium::equilibrium_muscle;
use super::fibre::{Architecture, FibreCurves, ForceVelocity, TendonModel, VelocityFactor};
use super::millard_curves::{CurveShape, MillardCurves};

law_constants! {
    /// Millard's muscle: fibre f (a c(lf/lo) v(r) + q(lf/lo) + b r) cos phi = tendon f ft(lt/ls) =
    /// F, l = lf cos phi + lt, lf sin phi constant, r = dlf/dt / (lo vmax).
    Millard2012 = "millard2012", Active, "Millard2013" {
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
        /// Active force of a fibre too short or too long for any, over the maximum one; OpenSim: 0.1.
        least_active_force: f64 = 0.0, "-", Range::Within(0.0, 0.2);
        /// Strain of the fibre at a passive force of the maximum isometric force.
        muscle_strain: f64 = 0.7, "-", Range::Within(0.05, 3.0);
        /// Strain of the tendon at the maximum isometric force.
        tendon_strain: f64 = 0.049, "-", Range::Within(1e-3, 1.0);
        /// Published quintic Bezier curves, or ArtiSynth's cubic Hermite ones.
        curves: CurveShape = CurveShape::QuinticBezier, "-", Range::OneOf(CurveShape::NAMES);
    }
}

equilibrium_muscle!(Millard2012);

impl Millard2012 {
    fn shape(&self) -> MillardCurves {
        MillardCurves {
            shape: self.curves,
            least_active_force: self.least_active_force,
            muscle_strain: self.muscle_strain,
            tendon_strain: self.tendon_strain,
        }
    }
}

impl FibreCurves for Millard2012 {
    fn architecture(&self) -> Architecture {
        Self::architecture(self)
    }

    fn active(&self, length: f64) -> [f64; 2] {
        self.shape().active(length)
    }

    fn passive(&self, length: f64) -> [f64; 2] {
        self.shape().passive(length)
    }

    fn force_velocity(&self, rate: f64, _activation: f64) -> ForceVelocity {
        let [value, by_rate] = self.shape().force_velocity(rate);
        ForceVelocity { value, by_rate, by_activation: 0.0 }
    }

    fn tendon(&self, length: f64) -> [f64; 2] {
        self.shape().tendon(length)
    }
}
