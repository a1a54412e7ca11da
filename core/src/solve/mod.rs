//! Time integration and equilibrium: one step of a [`MechSystem`](crate::system::MechSystem).

mod constrained;
mod correction_mixing;
mod corrector;
mod derivative;
mod dynamics;
mod energy_guard;
mod equations;
mod failure;
mod guess;
mod iterative;
mod kept;
mod linear;
mod linear_choice;
mod newton;
mod prescribed;
mod remembered;
mod response;
mod reuse;
mod review;
mod runge_kutta;
mod settings;
mod solver;
mod start_forces;
mod statics;
mod stop;
mod support;
mod variable;

pub(crate) use constrained::{ForceMatrices, StepColumn, StepScalar};
#[cfg(test)]
pub(crate) use derivative::Feature;
pub(crate) use derivative::{
    ActiveLaw, ActiveOrigin, ActiveRow, ActiveRows, RowVectors, StepAttachments, StepEquations,
    StepUnknowns, Touch,
};
pub(crate) use response::RowResponse;
pub use response::StepResponse;
pub use settings::{
    BodyCoordinates, ContactMethod, FrictionMethod, ImplicitMode, Integrator, LinearSolver,
    NewtonSettings, Preconditioning, ResponseAccuracy, SolverSettings, Stabilization,
    StaticSettings, VariableStep,
};
pub use solver::MechSystemSolver;
pub(crate) use start_forces::row_forces_at_start;
pub use stop::StopFlag;
