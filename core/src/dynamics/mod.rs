//! The mechanics of one rigid body: its inertia, its orientation and how that advances, momentum,
//! energy and the gyroscopic torque. Not here: joints, contact, the time step of coupled bodies
//! (docs/theory/rigid.md).

mod motion;
mod rotation;
mod solids;
mod spatial_inertia;

pub use motion::{
    TwistOfCenter, angular_momentum, gyroscopic_torque, gyroscopic_torque_by_orientation,
    gyroscopic_torque_by_velocity, kinetic_energy, momentum, world_inertia,
};
pub use rotation::{
    advanced, advanced_by_cayley, any_perpendicular, cayley_turn, skew, tangent_map,
    tangent_map_inverse, turn_between,
};
pub use spatial_inertia::{InertiaError, SpatialInertia};
