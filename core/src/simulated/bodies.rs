//! Rigid bodies, particles and markers in a state of the simulation: poses, velocities, momenta, forces.

use super::view::{Simulated, readers};
use crate::Vec3;
use crate::component::Handle;
use crate::model::{FrameMarker, Particle, PointRef, RigidBody};
use crate::property::Value;

/// A body in a state, without what is attached to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyNow {
    /// Mass [kg].
    pub(super) mass: f64,
    /// Centre of mass in the world [m].
    pub(super) center: Vec3,
    /// Velocity of the centre of mass [m/s].
    velocity: Vec3,
    /// Angular velocity [rad/s].
    angular_velocity: Vec3,
    /// Angular momentum about the centre of mass [kg m²/s].
    pub(super) angular_momentum: Vec3,
}

impl BodyNow {
    /// `None` when it was not compiled.
    pub(super) fn of(s: &Simulated<'_>, body: Handle<RigidBody>) -> Option<Self> {
        let rows = s.compiled.body_rows(body)?;
        let (pose, velocity, angular_velocity) = s.compiled.body_motion(body, s.state)?;
        // What is compiled has the inertia of all that is attached.
        let inertia = match s.mass(rows.row as usize) == rows.inertia.mass() {
            true => rows.inertia,
            false => s.model.get(body)?.spatial_inertia().ok()?,
        };
        let turn = pose.rotation;
        let arm = turn * inertia.center_of_mass();
        Some(Self {
            mass: inertia.mass(),
            center: pose.translation.vector + arm,
            velocity: velocity + angular_velocity.cross(&arm),
            angular_velocity,
            angular_momentum: turn * (inertia.rotational() * (turn.inverse() * angular_velocity)),
        })
    }

    /// [kg m/s]
    pub(super) fn momentum(&self) -> Vec3 {
        self.velocity * self.mass
    }

    /// [J]
    pub(super) fn kinetic_energy(&self) -> f64 {
        0.5 * (self.momentum().dot(&self.velocity)
            + self.angular_momentum.dot(&self.angular_velocity))
    }
}

/// Present values of the properties of a body that the model has of its start.
pub(super) fn pose_now(s: &Simulated<'_>, body: Handle<RigidBody>, name: &str) -> Option<Value> {
    let (pose, velocity, angular_velocity) = s.compiled.body_motion(body, s.state)?;
    Some(match name {
        "pose" => Value::Pose(pose),
        "position" => Value::Vector(pose.translation.vector),
        "orientation" => Value::Vector(pose.rotation.scaled_axis()),
        "velocity" => Value::Vector(velocity),
        "angular_velocity" => Value::Vector(angular_velocity),
        _ => return None,
    })
}

/// First of the two rows of a body.
fn row(s: &Simulated<'_>, body: Handle<RigidBody>) -> Option<usize> {
    Some(s.compiled.body_rows(body)?.row as usize)
}

readers! { pub(super) RIGID_BODY: RigidBody {
    "momentum": Vec3 = |s, b| Some(BodyNow::of(s, b)?.momentum());
    "angular_momentum": Vec3 = |s, b| Some(BodyNow::of(s, b)?.angular_momentum);
    "kinetic_energy": f64 = |s, b| Some(BodyNow::of(s, b)?.kinetic_energy());
    "force": Vec3 = |s, b| s.force_at(row(s, b)?);
    "moment": Vec3 = |s, b| s.force_at(row(s, b)? + 1);
    "reaction": Vec3 = |s, b| s.reaction_at(row(s, b)?);
    "reaction_moment": Vec3 = |s, b| s.reaction_at(row(s, b)? + 1);
} }

readers! { pub(super) PARTICLE: Particle {
    "displacement": Vec3 = |s, p| s.displacement(PointRef::Particle(p));
    "force": Vec3 = |s, p| s.force(PointRef::Particle(p));
    "reaction": Vec3 = |s, p| s.reaction(PointRef::Particle(p));
    "momentum": Vec3 = |s, p| s.momentum(PointRef::Particle(p));
    "kinetic_energy": f64 = |s, p| s.kinetic_energy(PointRef::Particle(p));
} }

readers! { pub(super) FRAME_MARKER: FrameMarker {
    "velocity": Vec3 = |s, marker| Some(s.motion(PointRef::Marker(marker))?.1);
    "displacement": Vec3 = |s, marker| s.displacement(PointRef::Marker(marker));
} }
