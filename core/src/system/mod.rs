//! What is stepped: the trait [`MechSystem`], the compiled model behind it, and the state.

mod bodies;
mod carried;
mod carry;
mod carry_bodies;
mod check;
mod collision_pairs;
mod collision_shapes;
mod collisions;
mod compile;
mod compiled;
mod contacts;
mod device_view;
mod element_state;
mod flat;
mod forces;
mod measure;
mod mech_system;
mod multibody;
mod numbering;
mod readouts;
mod report;
mod rows;
mod update;

pub use carried::CarriedBody;
pub use check::CompileError;
pub use compiled::{CompiledModel, Support};
pub use contacts::{ContactBehavior, ContactForce, ContactSetup};
pub use device_view::RowLoad;
pub use element_state::ElementState;
pub use measure::{ElementFields, Measurement, TissueSums};
pub(crate) use mech_system::INSTANT;
pub use mech_system::{LoadCase, MechSystem, Motion};
pub use multibody::{BodyRows, Multibody, Weight};
pub use report::{Energies, PhaseTimes, StepError, StepStats};
pub use update::Refresh;

use crate::Vec3;

/// Where everything is and how fast it moves: one 3-vector a row, in the order of the compiled
/// system (see [`CompiledModel::block_of_node`], not the order of the meshes). A rigid body has two rows,
/// that of its centre of mass and that of its rotation; the position of the latter is a rotation vector
/// (direction times angle [rad], body to world), its velocity the angular velocity in world axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Simulated time [s].
    pub time: f64,
    /// Positions [m], [rad].
    pub q: Vec<Vec3>,
    /// Velocities [m/s], [rad/s].
    pub u: Vec<Vec3>,
    /// What forces with a memory know: fibre lengths of muscles [m], activations [-], in the order of
    /// the compiled system.
    pub memory: Vec<f64>,
    /// Mean forces [N] and moments [N m] of the constraint rows over the last step, the first guess for the
    /// next one; empty before the first.
    pub multipliers: Vec<f64>,
    /// Mean forces of the contacts that carried in the last step, by pair, point and key.
    pub contacts: Vec<ContactForce>,
    /// Mean forces [N] and moments [N m] of the ends of ranges over the last step.
    pub range_forces: Vec<f64>,
    /// Coordinates of the joints that hold [m], [rad], with whole turns counted; of a locked one what it is
    /// held at.
    pub coordinates: Vec<f64>,
}
