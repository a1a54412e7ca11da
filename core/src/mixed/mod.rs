//! The mixed problem of a step, and its solvers: a symmetric matrix under bilateral rows, which hold both ways, and
//! unilateral ones, which push and do not pull, with friction on them. Nothing here knows of models, states or time:
//! whoever can write a task as [`MixedProblem`] has it solved by [`MixedSolver`]. docs/theory/mixed.md.
//!
//! Two choices stand side by side: who solves for S with the bilateral rows (`saddle.rs`: a sparse factor or conjugate
//! gradients), and who finds the impulses of the unilateral rows (dense pivoting, active sets, an interior point
//! method).

mod active_sets;
mod approximate_inverse;
mod condensed;
mod costs;
mod dense;
mod elimination;
mod error;
mod friction_limits;
mod interior;
mod interrupt;
mod measure;
mod mixing;
mod outcome;
mod point_rows;
mod problem;
mod progress;
mod response;
mod row_system;
mod saddle;
mod set_factor;
mod settings;
mod solver;
mod stage;
mod tuning;
mod unsymmetric;

#[cfg(test)]
mod tests;

pub use error::MixedError;
pub use outcome::{ConeMethod, MixedOutcome, MixedResidual};
pub use problem::{Accuracy, BilateralRows, MixedProblem, MixedSolution, UnilateralRows};
pub use settings::{LinearMethod, MixedSettings};
pub use solver::MixedSolver;

pub(crate) use costs::{factor_seconds, factored_solve_seconds};
pub(crate) use mixing::AndersonMixing;
pub(crate) use point_rows::free_entry;
pub(crate) use problem::{friction_limits, limits};
pub(crate) use response::{MixedResponse, RowState};
pub(crate) use saddle::Solved;
pub(crate) use tuning::{MANY, PROJECTED_ROWS, REGULARIZATION, RESPONSE_TOLERANCE};
