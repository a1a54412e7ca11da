//! The model of a shell, and what is done to it between runs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_recording::checkpoint::{Checkpoint, model_hash};
use sinew_recording::write_whole;

use super::Next;
use super::command::{COMMANDS, Command, CommandError};
use crate::console;
use crate::exit::CliError;
use crate::inspect::tree;
use crate::probe_args::ShellArgs;
use crate::run::{Interrupt, ModelSource, on_cpu};

/// A shell.
pub(super) struct Shell {
    pub(super) scheduler: Option<Scheduler>,
    pub(super) interrupt: Interrupt,
    /// Whether nobody is there to press Ctrl-C.
    pub(super) is_script: bool,
    pub(super) out: PathBuf,
    step: f64,
    name: String,
}

impl Shell {
    /// One without a model.
    pub(super) fn new(args: &ShellArgs, interrupt: Interrupt) -> Self {
        let (step, out) = (args.step, args.out.clone());
        Self { scheduler: None, interrupt, is_script: false, out, step, name: String::new() }
    }

    /// What stands before what is typed.
    pub(super) fn prompt(&self) -> String {
        match &self.scheduler {
            Some(scheduler) => format!("{} {:.6} s> ", self.name, scheduler.time()),
            None => "sinew> ".to_owned(),
        }
    }

    /// Loads a model in place of the one that is there.
    pub(super) fn load(&mut self, model: &str, params: &[String]) -> Result<(), CliError> {
        let source = ModelSource::load(model, params, &[], None)?;
        let make = on_cpu(SolverSettings::default());
        let simulation = Simulation::with_backend(source.model, make);
        let simulation = simulation.map_err(sinew::schedule::ScheduleError::from)?;
        let scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(self.step))?;
        self.finish()?;
        self.scheduler = Some(scheduler);
        self.name = source.name;
        Ok(())
    }

    /// Completes what probes recorded.
    pub(super) fn finish(&mut self) -> Result<(), CliError> {
        match &mut self.scheduler {
            Some(scheduler) => Ok(scheduler.finish_outputs()?),
            None => Ok(()),
        }
    }

    pub(super) fn scheduler(&mut self) -> Result<&mut Scheduler, CommandError> {
        self.scheduler.as_mut().ok_or(CommandError::NoModel)
    }

    /// Does one command.
    pub(super) fn run(&mut self, command: Command) -> Result<Next, CommandError> {
        match command {
            Command::Load { model, params } => self.load(&model, &params)?,
            Command::Quit => return Ok(Next::Quit),
            Command::Help => console::print(&help()),
            Command::Find(path) => {
                let model = self.scheduler()?.simulation().model();
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
        let simulation = self.scheduler()?.simulation_mut();
        let property = simulation.property(path)?;
        let value = simulation.get(&property).map_err(sinew::schedule::ScheduleError::from)?;
        let unit = property.info().unit;
        let unit = if matches!(unit, "" | "-") { String::new() } else { format!(" {unit}") };
        console::print(&format!("{value}{unit}\n"));
        Ok(())
    }

    fn set(&mut self, path: &str, text: &str) -> Result<(), CommandError> {
        let simulation = self.scheduler()?.simulation_mut();
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
        let scheduler = self.scheduler()?;
        let model = scheduler.simulation().model();
        match Path::new(file).extension().and_then(|it| it.to_str()) {
            Some("json") => {
                let text = serde_json::to_vec_pretty(model);
                write_whole(&path, &text.expect("a model can be written as JSON"))?;
            }
            Some("sinew") => {
                let waypoint = scheduler.save()?;
                let hash = hash(scheduler);
                Checkpoint { model: hash, waypoint, extra: Vec::new() }.save(&path)?;
            }
            _ => return Err(CommandError::Ending(file.to_owned())),
        }
        Ok(())
    }

    fn restore(&mut self, file: &str) -> Result<(), CommandError> {
        let path = self.out.join(file);
        let scheduler = self.scheduler()?;
        let checkpoint = Checkpoint::load(&path)?;
        if checkpoint.model != hash(scheduler) {
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

fn help() -> String {
    let mut text = String::new();
    for (name, _, takes, what) in COMMANDS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<40} {what}", format!("{name} {takes}"));
    }
    text
}
