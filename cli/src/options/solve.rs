//! Options that say how a model is stepped: those of runs, windows, shells and pictures.

use clap::Args;
use sinew_model_files::{
    CoordinatesName, IntegratorName, LinearSolverName, PreconditionerName, Solver, SolverFault,
};

use super::contact::ContactArgs;
use super::headings;
use super::values::tolerance;
use super::words::words;
use crate::exit::{Exit, Failure};

/// Options that do not go together.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("--{} {}", .0.key.replace('_', "-"), .0.rule.replace('_', "-"))]
pub(crate) struct OptionError(pub(crate) SolverFault);

impl Failure for OptionError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Options of the steps: the section `[solver]` of a model file, on the command line.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = headings::STEPS)]
pub(crate) struct SolveArgs {
    /// Rule of integration [default: backward-euler]
    #[arg(long, value_parser = words::<IntegratorName>())]
    pub(crate) integrator: Option<IntegratorName>,

    /// Full Newton iteration in each step (backward-euler, trapezoidal) instead of one linear solve
    #[arg(long)]
    pub(crate) newton: bool,

    /// Residual force over the largest force at which Newton's method ends (with --newton, midpoint, static)
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) newton_tolerance: Option<f64>,

    /// Error of a step over the size of a value, in (0, 1) (integrators of variable step) [default: 1e-8]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,

    /// Error of a step of a small value, in its unit (integrators of variable step) [default: 1e-9]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) absolute_tolerance: Option<f64>,

    /// Coordinates of rigid bodies (integrators of variable step) [default: quaternions]
    #[arg(long, value_parser = words::<CoordinatesName>())]
    pub(crate) coordinates: Option<CoordinatesName>,

    /// Apply the loads in this many parts (static)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) increments: Option<u32>,

    /// Solver for the linear systems [default: auto]
    #[arg(long, alias = "linear-solver", value_parser = words::<LinearSolverName>())]
    pub(crate) solver: Option<LinearSolverName>,

    /// Preconditioner of conjugate gradients without a factor [default: auto]
    #[arg(long, value_parser = words::<PreconditionerName>())]
    pub(crate) preconditioner: Option<PreconditionerName>,

    /// Relative residual at which conjugate gradients stop, in (0, 1) [default: 1e-5]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) cg_tolerance: Option<f64>,

    /// Options of friction and overlaps
    #[command(flatten)]
    pub(crate) contact: ContactArgs,
}

impl SolveArgs {
    /// Settings of these options, and those of `file` where they say nothing.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn over(&self, file: &Solver) -> Result<Solver, OptionError> {
        let solver = self.solver().or(file);
        match solver.fault() {
            Some(fault) => Err(OptionError(fault)),
            None => Ok(solver),
        }
    }

    /// Refuses options that go together with no file: those beside an integrator, which are then complete.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn check(&self) -> Result<(), OptionError> {
        match self.integrator {
            Some(_) => self.over(&Solver::default()).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The section of a model file that says the same.
    fn solver(&self) -> Solver {
        Solver {
            step: None,
            time: None,
            integrator: self.integrator,
            newton: self.newton.then_some(true),
            newton_tolerance: self.newton_tolerance,
            tolerance: self.tolerance,
            absolute_tolerance: self.absolute_tolerance,
            coordinates: self.coordinates,
            increments: self.increments,
            linear_solver: self.solver,
            preconditioner: self.preconditioner,
            cg_tolerance: self.cg_tolerance,
            friction: self.contact.friction,
            friction_method: self.contact.friction_method,
            contact_method: self.contact.contact_solver,
            stabilization: self.contact.stabilization,
        }
    }
}
