//! Laws along paths as classes of OpenSim.

use sinew::axial::active::{
    DeGrooteFregly2016, Millard2012, Schutte1993, SchuttePassive, TendonModel, Thelen2003,
};
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw};

use super::super::muscles::THELEN_FACTOR;
use super::element::Element;

/// A class with its properties, and what of the law it does not have.
pub(super) struct Class {
    pub(super) tag: &'static str,
    pub(super) properties: Vec<Element>,
    pub(super) lacks: Option<&'static str>,
}

impl Class {
    fn of(tag: &'static str, properties: Vec<Element>, lacks: Option<&'static str>) -> Self {
        Self { tag, properties, lacks }
    }
}

/// The class of a law along a path with a rest length [m]; `None` where no class has it.
pub(super) fn class(law: &AxialLaw, rest_length: f64) -> Option<Class> {
    let number = |tag: &'static str, value: f64| Element::text(tag, value);
    let slack = |own: f64| if own > 0.0 { own } else { rest_length };
    let damped = |damping: f64| (damping != 0.0).then_some("damping");
    Some(match law {
        AxialLaw::ConstantMuscle(it) => {
            let lacks = (it.passive_fraction != 0.0).then_some("passive force");
            let properties = vec![number("optimal_force", it.max_force)];
            Class::of("PathActuator", properties, lacks.or(damped(it.damping)))
        }
        AxialLaw::UnidirectionalLinear(it) => {
            let rest = number("resting_length", rest_length);
            let properties =
                vec![number("stiffness", it.stiffness), rest, number("dissipation", 0.0)];
            Class::of("PathSpring", properties, damped(it.damping))
        }
        AxialLaw::AxialLigament(it) => {
            let rest = number("resting_length", slack(it.slack_length));
            let properties = vec![rest, number("pcsa_force", it.max_force)];
            Class::of("Ligament", properties, damped(it.damping))
        }
        AxialLaw::Blankevoort1991(it) => {
            let properties = vec![
                number("linear_stiffness", it.linear_stiffness),
                number("transition_strain", it.transition_strain),
                number("damping_coefficient", it.damping),
                number("slack_length", slack(it.slack_length)),
            ];
            Class::of("Blankevoort1991Ligament", properties, None)
        }
        _ => return muscle_class(law),
    })
}

/// The class of a muscle with a tendon in series.
fn muscle_class(law: &AxialLaw) -> Option<Class> {
    Some(match law {
        AxialLaw::Thelen2003(it) => {
            let has_other_curve = it.lengthening_factor != THELEN_FACTOR;
            let lacks = has_other_curve.then_some("lengthening factor but 2");
            Class::of("Thelen2003Muscle", thelen(it), first_order(it.activation).or(lacks))
        }
        AxialLaw::DeGrooteFregly2016(it) => {
            let properties = de_groote_fregly(it);
            Class::of("DeGrooteFregly2016Muscle", properties, first_order(it.activation))
        }
        AxialLaw::Millard2012(it) => {
            Class::of("Millard2012EquilibriumMuscle", millard(it), first_order(it.activation))
        }
        AxialLaw::Schutte1993(it) => {
            let lacks = match (it.activation, it.tendon, it.passive) {
                (
                    ActivationModel::ByExcitation,
                    TendonModel::Elastic,
                    SchuttePassive::Exponential,
                ) => None,
                _ => Some("rigid tendon, passive spline or activation dynamics but its own"),
            };
            Class::of("Schutte1993Muscle_Deprecated", schutte(it), lacks)
        }
        _ => return None,
    })
}

/// Properties of a law with this activation that its class does not have.
fn first_order(model: ActivationModel) -> Option<&'static str> {
    match model {
        ActivationModel::Instant | ActivationModel::Bilinear => None,
        ActivationModel::FirstOrder => {
            Some("activation dynamics of first order, but bilinear ones")
        }
        ActivationModel::ByExcitation => {
            Some("activation dynamics by excitation, but bilinear ones")
        }
    }
}

/// True where a class that has no activation dynamics stands for a law with some.
pub(super) fn loses_activation(law: &AxialLaw, activation: &ActivationDynamics) -> bool {
    matches!(law, AxialLaw::ConstantMuscle(_)) && activation.model != ActivationModel::Instant
}

/// Sizes and times of all muscles: force, optimal length, slack length, pennation, velocity, times, activation at the
/// start.
fn sizes(numbers: [f64; 8], tendon: TendonModel, activation: ActivationModel) -> Vec<Element> {
    let tags = [
        "max_isometric_force",
        "optimal_fiber_length",
        "tendon_slack_length",
        "pennation_angle_at_optimal",
        "max_contraction_velocity",
        "activation_time_constant",
        "deactivation_time_constant",
        "default_activation",
    ];
    let mut made: Vec<Element> =
        tags.into_iter().zip(numbers).map(|(tag, number)| Element::text(tag, number)).collect();
    made.push(Element::text("ignore_tendon_compliance", tendon == TendonModel::Rigid));
    made.push(Element::text("ignore_activation_dynamics", activation == ActivationModel::Instant));
    made
}

