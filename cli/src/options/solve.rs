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
        let newton = self.newton_settings(NewtonSettings::default());
        let mode =
            if self.newton { ImplicitMode::Newton(newton) } else { ImplicitMode::Linearized };
        let integrator = match self.integrator {
            IntegratorArg::BackwardEuler => Integrator::BackwardEuler(mode),
            IntegratorArg::Trapezoidal => Integrator::Trapezoidal(mode),
            IntegratorArg::Midpoint => Integrator::Midpoint(newton),
            IntegratorArg::SymplecticEuler => Integrator::SymplecticEuler,
            IntegratorArg::RungeKutta4 => Integrator::RungeKutta4,
            IntegratorArg::RungeKuttaFehlberg => self.variable(Method::RungeKuttaFehlberg),
            IntegratorArg::DormandPrince => self.variable(Method::DormandPrince),
            IntegratorArg::Adams => self.variable(Method::Adams),
            IntegratorArg::Radau => self.variable(Method::Radau),
            IntegratorArg::Static => {
                let default = StaticSettings::default();
                let increments = self.increments.map_or(default.increments, |n| n as usize);
                let newton = self.newton_settings(default.newton);
                Integrator::Static(StaticSettings { increments, newton })
            }
        };
        self.check_integrator(integrator)?;
        Ok(integrator)
    }

    /// A rule of variable step with its tolerances.
    fn variable(&self, method: Method) -> Integrator {
        let default = VariableStep::default();
        Integrator::Variable(VariableStep {
            method,
            relative: self.tolerance.unwrap_or(default.relative),
            absolute: self.absolute_tolerance.unwrap_or(default.absolute),
        })
    }

    /// Refuses options that the integrator does not have.
    fn check_integrator(&self, integrator: Integrator) -> Result<(), OptionError> {
        if self.increments.is_some() && !matches!(integrator, Integrator::Static(_)) {
            return Err(OptionError::Increments);
        }
        let iterates = matches!(integrator, Integrator::Midpoint(_) | Integrator::Static(_));
        if self.newton_tolerance.is_some() && !(self.newton || iterates) {
            return Err(OptionError::NewtonTolerance);
        }
        let fixed = !matches!(integrator, Integrator::Variable(_));
        if fixed && self.tolerance.is_some() {
            return Err(OptionError::Tolerance("tolerance"));
        }
        if fixed && self.absolute_tolerance.is_some() {
            return Err(OptionError::Tolerance("absolute-tolerance"));
        }
        let reason = match integrator {
            _ if !self.newton => return Ok(()),
            Integrator::BackwardEuler(_) | Integrator::Trapezoidal(_) => return Ok(()),
            Integrator::SymplecticEuler | Integrator::RungeKutta4 => {
                "an explicit step solves no equation"
            }
            Integrator::Variable(_) => "a variable step follows its tolerance",
            Integrator::Static(_) => "static always iterates to equilibrium",
            Integrator::Midpoint(_) => "midpoint always iterates to its solution",
        };
        Err(OptionError::Newton(reason))
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
