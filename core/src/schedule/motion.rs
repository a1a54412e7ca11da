//! Properties that are set in the state of a run, not in its model: where particles and bodies are, how
//! fast they move, and coordinates of joints.

use std::collections::BTreeSet;

use nalgebra::UnitQuaternion;

use crate::component::{Address, ComponentId, Handle, Kind};
use crate::dynamics::turn_between;
use crate::model::{
    Anchor, CustomJoint, FrameSite, Joint, Model, Particle, PointConstrainer, RigidBody,
};
use crate::property::{Components, PropertyError, PropertyRef, Value};
use crate::simulated::{Simulated, coordinates, frames};
use crate::system::State;

/// The object whose motion a property is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moving {
    Particle(Handle<Particle>),
    Body(Handle<RigidBody>),
    /// Joint, and number of the coordinate.
    Coordinate(ComponentId, usize),
}

impl Moving {
    /// `None` for a property of the model, and for what is fixed or prescribed, which is where its model says.
    pub(super) fn of(model: &Model, property: &PropertyRef) -> Option<Self> {
        let Address::Component(id) = property.host() else { return None };
        let name = property.info().name;
        match id.kind() {
            Kind::Particle => {
                let particle = id.typed::<Particle>()?;
                let moves = !model.get(particle)?.fixed;
                let ours = moves && matches!(name, "position" | "velocity");
                ours.then_some(Self::Particle(particle))
            }
            Kind::RigidBody => {
                let body = id.typed::<RigidBody>()?;
                let moves = model.get(body)?.dynamic;
                let names = ["pose", "position", "velocity", "angular_velocity"];
                (moves && names.contains(&name)).then_some(Self::Body(body))
            }
            _ => {
                let (joint, at) = model.coordinate_of(property)?;
                Some(Self::Coordinate(joint, at))
            }
        }
    }
}

/// Puts a value that fits the property into `state`, which is that of the view.
pub(super) fn set_motion(
    view: &Simulated<'_>,
    moving: Moving,
    property: &PropertyRef,
    value: &Value,
    state: &mut State,
) -> Result<(), PropertyError> {
    let absent = |why| view.model.absent(property, why);
    match moving {
        Moving::Particle(particle) => {
            let row = view.compiled.block_of_particle(particle);
            match (property.info().name, value) {
                ("position", Value::Vector(x)) => state.q[row] = *x,
                (_, Value::Vector(v)) => state.u[row] = *v,
                _ => return Err(view.model.type_error(property, value)),
            }
            Ok(())
        }
        Moving::Body(body) => set_body(view, body, property.info().name, value, state)
            .ok_or_else(|| absent("it is not part of the compiled model")),
        Moving::Coordinate(joint, at) => {
            let Value::Real(value) = *value else { return Ok(()) };
            set_coordinate(view, joint, (at, value), state)
                .ok_or_else(|| absent("no side of the joint is free to move"))
        }
    }
}

fn set_body(
    view: &Simulated<'_>,
    body: Handle<RigidBody>,
    name: &str,
    value: &Value,
    state: &mut State,
) -> Option<()> {
    let rows = view.compiled.body_rows(body)?;
    let (mut pose, mut velocity, mut angular_velocity) =
        view.compiled.body_motion(body, view.state)?;
    match (name, value) {
        ("pose", Value::Pose(new)) => pose = *new,
        ("position", Value::Vector(x)) => pose.translation.vector = *x,
        ("velocity", Value::Vector(v)) => velocity = *v,
        ("angular_velocity", Value::Vector(w)) => angular_velocity = *w,
        _ => return None,
    }
    let (row, arm) = (rows.row as usize, pose.rotation * rows.inertia.center_of_mass());
    if matches!(name, "pose" | "position") {
        state.q[row] = pose.translation.vector + arm;
    }
    if name == "pose" {
        state.q[row + 1] = turn_between(&UnitQuaternion::identity(), &pose.rotation);
    }
    (state.u[row], state.u[row + 1]) = (velocity + angular_velocity.cross(&arm), angular_velocity);
    Some(())
}

