//! Plan of a run from its options: solver settings, number and length of the steps.

use std::path::Path;

use sinew::schedule::SchedulerSettings;
use sinew::solve::{Integrator, SolverSettings};
use sinew_model_files::Solver;

use super::args::{EnergiesArg, FramesArg, RunArgs};
use crate::exit::{Exit, Failure};
use crate::load::{is_whole_model, load_options};
use crate::options::{ModelArgs, OptionError};

/// Simulated time where neither the command line nor the model says one [s].
const TIME: f64 = 1.0;

/// More steps than this are a slip of the keyboard.
const MOST_STEPS: f64 = 1e12;

/// Parts of a step by which the simulated time may be missed without another step: rounding of
/// `--time` over `--step`, whose quotient is seldom exact.
const ROUNDING: f64 = 1e-6;

/// Options that make no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    /// Options that do not go together.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// More steps than can be counted.
    #[error(
        "--time {time:?} at --step {step:?} would take {steps:.1e} steps: take larger steps or less time"
    )]
    TooManySteps {
        /// Simulated time [s].
        time: f64,
        /// Step [s].
        step: f64,
        /// Their ratio.
        steps: f64,
    },
}

impl Failure for PlanError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// The steps to take, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Integrator and linear solver.
    pub(crate) settings: SolverSettings,
    /// Length of a step [s]; of the one static solve, the time at which loads are taken.
    pub(crate) step: f64,
    /// Number of steps.
    pub(crate) step_count: u64,
    /// Shortest part of a step that failed [s].
    pub(crate) smallest_step: f64,
    /// Simulated over wall time that the run is held to [-].
    pub(crate) pace: Option<f64>,
    /// Simulated time between frames [s], 0 for every step; `None` for no frames.
    pub(crate) frame_interval: Option<f64>,
    /// States that are measured; `None` leaves it to the backend.
    pub(crate) energies: Option<EnergiesArg>,
}

impl Plan {
    /// The plan of `args`, and of `file` where they say nothing.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn of(args: &RunArgs, file: &Solver) -> Result<Self, PlanError> {
        let settings = args.solve.over(file)?.settings(SolverSettings::default());
        let time = args.time.or(file.time).unwrap_or(TIME);
        let step = args.step.unwrap_or(file.step_length());
        let integrator = settings.integrator;
        let (step, step_count) = match integrator {
            Integrator::Static(_) => (time, 1),
            _ => (step, step_count(time, step)?),
        };
        let frame_interval = (args.frames == FramesArg::Vtu).then_some(args.every);
        let default = match integrator {
            // An equilibrium is no nearer in half the time.
            Integrator::Static(_) => step,
            _ => SchedulerSettings::with_step(step).smallest_step,
        };
        let smallest_step = args.probes.smallest_step.unwrap_or(default);
        let pace = args.probes.pace;
        let energies = args.energies;
        Ok(Self { settings, step, step_count, smallest_step, pace, frame_interval, energies })
    }
}

/// The section `[solver]` of the model file that is named, if it is one that can be read: what is wrong with it is told
/// when the model is loaded.
pub(crate) fn file_settings(model: &ModelArgs) -> Solver {
    let ModelArgs { name, edits } = model;
    if !is_whole_model(name, &edits.params) {
        return Solver::default();
    }
    let options = load_options(&edits.params, edits.root.as_deref()).unwrap_or_default();
    sinew_model_files::load_solver(Path::new(name), &options)
}

