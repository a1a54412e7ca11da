//! A model that is driven by hand: in a shell, in a window, for a picture.

use std::path::Path;
use std::sync::Arc;

use sinew::backend::{Backend, CpuBackend};
use sinew::model::{InputProbe, Model};
use sinew::schedule::{MakeBackend, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;
use sinew_model_files::Solver;
use sinew_run_files::checkpoint::{Checkpoint, model_hash};
use sinew_run_files::spec::ProbeSet;
use sinew_run_files::{ProbeError, Recordings, follow};

use super::choose::{Chosen, Kind, on_cpu};
use super::device::{self, DeviceError, Gpu};
use crate::exit::CliError;
use crate::load::{ModelSource, read_input, tree};
use crate::options::{LiveArgs, OptionError};

/// Lists of components that come and go while the state stays one of the model, as a listing has them.
const PASSING: [&str; 3] = [" probes  ", " waypoints  ", " panels  "];

/// Settings of live models: those of the options, and where they were not given those of a model
/// file.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    args: LiveArgs,
}

impl Live {
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn new(args: &LiveArgs) -> Result<Self, CliError> {
        args.solve.check()?;
        Ok(Self { args: args.clone() })
    }

    /// The inputs that the options name, beside the probes of a model, where it is `first`: their properties are those of
    /// the model that was named beside them.
    ///
    /// # Errors
    /// An input that cannot be read or feeds nothing.
    pub(crate) fn probes(&self, source: &ModelSource, first: bool) -> Result<ProbeSet, CliError> {
        let mut set = ProbeSet::default();
        for text in self.args.inputs.iter().filter(|_| first) {
            set.input_probes.push(read_input(text, &source.model)?);
        }
        Ok(set)
    }

    /// A model at its start. Probes that feed it are told of, and are not attached yet.
    ///
    /// # Errors
    /// A model that cannot be compiled, a step that is none, a device that does not take it.
    pub(crate) fn scheduler(
        &self,
        source: &ModelSource,
        probes: &ProbeSet,
    ) -> Result<Scheduler, CliError> {
        let (model, file) = (source.model.clone(), &source.solver);
        let settings = self.settings(file)?;
        let system = Arc::new(source.compile()?);
        let nodes = model.fems().map(|(_, fem)| fem.mesh.nodes.len()).sum();
        let fed = !probes.input_probes.is_empty() || model.iter::<InputProbe>().next().is_some();
        let chosen = Chosen::of(&self.args.computes, (&settings, nodes), fed, &system)?;
        drop(system);
        if let Some(why) = &chosen.why {
            tracing::info!(why, "backend chosen");
        }
        let make = match chosen.kind {
            Kind::Cpu => on_cpu(settings),
            Kind::Gpu => self.on_device(settings)?,
        };
        let simulation = Simulation::with_parts(model, chosen.backend, make);
        let step = self.args.step.unwrap_or(file.step_length());
        Ok(Scheduler::new(simulation, SchedulerSettings::with_step(step))?)
    }

    /// Settings for a model whose file says `file`.
    ///
    /// # Errors
    /// Options that do not go together.
    pub(crate) fn settings(&self, file: &Solver) -> Result<SolverSettings, OptionError> {
        Ok(self.args.solve.over(file)?.settings(SolverSettings::default()))
    }

    /// Makes backends on the device; on the processor for a model that an edit made too much for it.
    fn on_device(&self, settings: SolverSettings) -> Result<MakeBackend, CliError> {
        let choice = device::choice(self.args.computes.device.as_deref());
        let gpu = Gpu::open(&choice).map_err(DeviceError)?;
        Ok(Box::new(move |system: Arc<CompiledModel>| {
            match Chosen::on_device(&gpu, system.clone(), settings) {
                Ok(chosen) => Ok(chosen.backend),
                Err(error) => {
                    tracing::warn!(%error, "the processor goes on");
                    let cpu = CpuBackend::new(system, settings)?;
                    Ok(Box::new(cpu) as Box<dyn Backend>)
                }
            }
        }))
    }
}

/// Has a model be fed by its probes and these; what probes record belongs to runs.
///
/// # Errors
/// The first probe that cannot be made.
pub(crate) fn feed(scheduler: &mut Scheduler, probes: &ProbeSet) -> Result<(), ProbeError> {
    probes.add_to(scheduler.simulation_mut().model_mut())?;
    follow(scheduler, Path::new("."), Recordings::None).map(|_| ())
}

/// Tells models apart by what they are made of, not by the values of their properties.
pub(crate) fn hash(scheduler: &Scheduler) -> [u8; 32] {
    let model = scheduler.simulation().model();
    let names = tree::listing(model, sinew::component::ROOT.into(), 3);
    let parts: String = names
        .lines()
        .filter(|it| !PASSING.iter().any(|list| it.contains(list)))
        .fold(String::new(), |all, line| all + line + "\n");
    model_hash(&Model::new(""), &[parts])
}

/// Writes where a run is into a file that `restore` of `sinew shell` takes.
///
/// # Errors
/// The system's refusal, a device that is lost.
pub(crate) fn save_checkpoint(scheduler: &mut Scheduler, path: &Path) -> Result<(), CliError> {
    let waypoint = scheduler.save()?;
    let model = hash(scheduler);
    Ok(Checkpoint { model, waypoint, extra: Vec::new() }.save(path)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use sinew::lcp::FrictionModel;
    use sinew::solve::{ImplicitMode, Integrator, LinearSolver};
    use sinew_model_files::{FrictionName, IntegratorName, LinearSolverName};

    use super::*;
    use crate::command_line::{Cli, Command};
    use crate::options::BackendArg;

    fn live(line: &str) -> Live {
        let words = ["sinew", "view"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words).unwrap().command {
            Some(Command::View(args)) => Live::new(&args.live).unwrap(),
            other => panic!("'view' was read as {other:?}"),
        }
    }

    #[test]
    fn options_win_over_a_model_file_and_it_wins_over_defaults() {
        let file = Solver {
            integrator: Some(IntegratorName::Trapezoidal),
            linear_solver: Some(LinearSolverName::ConjugateGradients),
            friction: Some(FrictionName::Cone4),
            cg_tolerance: Some(1e-3),
            ..Solver::default()
        };
        let settings = live("--friction cone8 --newton").settings(&file).unwrap();
        assert_eq!(settings.friction, FrictionModel::Cone8);
        assert_eq!(settings.linear_solver, LinearSolver::ConjugateGradients);
        assert_eq!(settings.cg_tolerance, 1e-3);
        assert!(matches!(settings.integrator, Integrator::Trapezoidal(ImplicitMode::Newton(_))));
        let settings = live("--integrator midpoint").settings(&file).unwrap();
        assert!(matches!(settings.integrator, Integrator::Midpoint(_)));
        assert_eq!(live("").settings(&Solver::default()).unwrap(), SolverSettings::default());
    }

    #[test]
    fn what_is_driven_by_hand_stays_on_the_processor_unless_a_device_is_asked_for() {
        assert_eq!(live("").args.computes.backend, BackendArg::Cpu);
        assert_eq!(live("--backend auto").args.computes.backend, BackendArg::Auto);
        let Command::Run(args) = Command::default_run() else { panic!("not a run") };
        assert_eq!(args.computes.backend, BackendArg::Auto);
    }
}
