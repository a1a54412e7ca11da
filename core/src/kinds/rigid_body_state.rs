//! Properties of a rigid body in a state of the simulation: pose, velocities, momenta, forces.

use crate::Vec3;
use crate::kinds::RigidBody;
use crate::property::{Property, properties};

/// Lines for what it does.
pub(super) fn state_table() -> Vec<Property<RigidBody>> {
    let mut table = Vec::new();
    properties! { @lines table RigidBody;
        "momentum": Vec3 = Vec3::zeros(), "kg m/s", FINITE, NOTHING, "Linear momentum, without what is attached to it", simulated ();
        "angular_momentum": Vec3 = Vec3::zeros(), "kg m²/s", FINITE, NOTHING, "Angular momentum about its centre of mass, without what is attached to it", simulated ();
        "kinetic_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of motion, without that of what is attached to it", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of all forces on it and on what is attached to it, constraints and support left out; computes all forces of the model", simulated ();
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Sum of their moments about the common centre of mass, world axes; computes all forces of the model", simulated ();
        "reaction": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force that holds or leads it against all others, those of constraints over the last step included, with that which changes its momentum; computes all forces of the model", simulated ();
        "reaction_moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment that holds or leads it, with that which changes its angular momentum, about the common centre of mass, world axes", simulated ();
    }
    table
}