/// Moves the side of frame C, or of D where that of C is fixed, to where a coordinate has a value [m or
/// rad]: all bodies that hang on it, or the one body where these lead around to what is fixed.
fn set_coordinate(
    view: &Simulated<'_>,
    id: ComponentId,
    (at, value): (usize, f64),
    state: &mut State,
) -> Option<()> {
    let joint = view.model.joint(id)?;
    let [c, d] = frames(view, joint.sides)?;
    let mut values = coordinates(view, id)?;
    *values.get_mut(at)? = value;
    let pose = joint.law.pose(&values);
    if let Some(known) = view.compiled.coordinates_of(id) {
        state.coordinates.get_mut(known)?.copy_from_slice(&values);
    }
    let free =
        |site: &FrameSite| site.body.filter(|&b| view.model.get(b).is_some_and(|b| b.dynamic));
    let (first, map) = match (free(joint.sides[0]), free(joint.sides[1])) {
        (Some(body), _) => (body, d.pose * pose * c.pose.inverse()),
        (None, Some(body)) => (body, c.pose * pose.inverse() * d.pose.inverse()),
        _ => return None,
    };
    for body in hanging_on(view.model, first, id) {
        let row = view.compiled.body_rows(body)?.row as usize;
        state.q[row] = map.transform_point(&state.q[row].into()).coords;
        let turn = map.rotation * UnitQuaternion::new(state.q[row + 1]);
        state.q[row + 1] = turn_between(&UnitQuaternion::identity(), &turn);
        for velocity in &mut state.u[row..row + 2] {
            *velocity = map.rotation * *velocity;
        }
    }
    Some(())
}

/// The bodies that are joined to `first` otherwise than by `joint`, by way of others too; only itself
/// where these lead to what is fixed, or to the other side of the joint.
fn hanging_on(
    model: &Model,
    first: Handle<RigidBody>,
    joint: ComponentId,
) -> Vec<Handle<RigidBody>> {
    let joined = links(model, Some(joint));
    let other = model.joint(joint).map(|it| it.sides.map(|site| site.body));
    let across: Vec<_> = other.into_iter().flatten().filter(|&body| body != Some(first)).collect();
    let fixed = |body: Option<Handle<RigidBody>>| {
        let fixed = |body| model.get(body).is_none_or(|body: &RigidBody| !body.dynamic);
        body.is_none_or(fixed) || across.contains(&body)
    };
    let (mut found, mut open) = (BTreeSet::from([first.id()]), vec![first]);
    let mut bodies = vec![first];
    while let Some(body) = open.pop() {
        for link in joined.iter().filter(|link| link.contains(&Some(body))) {
            let next = if link[0] == Some(body) { link[1] } else { link[0] };
            if fixed(next) {
                return vec![first];
            }
            let Some(next) = next else { continue };
            if found.insert(next.id()) {
                open.push(next);
                bodies.push(next);
            }
        }
    }
    bodies
}

/// Pairs that joints and constrainers connect, without one joint: bodies, or a body and the ground.
pub(super) fn links(
    model: &Model,
    without: Option<ComponentId>,
) -> Vec<[Option<Handle<RigidBody>>; 2]> {
    let body_of = |point| (model as &dyn Components).body_of(point);
    let of_kinds = model.iter::<Joint>().map(|(id, it)| (id.id(), it.enabled, [&it.c, &it.d]));
    let custom = model.iter::<CustomJoint>();
    let custom = custom.map(|(id, it)| (id.id(), it.enabled, [&it.c, &it.d]));
    let joints = of_kinds.chain(custom).filter(|it| it.1 && Some(it.0) != without);
    let joints = joints.map(|it| it.2.map(|site| site.body));
    let fixed = model.iter::<PointConstrainer>().filter(|(_, it)| it.enabled);
    let fixed = fixed.filter_map(|(_, it)| {
        let body = body_of(it.point)?;
        match it.anchor {
            Anchor::Frame(site) => Some([Some(body), site.body]),
            Anchor::Point(point) => Some([Some(body), Some(body_of(point)?)]),
        }
    });
    joints.chain(fixed).collect()
}
