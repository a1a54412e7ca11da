//! Laws of muscles: OpenSim's classes, with what its classes have where a file says nothing (Seth2018).

use sinew::axial::active::{
    DeGrooteFregly2016, Millard2012, Schutte1993, SchuttePassive, TendonModel, Thelen2003,
};
use sinew::axial::{ActivationModel, AxialLaw};

use super::import::Import;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Factor of the lengthening curve of Thelen's muscle.
pub(super) const THELEN_FACTOR: f64 = 2.0;

/// Classes of muscles, and the law that stands for each.
const CLASSES: [(&str, Law, Stands); 9] = [
    ("Thelen2003Muscle", Law::Thelen, Stands::Itself),
    ("Millard2012EquilibriumMuscle", Law::Millard, Stands::Itself),
    ("RigidTendonMuscle", Law::Rigid, Stands::For),
    ("Millard2012AccelerationMuscle", Law::Millard, Stands::For),
    ("DeGrooteFregly2016Muscle", Law::DeGrooteFregly, Stands::Itself),
    ("Thelen2003Muscle_Deprecated", Law::Thelen, Stands::For),
    ("Schutte1993Muscle", Law::Schutte, Stands::Itself),
    ("Schutte1993Muscle_Deprecated", Law::Schutte, Stands::Itself),
    ("Delp1990Muscle_Deprecated", Law::Thelen, Stands::For),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    Thelen,
    Millard,
    /// Millard's with a rigid tendon.
    Rigid,
    DeGrooteFregly,
    Schutte,
}

/// Origin of a law: that of its class, or a stand-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Itself,
    For,
}

/// Sizes that all muscles have.
struct Sizes {
    force: f64,
    optimal: f64,
    slack: f64,
    pennation: f64,
    velocity: f64,
    tendon: TendonModel,
    activation: ActivationModel,
    activation_time: f64,
    deactivation_time: f64,
    least: f64,
    /// Activation at the start [-].
    start: f64,
}

/// Activation at the start of a muscle that does not say its own [-].
const START: f64 = 0.05;

impl<'d> Import<'d> {
    /// The law of a muscle; `None` for what is no muscle.
    pub(super) fn muscle(&mut self, at: &'d Element) -> Result<Option<AxialLaw>, Diagnostic> {
        let Some(&(class, law, stands)) = CLASSES.iter().find(|class| class.0 == at.tag) else {
            return Ok(None);
        };
        at.mark();
        // Of use for controllers alone, and before muscles are brought to equilibrium, where they begin here.
        for tag in ["optimal_force", "default_fiber_length", "default_normalized_tendon_force"] {
            self.property(at, tag);
        }
        let made = match law {
            Law::Thelen => AxialLaw::Thelen2003(self.thelen(at)?),
            Law::Millard => AxialLaw::Millard2012(self.millard(at)?),
            Law::Rigid => AxialLaw::Millard2012(Millard2012 {
                tendon: TendonModel::Rigid,
                ..self.millard(at)?
            }),
            Law::DeGrooteFregly => AxialLaw::DeGrooteFregly2016(self.de_groote_fregly(at)?),
            Law::Schutte => AxialLaw::Schutte1993(self.schutte(at)?),
        };
        if stands == Stands::For && self.stood_for.insert(class.to_owned()) {
            let name = match law {
                Law::Thelen => "Thelen's muscle",
                Law::Millard => "Millard's muscle",
                Law::Rigid => "Millard's muscle with a rigid tendon",
                Law::DeGrooteFregly => "the muscle of De Groote and Fregly",
                Law::Schutte => "Schutte's muscle",
            };
            let message = format!(
                "{class} has a law of its own: {name} of the same sizes stands for it, in every muscle of this class"
            );
            self.findings.warn(at.span, message);
        }
        Ok(Some(made))
    }

    fn sizes(&self, at: &Element, times: [f64; 2]) -> Result<Sizes, Diagnostic> {
        let first = |tags: &[&str], default: f64| {
            for tag in tags {
                if let Some(number) = self.number(at, tag)? {
                    return Ok(number);
                }
            }
            Ok(default)
        };
        let rigid = self.flag(at, "ignore_tendon_compliance")?.unwrap_or(false);
        let instant = self.flag(at, "ignore_activation_dynamics")?.unwrap_or(false);
        Ok(Sizes {
            force: first(&["max_isometric_force"], 1000.0)?,
            optimal: first(&["optimal_fiber_length"], 0.1)?,
            slack: first(&["tendon_slack_length"], 0.2)?,
            pennation: first(&["pennation_angle_at_optimal", "pennation_angle"], 0.0)?,
            velocity: first(&["max_contraction_velocity", "Vmax"], 10.0)?,
            tendon: if rigid { TendonModel::Rigid } else { TendonModel::Elastic },
            activation: if instant { ActivationModel::Instant } else { ActivationModel::Bilinear },
            activation_time: first(&["activation_time_constant", "activation1"], times[0])?,
            deactivation_time: first(&["deactivation_time_constant", "activation2"], times[1])?,
            least: first(&["minimum_activation"], 0.01)?,
            start: first(&["default_activation"], START)?.clamp(0.0, 1.0),
        })
    }

