//! The model of a shell, and what is done to it between runs.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_recording::checkpoint::{Checkpoint, model_hash};
use sinew_recording::{Opening, attach, write_whole};

use super::Next;
use super::command::{COMMANDS, Command, CommandError};
use super::runner::Runner;
use crate::console;
use crate::exit::CliError;
use crate::inspect::tree;
use crate::probe_args::ShellArgs;
use crate::run::{Interrupt, ModelSource, on_cpu};

/// Time step where neither the command line nor the model says one [s].
const STEP: f64 = 0.01;

/// Told of the end of a run while something is typed: a line, and what stands before what is typed then.
pub(super) type Announce = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// A shell.
pub(super) struct Shell {
    pub(super) runner: Option<Runner>,
    pub(super) interrupt: Interrupt,
    /// Whether commands come from a script: nothing is done to a model that runs, so that the same comes
    /// of it every time.
    pub(super) is_script: bool,
    /// Tells of the end of a run while something is typed.
    pub(super) announce: Option<Announce>,
    pub(super) out: PathBuf,
    /// Line of the script, that of the last run, and that of a run that failed.
    pub(super) line: usize,
    pub(super) run_line: usize,
    pub(super) failed_line: Option<usize>,
    step: Option<f64>,
    pub(super) name: String,
}

impl Shell {
    /// One without a model.
    pub(super) fn new(args: &ShellArgs, interrupt: Interrupt) -> Self {
        Self {
            runner: None,
            interrupt,
            is_script: false,
            announce: None,
            out: args.out.clone(),
            line: 0,
            run_line: 0,
            failed_line: None,
            step: args.step,
            name: String::new(),
        }
    }

    /// What stands before what is typed.
    pub(super) fn prompt(&self) -> String {
        match &self.runner {
            Some(runner) => {
                let runs = if runner.is_running() { ", running" } else { "" };
                prompt(&self.name, runner.lock().time(), runs)
            }
            None => "sinew> ".to_owned(),
        }
    }

    /// Loads a model in place of the one that is there.
    pub(super) fn load(&mut self, model: &str, params: &[String]) -> Result<(), CliError> {
        let source = ModelSource::load(model, params, &[], None)?;
        let make = on_cpu(source.solver.settings(SolverSettings::default()));
        let simulation = Simulation::with_backend(source.model, make);
        let simulation = simulation.map_err(sinew::schedule::ScheduleError::from)?;
        let step = self.step.or(source.solver.step).unwrap_or(STEP);
        let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(step))?;
        self.finish()?;
        attach(&source.probes, &mut scheduler, [Path::new("."), &self.out], Opening::New)?;
        self.runner = Some(Runner::new(scheduler));
        self.name = source.name;
        Ok(())
    }

    /// Halts a run, and completes what probes recorded.
    pub(super) fn finish(&mut self) -> Result<(), CliError> {
        let Some(runner) = &self.runner else { return Ok(()) };
        runner.pause();
        runner.wait(None);
        Ok(runner.lock().finish_outputs()?)
    }

    /// The model in time, between two steps.
    pub(super) fn scheduler(&self) -> Result<MutexGuard<'_, Scheduler>, CommandError> {
        Ok(self.runner.as_ref().ok_or(CommandError::NoModel)?.lock())
    }

    /// Does one command.
    pub(super) fn run(&mut self, command: Command) -> Result<Next, CommandError> {
        self.make_way(&command)?;
        match command {
            Command::Load { model, params } => self.load(&model, &params)?,
            Command::Quit => return Ok(Next::Quit),
            Command::Help => console::print(&help()),
            Command::Find(path) => {
                let scheduler = self.scheduler()?;
                let model = scheduler.simulation().model();
                console::print(&tree::listing(model, model.find(&path)?, 1));
            }
            Command::Get(path) => self.get(&path)?,
            Command::Set { path, value } => self.set(&path, &value)?,
            Command::Save(file) => self.save(&file)?,
            Command::Restore(file) => self.restore(&file)?,
            Command::Probe { what, every } => self.add_probe(&what, every)?,
            Command::Input(text) => self.add_input(&text)?,
            other => self.run_in_time(other)?,
        }
        Ok(Next::Go)
    }

    fn get(&mut self, path: &str) -> Result<(), CommandError> {
        let mut scheduler = self.scheduler()?;
        let simulation = scheduler.simulation_mut();
        let property = simulation.property(path)?;
        let value = simulation.get(&property).map_err(sinew::schedule::ScheduleError::from)?;
        let unit = property.info().unit;
        let unit = if matches!(unit, "" | "-") { String::new() } else { format!(" {unit}") };
        console::print(&format!("{value}{unit}\n"));
        Ok(())
    }

    fn set(&mut self, path: &str, text: &str) -> Result<(), CommandError> {
        let mut scheduler = self.scheduler()?;
        let simulation = scheduler.simulation_mut();
        let property = simulation.property(path)?;
        let info = property.info();
        match sinew::property::Value::parse(info.value_type, text) {
            Some(value) if text != "inherited" => {
                simulation.set(&property, value).map_err(sinew::schedule::ScheduleError::from)?
            }
            _ => simulation.model_mut().set_text(path, text)?,
        }
        Ok(())
    }

    fn save(&mut self, file: &str) -> Result<(), CommandError> {
        let path = self.out.join(file);
        let mut scheduler = self.scheduler()?;
        let model = scheduler.simulation().model();
        match Path::new(file).extension().and_then(|it| it.to_str()) {
            Some("json") => {
                let text = serde_json::to_vec_pretty(model);
                write_whole(&path, &text.expect("a model can be written as JSON"))?;
            }
            Some("sinew") => {
                let waypoint = scheduler.save()?;
                let hash = hash(&scheduler);
                Checkpoint { model: hash, waypoint, extra: Vec::new() }.save(&path)?;
            }
            _ => return Err(CommandError::Ending(file.to_owned())),
        }
        Ok(())
    }

    fn restore(&mut self, file: &str) -> Result<(), CommandError> {
        let path = self.out.join(file);
        let mut scheduler = self.scheduler()?;
        let checkpoint = Checkpoint::load(&path)?;
        if checkpoint.model != hash(&scheduler) {
            return Err(CommandError::OtherModel);
        }
        Ok(scheduler.restore(&checkpoint.waypoint)?)
    }
}

/// Tells models apart by what they are made of, not by the values of their properties.
fn hash(scheduler: &Scheduler) -> [u8; 32] {
    let model = scheduler.simulation().model();
    let names = tree::listing(model, sinew::component::ROOT.into(), 3);
    model_hash(&sinew::model::Model::new(""), &[names])
}

/// What stands before what is typed at a time [s].
pub(super) fn prompt(name: &str, time: f64, runs: &str) -> String {
    format!("{name} {time:.6} s{runs}> ")
}

fn help() -> String {
    let mut text = String::new();
    for (name, _, takes, what) in COMMANDS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<40} {what}", format!("{name} {takes}"));
    }
    text
}
