//! A person who stands on both feet and is pushed: the body of the tables, held up by the stiffness and damping that
//! ankles, knees and hips are given (Winter1998); all other joints are locked.

use nalgebra::Isometry3;
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::contact::ColliderShape;
use sinew::model::{
    Collider, CollisionBehavior, CoordinateActuator, FrameMarker, Joint, JointCoordinate,
    Measurand, Measured, Model, PointLoad, RigidBody, Schedule, Sensor,
};

use crate::body::{Base, Body, BodyParams, Person, body};
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// A push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceParams {
    /// The person.
    pub person: Person,
    /// Force of the push on the thorax, forward [N].
    pub push: f64,
    /// Scale of the stiffness and damping of all joints [-]; 0 for none.
    pub control: f64,
}

impl Default for StanceParams {
    fn default() -> Self {
        Self { person: Person::default(), push: 60.0, control: 1.0 }
    }
}

/// Begin and end of the push [s].
pub const PUSH: [f64; 2] = [0.5, 0.7];
/// Joint, coordinate, stiffness [N m/rad] and damping [N m s/rad] on each side of a person of 74 kg and 1.78 m.
/// The ankles of both sides are together twice as stiff as gravity topples (Winter1998).
const STIFFNESS: [(&str, &str, f64, f64); 3] = [
    ("ankle", "roll", 700.0, 150.0),
    ("knee", "theta", 1000.0, 80.0),
    ("hip", "roll", 1000.0, 120.0),
];
/// Moment of a motor at an excitation of 1 [N m].
const STRENGTH: f64 = 300.0;
/// Balls below the sole: their radius and places over the length of the foot from the ankle, forward and to the left.
const BALL: f64 = 0.04;
const SOLE: [[f64; 2]; 4] = [[-0.18, 0.08], [-0.18, -0.08], [0.47, 0.13], [0.47, -0.10]];
/// Height of the ankle over the sole over the stature (Drillis1966).
const ANKLE: f64 = 0.039;

impl StanceParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let person = Person {
            stature: params.f64("stature", default.person.stature, Range::Closed(1.0, 2.3))?,
            mass: params.f64("mass", default.person.mass, Range::Closed(20.0, 250.0))?,
            ..default.person
        };
        let stance = Self {
            person,
            push: params.f64("push", default.push, Range::ANY)?,
            control: params.f64("control", default.control, Range::NOT_NEGATIVE)?,
        };
        params.finish()?;
        Ok(stance)
    }
}

/// The person as a model.
///
/// # Errors
/// Those of the body.
pub fn stance(params: &StanceParams) -> Result<Model, ParamError> {
    let of = BodyParams { person: params.person, base: Base::Free, ..BodyParams::default() };
    let Body { mut model, .. } = body(&of)?;
    lock(&mut model);
    let bodies: Vec<(Handle<RigidBody>, String)> =
        model.iter::<RigidBody>().map(|(handle, it)| (handle, it.name.clone())).collect();
    let foot_length = 0.1482 * params.person.stature;
    for (handle, name) in &bodies {
        if name.starts_with("foot") {
            let aside = if name.ends_with("_l") { 1.0 } else { -1.0 };
            add_sole(&mut model, *handle, (foot_length, aside), params.person.stature);
        }
        if name == "thorax" {
            push(&mut model, *handle, params.push);
        }
        if name == "head" {
            vestibule(&mut model, *handle);
        }
    }
    model.add(Collider::half_space(Isometry3::identity()).named("floor"));
    model.add(CollisionBehavior::everything(0.8).named("contact"));
    control(&mut model, params);
    Ok(model)
}

