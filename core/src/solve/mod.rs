//! Time integration and equilibrium: one step of a [`MechSystem`](crate::system::MechSystem).

mod settings;

pub use settings::{
    ImplicitMode, Integrator, LinearSolver, NewtonSettings, SolverSettings, StaticSettings,
};
