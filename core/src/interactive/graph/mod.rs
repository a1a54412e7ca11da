//! Function blocks: a directed acyclic graph of functions, edited while it is evaluated (Witkin1990, section 4.1).
//! Sources have values that are set: variables, by which all is differentiated, and parameters, one of them the time.
//! Blocks compute outputs from outputs of others by a formula or by Rust code over [`Scalar`](super::Scalar). Values
//! are kept until an input changes; Jacobians follow by the chain rule, sparse. No mechanics here.

mod block;
mod edit;
mod error;
mod evaluate;
mod function;
mod id;
mod jacobian;
mod plan;
mod store;

pub use block::Role;
pub use error::GraphError;
pub use function::{BlockFunction, Code, Function, Workspace};
pub use id::{BlockId, Port};
pub use store::Graph;
