//! Initial value problems y' = f(t, y) of any function: rules of variable step with dense output, and switching functions
//! whose zeros are found on it. Nothing here knows a model; models come to it in `solve/variable`.
//! Theory: docs/theory/integrators.md.

mod adams;
mod control;
mod error;
mod events;
mod fixed;
mod lu;
mod problem;
mod radau;
mod runge_kutta;
mod settings;
mod solver;
mod tableau;
#[cfg(test)]
mod tests;

pub use error::OdeError;
pub(crate) use events::EventFinder;
pub use events::{Ended, run_to};
pub use fixed::{FixedRule, adams_step, fixed_step};
pub use problem::{Crossing, OdeSystem, Reaction, SwitchedSystem};
pub use settings::{Method, OdeSettings, Tolerance};
pub use solver::{OdeSolver, OdeStatistics};
