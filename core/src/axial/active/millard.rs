//! The equilibrium muscle of Millard et al. Its curves are in `millard_curves`, the balance of
//! fibre and tendon in `equilibrium`.

use super::super::constants::{ensure_above, law_constants};
use super::super::{ActivationModel, AxialError, Range};
use super::equilibrium::equilibrium_muscle;
use super::fibre::{Architecture, FibreCurves, ForceVelocity, TendonModel, VelocityFactor};
use super::millard_curves::{ActiveShape, CurveShape, MillardCurves, PassiveShape};

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
        /// Activation at the start where the excitation is less; not used by instant activation.
        start_activation: f64 = 0.0, "-", Range::Within(0.0, 1.0);
        /// Active force of a fibre too short or too long for any, over the maximum one; OpenSim: 0.1.
        least_active_force: f64 = 0.0, "-", Range::Within(0.0, 0.2);
        /// Fibre over optimal length below which there is no active force.
        shortest_active_length: f64 = 0.4441, "-", Range::Within(0.0, 0.6);
        /// Fibre over optimal length at which the slope of the active force falls to the shallow one.
        transition_length: f64 = 0.73, "-", Range::Within(0.61, 0.94);
        /// Fibre over optimal length beyond which there is no active force.
        longest_active_length: f64 = 1.8123, "-", Range::Within(1.2, 4.0);
        /// Slope of the shallow ascending limb of the active force.
        shallow_slope: f64 = 0.8616, "-", Range::Within(0.0, 1.0);
        /// Strain of the fibre at which its passive force begins.
        muscle_slack_strain: f64 = 0.0, "-", Range::Within(-0.5, 2.0);
        /// Strain of the fibre at a passive force of the maximum isometric force.
        muscle_strain: f64 = 0.7, "-", Range::Within(0.05, 3.0);
        /// Slope of the passive force where it begins.
        muscle_low_stiffness: f64 = 0.2, "-", Range::Positive;
        /// Slope of the passive force at the maximum isometric force; 0: twice that of the secant.
        muscle_stiffness: f64 = 0.0, "-", Range::NonNegative;
        /// Bend of the passive force, from straight limbs with a round corner to one arc.
        muscle_curviness: f64 = 0.75, "-", Range::Within(0.0, 1.0);
        /// Strain of the tendon at the maximum isometric force.
        tendon_strain: f64 = 0.049, "-", Range::Within(1e-3, 1.0);
        /// Published quintic Bezier curves, or ArtiSynth's cubic Hermite ones.
        curves: CurveShape = CurveShape::QuinticBezier, "-", Range::OneOf(CurveShape::NAMES);
    }
}

equilibrium_muscle!(Millard2012);

impl Millard2012 {
    pub(super) fn shape(&self) -> MillardCurves {
        MillardCurves {
            shape: self.curves,
            active: ActiveShape {
                least: self.least_active_force,
                shortest: self.shortest_active_length,
                transition: self.transition_length,
                longest: self.longest_active_length,
                shallow_slope: self.shallow_slope,
            },
            passive: PassiveShape {
                slack_strain: self.muscle_slack_strain,
                strain: self.muscle_strain,
                low_stiffness: self.muscle_low_stiffness,
                stiffness: self.muscle_stiffness,
                curviness: self.muscle_curviness,
            },
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

    fn check_constants(&self) -> Result<(), AxialError> {
        ensure_above(self, "muscle_strain", "muscle_slack_strain")?;
        let secant = 1.0 / (self.muscle_strain - self.muscle_slack_strain);
        if self.muscle_stiffness == 0.0 || self.muscle_stiffness > secant {
            return Ok(());
        }
        let (law, constant, other) = ("millard2012", "muscle_stiffness", "the slope of the secant");
        Err(AxialError::NotAbove {
            law,
            constant,
            value: self.muscle_stiffness,
            other,
            bound: secant,
        })
    }
}
