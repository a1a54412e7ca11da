//! Properties of joints and point constraints in a state of the simulation: coordinates, errors,
//! forces.

use crate::Vec3;
use crate::component::Invalidates;
use crate::constraint::JointKind;
use crate::kinds::Joint;
use crate::property::{Item, ItemAccess, Property, Refusal, Value, composite, properties};

/// The number of the coordinate of which `name` is the value: `coordinate.theta.value`.
pub(crate) fn coordinate_index(kind: &JointKind, name: &str) -> Option<usize> {
    let name = name.strip_prefix("coordinate.")?.strip_suffix(".value")?;
    kind.coordinate_specs().iter().position(|spec| spec.name == name)
}

/// Lines for what a joint does.
pub(super) fn joint_table() -> Vec<Property<Joint>> {
    let mut table = Vec::new();
    properties! { @lines table Joint;
        "speeds": Vec<f64> = Vec::new(), "m/s, rad/s", FINITE, NOTHING, "Rates of its coordinates", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on the body of frame C at the origin of C, mean over the last step; zero before the first", simulated ();
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment on the body of frame C about the origin of C, world axes, mean over the last step", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, in the order of its kind, mean over the last step", simulated ();
    }
    table
}

/// Lines for the values of coordinates.
pub(super) fn value_table(items: Vec<Item>) -> Vec<Property<Joint>> {
    let access = ItemAccess {
        get: |_: &Joint, _: &str| None,
        set: Some(|_: &mut Joint, _: &str, _: &Value| Err(IN_A_SIMULATION)),
        check: None,
    };
    let mut lines = composite("coordinate", Invalidates::NOTHING, items, &access);
    for line in &mut lines {
        line.info.simulated = true;
    }
    lines
}

pub(super) const IN_A_SIMULATION: Refusal =
    Refusal::Value("a model has none: it is set in a simulation, where it moves the bodies");
