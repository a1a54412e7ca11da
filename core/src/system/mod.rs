//! What is stepped: the trait [`MechSystem`], the compiled model behind it, and the state.

mod attachments;
mod bodies;
mod body_forces;
mod carry;
mod carry_bodies;
mod check;
mod collision_pairs;
mod collision_shapes;
mod collision_surfaces;
mod collision_things;
mod collisions;
mod compile;
mod compiled;
mod contacts;
mod device_view;
mod element_state;
mod fitted;
mod flat;
mod forces;
mod measure;
mod mech_system;
mod multibody;
mod numbering;
mod prescribed_body;
mod readouts;
mod report;
mod rows;
mod supports;
mod tissues;
mod update;

pub use check::CompileError;
pub use compiled::CompiledModel;
pub use contacts::{ContactBehavior, ContactSetup};
pub use device_view::RowLoad;
pub use element_state::ElementState;
pub use fitted::FittedBody;
pub use measure::{ElementFields, Measurement, TissueSums};
pub use mech_system::MechSystem;
pub use multibody::{AttachmentSet, BodyRows, JointSet, Multibody, Weight};
pub use report::{Energies, PhaseTimes, StepError, StepStats};
pub use supports::Support;
pub use update::Refresh;

pub(crate) use crate::state::INSTANT;
pub use crate::state::{ContactForce, LoadCase, Motion, State};