/// Number of steps of `step` [s] that reach `time` [s].
///
/// # Errors
/// [`PlanError::TooManySteps`].
pub(crate) fn step_count(time: f64, step: f64) -> Result<u64, PlanError> {
    let steps = (time / step - ROUNDING).ceil().max(1.0);
    if steps <= MOST_STEPS {
        Ok(steps as u64)
    } else {
        Err(PlanError::TooManySteps { time, step, steps })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use sinew::lcp::FrictionModel;
    use sinew::solve::{ContactMethod, FrictionMethod, ImplicitMode, Stabilization};
    use sinew_model_files::{FrictionName, IntegratorName};

    use super::*;
    use crate::command_line::{Cli, Command};

    fn run_args(line: &str) -> RunArgs {
        let words = ["sinew", "run"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words).unwrap().command {
            Some(Command::Run(args)) => *args,
            other => panic!("'run' was read as {other:?}"),
        }
    }

    fn plan(line: &str) -> Result<Plan, PlanError> {
        Plan::of(&run_args(line), &Solver::default())
    }

    /// Key of the option that makes no plan.
    fn refused(line: &str) -> &'static str {
        match plan(line) {
            Err(PlanError::Options(OptionError(fault))) => fault.key,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_time_is_reached_in_whole_steps() {
        for (time, step, count) in
            [(1.0, 0.01, 100), (0.3, 0.1, 3), (0.025, 0.01, 3), (0.001, 0.01, 1), (0.7, 0.001, 700)]
        {
            assert_eq!(step_count(time, step).unwrap(), count, "{time} s at {step} s");
        }
        assert!(matches!(step_count(1.0, 1e-300), Err(PlanError::TooManySteps { .. })));
        assert!(matches!(step_count(1e308, 1e-308), Err(PlanError::TooManySteps { .. })));
    }

    #[test]
    fn static_is_one_solve_at_the_time_asked_for() {
        let plan = plan("--integrator static --time 0.5 --increments 4").unwrap();
        assert_eq!((plan.step, plan.step_count), (0.5, 1));
        let Integrator::Static(settings) = plan.settings.integrator else { panic!("not static") };
        assert_eq!(settings.increments, 4);
    }

    #[test]
    fn what_is_said_of_contact_reaches_the_solver() {
        let line = "--friction cone8 --friction-method posthoc --contact-solver sparse --stabilization stiffness";
        let settings = plan(line).unwrap().settings;
        assert_eq!(settings.friction, FrictionModel::Cone8);
        assert_eq!(settings.friction_method, FrictionMethod::PostHoc);
        assert_eq!(settings.contact_method, ContactMethod::Sparse);
        assert_eq!(settings.stabilization, Stabilization::Stiffness);
        assert_eq!(plan("").unwrap().settings, SolverSettings::default());
    }

    #[test]
    fn newton_belongs_to_the_implicit_integrators() {
        let newton = plan("--integrator trapezoidal --newton").unwrap().settings.integrator;
        assert!(matches!(newton, Integrator::Trapezoidal(ImplicitMode::Newton(_))));
        let midpoint = plan("--integrator midpoint").unwrap().settings.integrator;
        assert!(matches!(midpoint, Integrator::Midpoint(_)));
        for name in ["static", "midpoint", "symplectic-euler"] {
            assert_eq!(refused(&format!("--integrator {name} --newton")), "newton");
        }
        assert_eq!(refused("--increments 2"), "increments");
    }

    #[test]
    fn tolerances_belong_to_what_iterates_or_has_a_variable_step() {
        let midpoint = plan("--integrator midpoint --newton-tolerance 1e-6").unwrap();
        let Integrator::Midpoint(newton) = midpoint.settings.integrator else {
            panic!("no midpoint")
        };
        assert_eq!(newton.tolerance, 1e-6);
        assert_eq!(refused("--newton-tolerance 1e-6"), "newton_tolerance");
        assert_eq!(refused("--tolerance 1e-6"), "tolerance");
        assert_eq!(
            refused("--integrator midpoint --absolute-tolerance 1e-6"),
            "absolute_tolerance"
        );
    }

    #[test]
    fn an_integrator_of_the_line_leaves_the_settings_of_the_file_s_own() {
        let file = Solver {
            integrator: Some(IntegratorName::Static),
            increments: Some(4),
            time: Some(0.5),
            friction: Some(FrictionName::Cone4),
            ..Solver::default()
        };
        let of = |line: &str| Plan::of(&run_args(line), &file).unwrap();
        let Integrator::Static(settings) = of("").settings.integrator else { panic!("not static") };
        assert_eq!(settings.increments, 4);
        let trapezoidal = of("--integrator trapezoidal --step 0.25");
        assert_eq!(trapezoidal.settings.friction, FrictionModel::Cone4);
        assert_eq!(trapezoidal.step_count, 2);
    }
}
