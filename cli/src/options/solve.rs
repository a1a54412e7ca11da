//! Options that say how a model is stepped: those of runs, windows, shells and pictures.

use clap::{Args, ValueEnum};
use serde::Serialize;
use sinew::ode::Method;
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, NewtonSettings, Preconditioning, SolverSettings,
    StaticSettings, VariableStep,
};

use super::contact::ContactArgs;
use super::headings;
use super::values::tolerance;
use crate::exit::{Exit, Failure};

/// Options that do not go together.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OptionError {
    /// `--newton` with an integrator that has no linearized form.
    #[error("--newton goes with --integrator backward-euler or trapezoidal: {0}")]
    Newton(&'static str),
    /// `--newton-tolerance` where nothing iterates.
    #[error("--newton-tolerance goes with --newton and with the integrators midpoint and static")]
    NewtonTolerance,
    /// `--tolerance` or `--absolute-tolerance` with a fixed step.
    #[error(
        "--{0} goes with --integrator runge-kutta-fehlberg, dormand-prince, adams and radau, whose step is variable"
    )]
    Tolerance(&'static str),
    /// `--increments` without `static`.
    #[error("--increments goes with --integrator static only")]
    Increments,
}

impl Failure for OptionError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Options of the steps.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = headings::STEPS)]
pub(crate) struct SolveArgs {
    /// Rule of integration
    #[arg(long, value_enum, default_value_t)]
    pub(crate) integrator: IntegratorArg,

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

    /// Apply the loads in this many parts (static)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) increments: Option<u32>,

    /// Solver for the linear systems
    #[arg(long, alias = "linear-solver", value_enum, default_value_t)]
    pub(crate) solver: SolverArg,

    /// Preconditioner of conjugate gradients without a factor
    #[arg(long, value_enum, default_value_t)]
    pub(crate) preconditioner: PreconditionerArg,

    /// Relative residual at which conjugate gradients stop, in (0, 1) [default: 1e-5]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) cg_tolerance: Option<f64>,

    /// Options of friction and overlaps
    #[command(flatten)]
    pub(crate) contact: ContactArgs,
}

impl SolveArgs {
    /// The settings that these options come to; what no option says is of `base`.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn settings(&self, base: SolverSettings) -> Result<SolverSettings, OptionError> {
        Ok(SolverSettings {
            integrator: self.integrator()?,
            linear_solver: self.solver.solver(),
            preconditioner: self.preconditioner.preconditioning(),
            cg_tolerance: self.cg_tolerance.unwrap_or(base.cg_tolerance),
            friction: self.contact.friction.model(),
            friction_method: self.contact.friction_method.method(),
            contact_method: self.contact.contact_solver.method(),
            stabilization: self.contact.stabilization.stabilization(),
            ..base
        })
    }

    /// The iteration with the tolerance that was given.
    fn newton_settings(&self, base: NewtonSettings) -> NewtonSettings {
        NewtonSettings { tolerance: self.newton_tolerance.unwrap_or(base.tolerance), ..base }
    }

    /// The integrator with its iteration.
    fn integrator(&self) -> Result<Integrator, OptionError> {
        if self.increments.is_some() && self.integrator != IntegratorArg::Static {
            return Err(OptionError::Increments);
        }
        let iterates = matches!(self.integrator, IntegratorArg::Midpoint | IntegratorArg::Static);
        if self.newton_tolerance.is_some() && !(self.newton || iterates) {
            return Err(OptionError::NewtonTolerance);
        }
        let method = self.integrator.variable();
        match (method, self.tolerance, self.absolute_tolerance) {
            (None, Some(_), _) => return Err(OptionError::Tolerance("tolerance")),
            (None, None, Some(_)) => return Err(OptionError::Tolerance("absolute-tolerance")),
            _ => {}
        }
        let mode = if self.newton {
            ImplicitMode::Newton(self.newton_settings(NewtonSettings::default()))
        } else {
            ImplicitMode::Linearized
        };
        match self.integrator {
            IntegratorArg::BackwardEuler => Ok(Integrator::BackwardEuler(mode)),
            IntegratorArg::Trapezoidal => Ok(Integrator::Trapezoidal(mode)),
            IntegratorArg::SymplecticEuler | IntegratorArg::RungeKutta4 if self.newton => {
                Err(OptionError::Newton("an explicit step solves no equation"))
            }
            IntegratorArg::RungeKuttaFehlberg
            | IntegratorArg::DormandPrince
            | IntegratorArg::Adams
            | IntegratorArg::Radau
                if self.newton =>
            {
                Err(OptionError::Newton("a variable step follows its tolerance"))
            }
            IntegratorArg::RungeKuttaFehlberg
            | IntegratorArg::DormandPrince
            | IntegratorArg::Adams
            | IntegratorArg::Radau => {
                let default = VariableStep::default();
                Ok(Integrator::Variable(VariableStep {
                    method: method.unwrap_or(default.method),
                    relative: self.tolerance.unwrap_or(default.relative),
                    absolute: self.absolute_tolerance.unwrap_or(default.absolute),
                }))
            }
            IntegratorArg::Static if self.newton => {
                Err(OptionError::Newton("static always iterates to equilibrium"))
            }
            IntegratorArg::Midpoint if self.newton => {
                Err(OptionError::Newton("midpoint always iterates to its solution"))
            }
            IntegratorArg::Midpoint => {
                Ok(Integrator::Midpoint(self.newton_settings(NewtonSettings::default())))
            }
            IntegratorArg::SymplecticEuler => Ok(Integrator::SymplecticEuler),
            IntegratorArg::RungeKutta4 => Ok(Integrator::RungeKutta4),
            IntegratorArg::Static => {
                let default = StaticSettings::default();
                let increments = self.increments.map_or(default.increments, |n| n as usize);
                let newton = self.newton_settings(default.newton);
                Ok(Integrator::Static(StaticSettings { increments, newton }))
            }
        }
    }
}