/// Locks all coordinates but those that feedback acts on.
fn lock(model: &mut Model) {
    let joints: Vec<Handle<Joint>> = model.iter::<Joint>().map(|(handle, _)| handle).collect();
    for handle in joints {
        let mut joint = model[handle].clone();
        let feedback = STIFFNESS.iter().find(|row| joint.name.starts_with(row.0));
        let specs = joint.settings.kind.coordinate_specs();
        for (spec, coordinate) in specs.iter().zip(&mut joint.settings.coordinates) {
            coordinate.locked = feedback.is_none_or(|row| row.1 != spec.name);
        }
        model[handle] = joint;
    }
}

/// Adds the balls that a foot stands on.
fn add_sole(model: &mut Model, foot: Handle<RigidBody>, (length, aside): (f64, f64), stature: f64) {
    let radius = BALL * length;
    for (k, [x, y]) in SOLE.into_iter().enumerate() {
        let at = Isometry3::translation(x * length, aside * y * length, radius - ANKLE * stature);
        let ball = Collider::on(foot, ColliderShape::Sphere { radius }).at(at);
        let name = format!("sole_{}{k}", if aside > 0.0 { "l" } else { "r" });
        model.add(ball.named(name));
    }
}

/// Adds the push: a force on the middle of the thorax for a while.
fn push(model: &mut Model, thorax: Handle<RigidBody>, force: f64) {
    let center = match model[thorax].spatial_inertia() {
        Ok(inertia) => inertia.center_of_mass(),
        Err(_) => Vec3::zeros(),
    };
    let marker = model.add(FrameMarker::new(thorax, center).named("chest"));
    let [begin, end] = PUSH;
    let mut load = PointLoad::new(marker, Vec3::x() * force);
    load.schedule =
        Schedule::Table(vec![[begin - 1e-6, 0.0], [begin, 1.0], [end, 1.0], [end + 1e-6, 0.0]]);
    model.add(load.named("push"));
}

/// Adds the sensors of the vestibular organ: the canals of both planes in pairs, in a head that is upright, and otoliths.
fn vestibule(model: &mut Model, head: Handle<RigidBody>) {
    let (half, of) = (0.5_f64.sqrt(), || vec![Measured::Component(head.id())]);
    for (name, axis) in [
        ("canal_lateral", Vec3::z()),
        ("canal_anterior", Vec3::new(half, half, 0.0)),
        ("canal_posterior", Vec3::new(-half, half, 0.0)),
    ] {
        let canal = Sensor::new(Measurand::SemicircularCanal, of());
        model.add(Sensor { axis, ..canal }.named(name));
    }
    model.add(Sensor::new(Measurand::Otolith, of()).named("otoliths"));
}

/// Adds a motor to each controlled coordinate, stiff about the upright pose. Its excitation is free for controllers.
fn control(model: &mut Model, params: &StanceParams) {
    let joints: Vec<(Handle<Joint>, String)> =
        model.iter::<Joint>().map(|(handle, it)| (handle, it.name.clone())).collect();
    // Moments of gravity grow with mass and stature.
    let scale = params.control * params.person.mass * params.person.stature / (74.0 * 1.78);
    for (joint, coordinate, stiffness, damping) in STIFFNESS {
        for (handle, name) in joints.iter().filter(|(_, name)| name.starts_with(joint)) {
            let of = JointCoordinate::new(*handle, coordinate);
            let mut motor = CoordinateActuator::new(of, STRENGTH).named(name.clone());
            motor.spring.stiffness = scale * stiffness;
            motor.spring.damping = scale * damping;
            model.add(motor);
        }
    }
}

/// `stance` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "stance",
    summary: "a person who stands by the stiffness of ankles, knees and hips, and is pushed; run it with --step 0.004 --time 3",
    params: &[
        ParamInfo::new("stature", "1.78", "m", "stature, 1 to 2.3"),
        ParamInfo::new("mass", "74", "kg", "mass, 20 to 250"),
        ParamInfo::new("push", "60", "N", "push on the thorax, forward, from 0.5 to 0.7 s"),
        ParamInfo::new("control", "1", "-", "scale of the stiffness; 0 for none: it falls"),
    ],
    build: |params| stance(&StanceParams::read(params)?),
};