    fn thelen(&mut self, at: &Element) -> Result<Thelen2003, Diagnostic> {
        let sizes = self.sizes(at, [0.015, 0.05])?;
        let number = |tag: &str, default: f64| self.number(at, tag).map(|it| it.unwrap_or(default));
        let made = Thelen2003 {
            max_isometric_force: sizes.force,
            optimal_fibre_length: sizes.optimal,
            tendon_slack_length: sizes.slack,
            pennation: sizes.pennation,
            max_contraction_velocity: sizes.velocity,
            fibre_damping: number("fiber_damping", 0.0)?,
            tendon: sizes.tendon,
            activation: sizes.activation,
            activation_time: sizes.activation_time,
            deactivation_time: sizes.deactivation_time,
            least_activation: sizes.least,
            start_activation: sizes.start,
            tendon_strain: number("FmaxTendonStrain", 0.04)?,
            muscle_strain: number("FmaxMuscleStrain", 0.6)?,
            active_shape: number("KshapeActive", 0.45)?,
            passive_shape: number("KshapePassive", 5.0)?,
            velocity_shape: number("Af", 0.25)?,
            lengthening_force: number("Flen", 1.4)?,
            linear_threshold: number("fv_linear_extrap_threshold", 0.95)?,
            lengthening_factor: THELEN_FACTOR,
            ..Thelen2003::default()
        };
        Ok(made)
    }

    /// Its activation has the dynamics of the others, where the source blends rise and fall evenly.
    fn de_groote_fregly(&mut self, at: &'d Element) -> Result<DeGrooteFregly2016, Diagnostic> {
        let sizes = self.sizes(at, [0.015, 0.06])?;
        let number = |tag: &str, default: f64| self.number(at, tag).map(|it| it.unwrap_or(default));
        let is_slack = self.flag(at, "ignore_passive_fiber_force")?.unwrap_or(false);
        let strain = number("passive_fiber_strain_at_one_norm_force", 0.6)?;
        let made = DeGrooteFregly2016 {
            max_isometric_force: sizes.force,
            optimal_fibre_length: sizes.optimal,
            tendon_slack_length: sizes.slack,
            pennation: sizes.pennation,
            max_contraction_velocity: sizes.velocity,
            fibre_damping: number("fiber_damping", 0.0)?,
            tendon: sizes.tendon,
            activation: sizes.activation,
            activation_time: sizes.activation_time,
            deactivation_time: sizes.deactivation_time,
            least_activation: number("minimum_activation", 0.0)?,
            start_activation: number("default_activation", 0.5)?.clamp(0.0, 1.0),
            tendon_strain: number("tendon_strain_at_one_norm_force", 0.049)?,
            muscle_strain: if is_slack { 0.0 } else { strain },
            active_width: number("active_force_width_scale", 1.0)?,
            ..DeGrooteFregly2016::default()
        };
        // Ways of the source to write its equations.
        for tag in ["tendon_compliance_dynamics_mode", "activation_dynamics_smoothing"] {
            self.text(at, tag);
        }
        if made.activation == ActivationModel::Bilinear && self.stood_for.insert(at.tag.clone()) {
            let message = format!(
                "activations of {} are bilinear here, where OpenSim takes about the mean rate of rise and fall, in every muscle of this class",
                at.tag
            );
            self.findings.warn(at.span, message);
        }
        Ok(made)
    }

    /// Time is in units of `time_scale`, that of the fastest contraction of an optimal length. The source begins without
    /// activation, whatever `default_activation` says.
    fn schutte(&mut self, at: &'d Element) -> Result<Schutte1993, Diagnostic> {
        let sizes = self.sizes(at, [0.0; 2])?;
        let number = |tag: &str, default: f64| self.number(at, tag).map(|it| it.unwrap_or(default));
        let scale = number("time_scale", 0.1)?;
        let [rise, fall] = [number("activation1", 7.667)?, number("activation2", 1.459_854)?];
        let is_instant = sizes.activation == ActivationModel::Instant;
        let activation =
            if is_instant { ActivationModel::Instant } else { ActivationModel::ByExcitation };
        let has_curve = self.has_curve(at, "passive_force_length_curve");
        let made = Schutte1993 {
            max_isometric_force: sizes.force,
            optimal_fibre_length: sizes.optimal,
            tendon_slack_length: sizes.slack,
            pennation: sizes.pennation,
            max_contraction_velocity: 1.0 / scale,
            fibre_damping: number("damping", 0.1)?,
            tendon: sizes.tendon,
            passive: if has_curve { SchuttePassive::Spline } else { SchuttePassive::Exponential },
            activation,
            activation_time: scale / (rise + fall),
            deactivation_time: scale / fall,
            ..Schutte1993::default()
        };
        self.warn_of_splines(at)?;
        Ok(made)
    }

    /// The curve of a name, as one child or another.
    fn curve<'e>(&'e self, at: &'e Element, name: &str) -> Option<&'e Element> {
        at.object(name).or_else(|| self.property(at, name)).filter(|it| !it.is_void())
    }

