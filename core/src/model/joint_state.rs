//! What joints and point constraints show of a state of the simulation: coordinates, errors, forces.

use super::{Joint, PointConstrainer};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Invalidates};
use crate::constraint::{FrameMotion, JointKind, JointRow, calc_relative_pose};
use crate::property::{
    Item, ItemAccess, Property, PropertyType, Range, Refusal, Simulated, Value, composite,
    properties,
};

/// What a model has of the start of a joint, as it is now; and the value of each coordinate.
pub(crate) fn joint_now(s: &Simulated<'_>, joint: Handle<Joint>, name: &str) -> Option<Value> {
    match name {
        "coordinates" => coordinates(s, joint).map(Value::List),
        "errors" => errors(s, joint).map(Value::List),
        _ => {
            let at = coordinate_index(&s.model.get(joint)?.settings.kind, name)?;
            coordinates(s, joint)?.get(at).copied().map(Value::Real)
        }
    }
}

/// The number of the coordinate of which `name` is the value: `coordinate.theta.value`.
pub(crate) fn coordinate_index(kind: &JointKind, name: &str) -> Option<usize> {
    let name = name.strip_prefix("coordinate.")?.strip_suffix(".value")?;
    kind.coordinate_specs().iter().position(|spec| spec.name == name)
}

/// Frames C and D.
pub(crate) fn frames(s: &Simulated<'_>, joint: &Joint) -> Option<[FrameMotion; 2]> {
    Some([s.frame(&joint.c)?, s.frame(&joint.d)?])
}

/// Coordinates [m and rad]: of those that describe the same pose, the ones nearest to what the state has.
pub(crate) fn coordinates(s: &Simulated<'_>, joint: Handle<Joint>) -> Option<Vec<f64>> {
    let known = s.compiled.coordinates_of(joint).and_then(|known| s.state.coordinates.get(known));
    let joint = s.model.get(joint)?;
    let [c, d] = frames(s, joint)?;
    let before = known.map_or_else(|| joint.coordinates(s.model), |known| Some(known.to_vec()))?;
    let mut now = before.clone();
    joint.settings.kind.calc_coordinates(&calc_relative_pose(&c, &d), &before, &mut now);
    Some(now)
}

/// Rates of the coordinates [m/s and rad/s].
fn speeds(s: &Simulated<'_>, joint: Handle<Joint>) -> Option<Vec<f64>> {
    let at = coordinates(s, joint)?;
    let joint = s.model.get(joint)?;
    let [c, d] = frames(s, joint)?;
    let mut rows = vec![JointRow::ZERO; at.len()];
    joint.settings.kind.calc_coordinate_rows(&c, &d, &at, &mut rows);
    Some(rows.iter().map(|row| row.rate(&c, &d)).collect())
}

/// Errors of the rows [m and rad].
fn errors(s: &Simulated<'_>, joint: Handle<Joint>) -> Option<Vec<f64>> {
    let joint = s.model.get(joint)?;
    let [c, d] = frames(s, joint)?;
    let mut errors = vec![0.0; joint.settings.kind.row_count()];
    joint.settings.kind.calc_errors(&calc_relative_pose(&c, &d), &mut errors);
    Some(errors)
}

/// Mean forces of the rows over the last step [N and N m]; zero before the first.
fn multipliers(s: &Simulated<'_>, owner: ComponentId) -> Option<Vec<f64>> {
    if s.state.multipliers.is_empty() {
        return Some(vec![0.0; s.compiled.rows_of(owner)?.len()]);
    }
    s.compiled.multipliers_of(owner, s.state).map(<[f64]>::to_vec)
}

/// Forces of the rows of a component by block row [N], [N m]; zero before the first step.
fn row_forces(s: &Simulated<'_>, owner: ComponentId) -> Option<Vec<Vec3>> {
    let rows = s.compiled.rows_of(owner)?;
    let mut forces = vec![Vec3::zeros(); s.compiled.block_count()];
    if s.state.multipliers.is_empty() {
        return Some(forces);
    }
    if rows.end > s.state.multipliers.len() {
        return None;
    }
    s.compiled.add_constraint_forces(rows, s.state, &mut forces);
    Some(forces)
}

/// Force [N] and moment [N m] of a joint on the side of frame C, about the origin of C.
fn wrench(s: &Simulated<'_>, handle: Handle<Joint>) -> Option<[Vec3; 2]> {
    let joint = s.model.get(handle)?;
    let [c, d] = frames(s, joint)?;
    let forces = row_forces(s, handle.id())?;
    let (body, side, sign) = match joint.c.body {
        Some(body) => (body, c, 1.0),
        None => (joint.d.body?, d, -1.0),
    };
    let row = s.compiled.body_rows(body)?.row as usize;
    let (force, moment) = (forces[row] * sign, forces[row + 1] * sign);
    Some([force, moment + (side.centre - c.pose.translation.vector).cross(&force)])
}

/// Lines for what a joint does.
pub(super) fn joint_table() -> Vec<Property<Joint>> {
    let mut table = Vec::new();
    properties! { @lines table Joint;
        "speeds": Vec<f64> = Vec::new(), "m/s, rad/s", FINITE, NOTHING, "Rates of its coordinates", simulated (speeds);
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on the body of frame C at the origin of C, mean over the last step; zero before the first", simulated (|s: &Simulated<'_>, j| Some(wrench(s, j)?[0]));
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment on the body of frame C about the origin of C, world axes, mean over the last step", simulated (|s: &Simulated<'_>, j| Some(wrench(s, j)?[1]));
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, in the order of its kind, mean over the last step", simulated (|s: &Simulated<'_>, j: Handle<Joint>| multipliers(s, j.id()));
    }
    table
}

/// The value of a coordinate, which a running simulation sets.
pub(super) fn value_item(name: &'static str, unit: &'static str) -> Item {
    let doc = "Value of the coordinate; setting it in a simulation moves what hangs on frame C, or, \
               where that is held, on frame D";
    let (value_type, range, default) = (PropertyType::Real, Range::FINITE, Value::Real(0.0));
    Item { name, value_type, unit, range, default, doc }
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

const IN_A_SIMULATION: Refusal =
    Refusal::Value("a model has none: it is set in a simulation, where it moves the bodies");

/// Lines for what a point constraint does.
pub(super) fn constrainer_table() -> Vec<Property<PointConstrainer>> {
    let mut table = Vec::new();
    properties! { @lines table PointConstrainer;
        "errors": Vec<f64> = Vec::new(), "m", FINITE, NOTHING, "Errors of its rows", simulated (|s: &Simulated<'_>, it: Handle<PointConstrainer>| {
            let values = s.compiled.row_values(s.state);
            Some(values.get(s.compiled.rows_of(it)?)?.iter().map(|row| row[0]).collect())
        });
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on its point, mean over the last step; zero before the first", simulated (|s: &Simulated<'_>, it: Handle<PointConstrainer>| {
            let row = s.row(s.model.get(it)?.point)?;
            Some(row_forces(s, it.id())?[row])
        });
        "multipliers": Vec<f64> = Vec::new(), "N", FINITE, NOTHING, "Forces of its rows, mean over the last step", simulated (|s: &Simulated<'_>, it: Handle<PointConstrainer>| multipliers(s, it.id()));
    }
    table
}
