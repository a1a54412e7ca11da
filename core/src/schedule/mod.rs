//! A model that runs: stepped, read, set and edited at once, with the user's own code before and after
//! each step. Probes, waypoints and the like are not here yet.

mod callback;
mod motion;
mod simulation;

pub use callback::{CallbackError, Control};
pub use simulation::{MakeBackend, Simulation, SimulationError};
