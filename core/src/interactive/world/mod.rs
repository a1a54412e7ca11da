//! The world: objects, constraints and behaviours over one graph of blocks, edited while it moves. Each step evaluates
//! the graph, assembles the constraint equation (Witkin1990, equation 5) from local parts (equations 6 to 8), solves it
//! and integrates.
//!
//! Explicit steps solve for the multipliers on the dense matrix J W Jᵀ, which is as small as the number of rows,
//! and is factored anew only when J or W change: its least-squares solution serves rows that contradict each other.
//! Implicit steps solve the [mixed problem](crate::mixed) of joints and contact, with stiffness in its matrix; states that
//! are no triples of numbers fill the last block of their object with fixed scalars.

mod accelerations;
mod dense;
mod edit;
mod engine;
mod error;
mod explicit;
mod implicit;
mod layout;
mod masses;
mod matrix;
mod mixed_step;
mod parts;
mod project;
mod rows;
mod settings;
mod store;

pub use error::WorldError;
pub use parts::{BehaviourId, ConstraintId, ConstraintKind, ObjectId, Order};
pub use settings::{Feedback, Integrator, Mobility, Statistics, WorldSettings};
pub use store::World;
