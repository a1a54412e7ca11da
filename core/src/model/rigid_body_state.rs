//! What a rigid body shows of a state of the simulation: pose, velocities, momenta, forces.

use super::RigidBody;
use crate::Vec3;
use crate::component::Handle;
use crate::property::{Property, Simulated, Value, properties};

/// A body in a state, without what is attached to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyNow {
    /// Mass [kg].
    pub(crate) mass: f64,
    /// Centre of mass in the world [m].
    pub(crate) center: Vec3,
    /// Velocity of the centre of mass [m/s].
    velocity: Vec3,
    /// Angular velocity [rad/s].
    angular_velocity: Vec3,
    /// Angular momentum about the centre of mass [kg m²/s].
    pub(crate) angular_momentum: Vec3,
}

impl BodyNow {
    /// `None` when it was not compiled.
    pub(crate) fn of(s: &Simulated<'_>, body: Handle<RigidBody>) -> Option<Self> {
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
    pub(crate) fn momentum(&self) -> Vec3 {
        self.velocity * self.mass
    }

    /// [J]
    pub(crate) fn kinetic_energy(&self) -> f64 {
        0.5 * (self.momentum().dot(&self.velocity)
            + self.angular_momentum.dot(&self.angular_velocity))
    }
}

/// Where a body is now, for what a model has of its start.
pub(crate) fn pose_now(s: &Simulated<'_>, body: Handle<RigidBody>, name: &str) -> Option<Value> {
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

/// Lines for what it does.
pub(super) fn state_table() -> Vec<Property<RigidBody>> {
    let mut table = Vec::new();
    properties! { @lines table RigidBody;
        "momentum": Vec3 = Vec3::zeros(), "kg m/s", FINITE, NOTHING, "Linear momentum, without what is attached to it", simulated (|s: &Simulated<'_>, b| Some(BodyNow::of(s, b)?.momentum()));
        "angular_momentum": Vec3 = Vec3::zeros(), "kg m²/s", FINITE, NOTHING, "Angular momentum about its centre of mass, without what is attached to it", simulated (|s: &Simulated<'_>, b| Some(BodyNow::of(s, b)?.angular_momentum));
        "kinetic_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of motion, without that of what is attached to it", simulated (|s: &Simulated<'_>, b| Some(BodyNow::of(s, b)?.kinetic_energy()));
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of all forces on it and on what is attached to it, constraints and support left out; computes all forces of the model", simulated (|s: &Simulated<'_>, b| s.force_at(row(s, b)?));
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Sum of their moments about the common centre of mass, world axes; computes all forces of the model", simulated (|s: &Simulated<'_>, b| s.force_at(row(s, b)? + 1));
        "reaction": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force that holds or leads it against all others, those of constraints over the last step included, without its inertia; computes all forces of the model", simulated (|s: &Simulated<'_>, b| s.reaction_at(row(s, b)?));
        "reaction_moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment that holds or leads it, about the common centre of mass, world axes", simulated (|s: &Simulated<'_>, b| s.reaction_at(row(s, b)? + 1));
    }
    table
}