/// Values of `--integrator`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum IntegratorArg {
    /// First order, implicit, damps
    #[default]
    #[value(alias = "backward_euler")]
    BackwardEuler,
    /// Second order, implicit, keeps energy
    Trapezoidal,
    /// Second order, implicit, keeps momenta
    Midpoint,
    /// First order, explicit; stable for small steps only
    #[value(alias = "symplectic_euler")]
    SymplecticEuler,
    /// Fourth order, explicit; stable for small steps only
    #[value(name = "runge-kutta-4", aliases = ["runge_kutta_4", "runge_kutta4"])]
    #[serde(rename = "runge-kutta-4")]
    RungeKutta4,
    /// Order 4(5), explicit, of variable step by --tolerance
    #[value(alias = "runge_kutta_fehlberg")]
    RungeKuttaFehlberg,
    /// Order 5(4), explicit, of variable step by --tolerance
    #[value(alias = "dormand_prince")]
    DormandPrince,
    /// Orders 1 to 13, explicit, of variable step and order by --tolerance
    Adams,
    /// Order 5, implicit, of variable step by --tolerance; for stiff systems of some hundred values
    Radau,
    /// Equilibrium under the loads: one solve, no motion
    Static,
}

impl IntegratorArg {
    /// The rule of variable step that it is.
    fn variable(self) -> Option<Method> {
        match self {
            Self::RungeKuttaFehlberg => Some(Method::RungeKuttaFehlberg),
            Self::DormandPrince => Some(Method::DormandPrince),
            Self::Adams => Some(Method::Adams),
            Self::Radau => Some(Method::Radau),
            Self::BackwardEuler
            | Self::Trapezoidal
            | Self::Midpoint
            | Self::SymplecticEuler
            | Self::RungeKutta4
            | Self::Static => None,
        }
    }
}

/// Values of `--solver`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverArg {
    /// By predicted cost
    #[default]
    Auto,
    /// Sparse factorization
    Direct,
    /// A factor kept over several steps as preconditioner of conjugate gradients
    Hybrid,
    /// Conjugate gradients
    #[value(aliases = ["conjugate-gradients", "conjugate_gradients"])]
    Cg,
}

impl SolverArg {
    /// The solver of that name.
    pub(crate) fn solver(self) -> LinearSolver {
        match self {
            Self::Auto => LinearSolver::Auto,
            Self::Direct => LinearSolver::Direct,
            Self::Hybrid => LinearSolver::Hybrid,
            Self::Cg => LinearSolver::ConjugateGradients,
        }
    }
}

/// Values of `--preconditioner`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreconditionerArg {
    /// By size
    #[default]
    Auto,
    /// Inverses of the 3 x 3 diagonal blocks
    #[value(aliases = ["block-jacobi", "block_jacobi"])]
    Jacobi,
    /// Aggregation multigrid
    Multigrid,
}

impl PreconditionerArg {
    /// The preconditioner of that name.
    pub(crate) fn preconditioning(self) -> Preconditioning {
        match self {
            Self::Auto => Preconditioning::Auto,
            Self::Jacobi => Preconditioning::BlockJacobi,
            Self::Multigrid => Preconditioning::Multigrid,
        }
    }
}