    fn has_curve(&self, at: &Element, name: &str) -> bool {
        self.curve(at, name).is_some()
    }

    /// Warns where the splines of Schutte's muscle are not those of OpenSim's class.
    fn warn_of_splines(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        for (name, own, longest) in SPLINES {
            let Some(curve) = self.curve(at, name) else { continue };
            let (function, span) = (self.function(curve)?, curve.span);
            let differs = |k: u32| {
                let x = longest * f64::from(k) / 50.0;
                let off = |y: f64| (y.max(0.0) - own(x)).abs() > 1e-6 * (1.0 + y.abs());
                function.of(&[x]).is_none_or(off)
            };
            if (0..=50).any(differs) {
                let message = format!(
                    "<{name}> of {} is not here: it is the default of its class",
                    at.label()
                );
                self.findings.warn(span, message);
            }
        }
        Ok(())
    }

    fn millard(&mut self, at: &'d Element) -> Result<Millard2012, Diagnostic> {
        let sizes = self.sizes(at, [0.01, 0.04])?;
        let curve = |tag: &str, property: &str, default: f64| match self.property(at, tag) {
            Some(curve) => self.number(curve, property).map(|it| it.unwrap_or(default)),
            None => Ok(default),
        };
        let active = |property: &str, default| curve("ActiveForceLengthCurve", property, default);
        let passive = |property: &str, default| curve("FiberForceLengthCurve", property, default);
        let usual = Millard2012::default();
        let [shortest, longest] = [usual.shortest_active_length, usual.longest_active_length];
        let made = Millard2012 {
            max_isometric_force: sizes.force,
            optimal_fibre_length: sizes.optimal,
            tendon_slack_length: sizes.slack,
            pennation: sizes.pennation,
            max_contraction_velocity: sizes.velocity,
            fibre_damping: self.number(at, "fiber_damping")?.unwrap_or(0.1),
            tendon: sizes.tendon,
            activation: sizes.activation,
            activation_time: sizes.activation_time,
            deactivation_time: sizes.deactivation_time,
            least_activation: sizes.least,
            start_activation: sizes.start,
            least_active_force: active("minimum_value", 0.1)?,
            shortest_active_length: active("min_norm_active_fiber_length", shortest)?,
            transition_length: active("transition_norm_fiber_length", usual.transition_length)?,
            longest_active_length: active("max_norm_active_fiber_length", longest)?,
            shallow_slope: active("shallow_ascending_slope", usual.shallow_slope)?,
            muscle_slack_strain: passive("strain_at_zero_force", usual.muscle_slack_strain)?,
            muscle_strain: passive("strain_at_one_norm_force", usual.muscle_strain)?,
            muscle_low_stiffness: passive("stiffness_at_low_force", usual.muscle_low_stiffness)?,
            muscle_stiffness: passive("stiffness_at_one_norm_force", usual.muscle_stiffness)?,
            muscle_curviness: passive("curviness", usual.muscle_curviness)?,
            tendon_strain: curve("TendonForceLengthCurve", "strain_at_one_norm_force", 0.049)?,
            ..usual
        };
        self.warn_of_curves(at)?;
        Ok(made)
    }

    /// Warns where curves that are fixed here have other numbers than the published ones.
    fn warn_of_curves(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        for (curve, property, value) in USUAL {
            let Some(curve) = at.child(curve) else { continue };
            // What the published curves have needs no word.
            if self.number(curve, property)?.is_some_and(|it| (it - value).abs() > 1e-9) {
                let span = self.blamed(curve, property, "").span;
                let message = format!(
                    "<{property}> of {} is not here: it is {value}, as published",
                    at.label()
                );
                self.findings.warn(span, message);
            }
        }
        Ok(())
    }
}

/// A function of one number.
type Curve = fn(f64) -> f64;

/// Splines of Schutte's muscle, and the greatest lengths over optimal ones, and strain, at which they are compared.
const SPLINES: [(&str, Curve, f64); 3] = [
    ("active_force_length_curve", Schutte1993::active_force, 1.8),
    ("passive_force_length_curve", Schutte1993::passive_force, 1.6),
    ("tendon_force_length_curve", Schutte1993::tendon_force, 0.1),
];

/// Numbers of curves that are fixed here.
const USUAL: [(&str, &str, f64); 8] = [
    ("ForceVelocityCurve", "concentric_slope_at_vmax", 0.0),
    ("ForceVelocityCurve", "concentric_slope_near_vmax", 0.25),
    ("ForceVelocityCurve", "isometric_slope", 5.0),
    ("ForceVelocityCurve", "eccentric_slope_at_vmax", 0.0),
    ("ForceVelocityCurve", "eccentric_slope_near_vmax", 0.15),
    ("ForceVelocityCurve", "max_eccentric_velocity_force_multiplier", 1.4),
    ("TendonForceLengthCurve", "norm_force_at_toe_end", 2.0 / 3.0),
    ("TendonForceLengthCurve", "curviness", 0.5),
];
