//! Derivatives of steps and trajectories: gradients of a scalar by the state at the start and by numbers of the model,
//! backwards in time (adjoints), and sensitivities of states to a few numbers, forwards. docs/theory/adjoint.md.
//!
//! Steps are those of backward Euler or the trapezoidal rule whose equations Newton's method solves: derivatives follow
//! from these equations alone.

mod border;
mod bordered;
mod cotangent;
mod error;
mod fit;
mod hidden;
mod jacobian;
mod layout;
mod linearization;
mod observed;
mod parameter;
mod step;
mod systems;
mod touch;
mod trajectory;

pub use cotangent::StateVector;
pub use error::{AdjointError, SingularFault};
pub use fit::{Fit, FitParameter, FitProgress, FitResult};
pub use parameter::Parameter;
pub use trajectory::{Gradient, Objective, Trajectory, Visit};