fn thelen(it: &Thelen2003) -> Vec<Element> {
    let numbers = [
        it.max_isometric_force,
        it.optimal_fibre_length,
        it.tendon_slack_length,
        it.pennation,
        it.max_contraction_velocity,
        it.activation_time,
        it.deactivation_time,
        it.start_activation,
    ];
    let mut made = sizes(numbers, it.tendon, it.activation);
    made.push(Element::text("minimum_activation", it.least_activation));
    made.extend([
        Element::text("FmaxTendonStrain", it.tendon_strain),
        Element::text("FmaxMuscleStrain", it.muscle_strain),
        Element::text("KshapeActive", it.active_shape),
        Element::text("KshapePassive", it.passive_shape),
        Element::text("Af", it.velocity_shape),
        Element::text("Flen", it.lengthening_force),
        Element::text("fv_linear_extrap_threshold", it.linear_threshold),
    ]);
    if it.fibre_damping != 0.0 {
        made.push(Element::text("fiber_damping", it.fibre_damping));
    }
    made
}

/// Passive forces of which no more is said are fitted to the strains there, as it is here where the stiffness is zero.
fn millard(it: &Millard2012) -> Vec<Element> {
    let numbers = [
        it.max_isometric_force,
        it.optimal_fibre_length,
        it.tendon_slack_length,
        it.pennation,
        it.max_contraction_velocity,
        it.activation_time,
        it.deactivation_time,
        it.start_activation,
    ];
    let mut made = sizes(numbers, it.tendon, it.activation);
    made.push(Element::text("minimum_activation", it.least_activation));
    let mut passive = vec![
        Element::text("strain_at_zero_force", it.muscle_slack_strain),
        Element::text("strain_at_one_norm_force", it.muscle_strain),
    ];
    if it.muscle_stiffness > 0.0 {
        passive.extend([
            Element::text("stiffness_at_low_force", it.muscle_low_stiffness),
            Element::text("stiffness_at_one_norm_force", it.muscle_stiffness),
            Element::text("curviness", it.muscle_curviness),
        ]);
    }
    made.extend([
        Element::text("fiber_damping", it.fibre_damping),
        Element::named("ActiveForceLengthCurve", "ActiveForceLengthCurve").with([
            Element::text("min_norm_active_fiber_length", it.shortest_active_length),
            Element::text("transition_norm_fiber_length", it.transition_length),
            Element::text("max_norm_active_fiber_length", it.longest_active_length),
            Element::text("shallow_ascending_slope", it.shallow_slope),
            Element::text("minimum_value", it.least_active_force),
        ]),
        Element::named("FiberForceLengthCurve", "FiberForceLengthCurve").with(passive),
        Element::named("TendonForceLengthCurve", "TendonForceLengthCurve")
            .with([Element::text("strain_at_one_norm_force", it.tendon_strain)]),
    ]);
    made
}

fn de_groote_fregly(it: &DeGrooteFregly2016) -> Vec<Element> {
    let numbers = [
        it.max_isometric_force,
        it.optimal_fibre_length,
        it.tendon_slack_length,
        it.pennation,
        it.max_contraction_velocity,
        it.activation_time,
        it.deactivation_time,
        // OpenSim takes none that is 0.
        it.start_activation.max(1e-6),
    ];
    let mut made = sizes(numbers, it.tendon, it.activation);
    let strain = if it.muscle_strain > 0.0 { it.muscle_strain } else { 0.6 };
    made.extend([
        Element::text("fiber_damping", it.fibre_damping),
        Element::text("active_force_width_scale", it.active_width),
        Element::text("passive_fiber_strain_at_one_norm_force", strain),
        Element::text("tendon_strain_at_one_norm_force", it.tendon_strain),
        Element::text("ignore_passive_fiber_force", it.muscle_strain <= 0.0),
    ]);
    made
}

/// Times are over that of the fastest contraction of an optimal length.
fn schutte(it: &Schutte1993) -> Vec<Element> {
    let scale = 1.0 / it.max_contraction_velocity;
    let fall = scale / it.deactivation_time;
    let numbers = [
        ("max_isometric_force", it.max_isometric_force),
        ("optimal_fiber_length", it.optimal_fibre_length),
        ("tendon_slack_length", it.tendon_slack_length),
        ("pennation_angle_at_optimal", it.pennation),
        ("default_activation", it.start_activation),
        ("time_scale", scale),
        ("activation1", scale / it.activation_time - fall),
        ("activation2", fall),
        ("damping", it.fibre_damping),
    ];
    numbers.into_iter().map(|(tag, number)| Element::text(tag, number)).collect()
}
