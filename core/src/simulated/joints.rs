//! Joints, couplings, actuators and constraints of points in a state of the simulation: coordinates, errors, forces.

use super::view::{Simulated, readers};
use crate::Vec3;
use crate::component::{ComponentId, Handle};
use crate::constraint::{FrameMotion, JointRow, calc_relative_pose};
use crate::model::{
    ClosedVolume, CoordinateActuator, CustomConstrainer, CustomJoint, FrameSite, Joint,
    JointCoordinateCoupling, Model, MuscleExciter, PointConstrainer, SegmentedPlane,
};
use crate::property::{PropertyRef, Value};

/// Present values of the properties of a joint that the model has of its start, and of each
/// coordinate.
pub(crate) fn joint_now(s: &Simulated<'_>, property: &PropertyRef) -> Option<Value> {
    let joint = property.host().component();
    match property.info().name {
        "coordinates" => coordinates(s, joint).map(Value::List),
        "errors" => errors(s, joint.typed()?).map(Value::List),
        _ => {
            let (joint, at) = s.model.coordinate_of(property)?;
            coordinates(s, joint)?.get(at).copied().map(Value::Real)
        }
    }
}

/// Frames C and D.
pub(crate) fn frames(s: &Simulated<'_>, [c, d]: [&FrameSite; 2]) -> Option<[FrameMotion; 2]> {
    Some([s.frame(c)?, s.frame(d)?])
}

/// Coordinates [m and rad]: of those that describe the same pose, the ones nearest to what the state has.
pub(crate) fn coordinates(s: &Simulated<'_>, joint: ComponentId) -> Option<Vec<f64>> {
    let known = s.compiled.coordinates_of(joint).and_then(|known| s.state.coordinates.get(known));
    let joint = s.model.joint(joint)?;
    let [c, d] = frames(s, joint.sides)?;
    let before = known.map_or_else(|| joint.start(s.model), |known| Some(known.to_vec()))?;
    let mut now = before.clone();
    joint.law.calc_coordinates(&calc_relative_pose(&c, &d), &before, &mut now);
    Some(now)
}

/// Rates of the coordinates [m/s and rad/s].
fn speeds(s: &Simulated<'_>, joint: Handle<Joint>) -> Option<Vec<f64>> {
    let at = coordinates(s, joint.id())?;
    let joint = s.model.get(joint)?;
    let [c, d] = frames(s, [&joint.c, &joint.d])?;
    let mut rows = vec![JointRow::ZERO; at.len()];
    joint.settings.kind.calc_coordinate_rows(&c, &d, &at, &mut rows);
    Some(rows.iter().map(|row| row.rate(&c, &d)).collect())
}

/// Errors of the rows [m and rad].
fn errors(s: &Simulated<'_>, joint: Handle<Joint>) -> Option<Vec<f64>> {
    let joint = s.model.get(joint)?;
    let [c, d] = frames(s, [&joint.c, &joint.d])?;
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
fn wrench(s: &Simulated<'_>, joint: ComponentId) -> Option<[Vec3; 2]> {
    let sides = s.model.joint(joint)?.sides;
    let [c, d] = frames(s, sides)?;
    let forces = row_forces(s, joint)?;
    let (body, side, sign) = match sides[0].body {
        Some(body) => (body, c, 1.0),
        None => (sides[1].body?, d, -1.0),
    };
    let row = s.compiled.body_rows(body)?.row as usize;
    let (force, moment) = (forces[row] * sign, forces[row + 1] * sign);
    Some([force, moment + (side.centre - c.pose.translation.vector).cross(&force)])
}

/// Excitation of a component by all exciters at a time [s], through other exciters too [-]; `None`
/// where nothing drives it.
pub(crate) fn excitation_given_to(model: &Model, target: ComponentId, time: f64) -> Option<f64> {
    let mut sum = None;
    for (handle, exciter) in model.iter::<MuscleExciter>() {
        for excited in exciter.targets.iter().filter(|it| it.target == target) {
            let own = exciter.excitation * exciter.schedule.at(time);
            // Exciters were checked to drive each other in no circle.
            let whole = own + excitation_given_to(model, handle.id(), time).unwrap_or(0.0);
            sum = Some(sum.unwrap_or(0.0) + excited.gain * whole);
        }
    }
    sum
}

/// Force or moment of an actuator on its coordinate [N or N m].
fn actuator_force(s: &Simulated<'_>, handle: Handle<CoordinateActuator>) -> Option<f64> {
    let it = s.model.get(handle)?;
    let own = it.excitation * it.schedule.at(s.state.time);
    let given = excitation_given_to(s.model, handle.id(), s.state.time);
    let excitation = given.map_or(own, |given| (own + given).clamp(-1.0, 1.0));
    Some(if it.enabled { it.max_force * excitation } else { 0.0 })
}

/// First errors of the rows of a component [m and rad].
fn row_errors(s: &Simulated<'_>, owner: impl Into<ComponentId>) -> Option<Vec<f64>> {
    let values = s.compiled.row_values(s.state);
    Some(values.get(s.compiled.rows_of(owner)?)?.iter().map(|row| row[0]).collect())
}

readers! { pub(super) JOINT: Joint {
    "speeds": Vec<f64> = speeds;
    "force": Vec3 = |s, j| Some(wrench(s, j.id())?[0]);
    "moment": Vec3 = |s, j| Some(wrench(s, j.id())?[1]);
    "multipliers": Vec<f64> = |s, j| multipliers(s, j.id());
} }

readers! { pub(super) POINT_CONSTRAINER: PointConstrainer {
    "errors": Vec<f64> = |s, it| row_errors(s, it);
    "force": Vec3 = |s, it| {
        let row = s.row(s.model.get(it)?.point)?;
        Some(row_forces(s, it.id())?[row])
    };
    "multipliers": Vec<f64> = |s, it| multipliers(s, it.id());
} }

readers! { pub(super) CUSTOM_JOINT: CustomJoint {
    "coordinates": Vec<f64> = |s, it| coordinates(s, it.id());
    "force": Vec3 = |s, it| Some(wrench(s, it.id())?[0]);
    "moment": Vec3 = |s, it| Some(wrench(s, it.id())?[1]);
    "multipliers": Vec<f64> = |s, it| multipliers(s, it.id());
} }

readers! { pub(super) CUSTOM_CONSTRAINER: CustomConstrainer {
    "errors": Vec<f64> = |s, it| row_errors(s, it);
    "multipliers": Vec<f64> = |s, it| multipliers(s, it.id());
} }

readers! { pub(super) COUPLING: JointCoordinateCoupling {
    "error": f64 = |s, it| row_errors(s, it)?.first().copied();
    "multiplier": f64 = |s, it| multipliers(s, it.id())?.first().copied();
} }

readers! { pub(super) COORDINATE_ACTUATOR: CoordinateActuator {
    "force": f64 = actuator_force;
} }

readers! { pub(super) SEGMENTED_PLANE: SegmentedPlane {
    "distance": f64 = |s, it| {
            let it = s.model.get(it)?;
            let at = s.frame(&it.frame)?.pose.inverse_transform_point(&s.motion(it.point)?.0.into());
            Some(it.planes()?.distance(&at.coords).0)
        };
} }

readers! { pub(super) CLOSED_VOLUME: ClosedVolume {
    "volume": f64 = |s, it| Some(s.compiled.volume_and_pressure(it, s.state)?[0]);
    "pressure": f64 = |s, it| Some(s.compiled.volume_and_pressure(it, s.state)?[1]);
} }
