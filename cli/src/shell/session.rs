//! The model of a shell, and its changes between runs.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use sinew::model::OutputProbe;
use sinew::schedule::Scheduler;
use sinew_model_files::visible;
use sinew_run_files::checkpoint::Checkpoint;
use sinew_run_files::{Opening, attach};

use super::command::{COMMANDS, Command, CommandError, Next};
use super::runner::Runner;
use super::script::Variables;
use super::windows::Windows;
use crate::compute::{Interrupt, Live, live};
use crate::exit::CliError;
use crate::load::{Loaded, ModelSource, tree};
use crate::options::EditArgs;
use crate::output::DirectoryLock;
use crate::{console, files};

/// Told of the end of a run while something is typed: a line, and what stands before what is typed then.
pub(super) type Announce = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// A shell.
pub(super) struct Shell {
    pub(super) runner: Option<Runner>,
    pub(super) interrupt: Interrupt,
    /// True if commands come from a script: nothing is done to a model that runs, so that the same comes
    /// of it every time.
    pub(super) is_script: bool,
    /// Tells of the end of a run while something is typed.
    pub(super) announce: Option<Announce>,
    pub(super) out: PathBuf,
    /// Line of the script, that of the last run, and that of a run that failed.
    pub(super) line: usize,
    pub(super) run_line: usize,
    pub(super) failed_line: Option<usize>,
    /// Number of files that read each other now.
    pub(super) depth: usize,
    pub(super) variables: Variables,
    /// Windows that were opened.
    pub(super) windows: Windows,
    /// Keeps others out of the directory of results, once something is recorded there.
    lock: Option<DirectoryLock>,
    live: Live,
    pub(super) name: String,
    /// The loaded model.
    loaded: Option<Loaded>,
}

impl Shell {
    /// One without a model.
    pub(super) fn new(out: PathBuf, live: Live, interrupt: Interrupt) -> Self {
        Self {
            runner: None,
            interrupt,
            is_script: false,
            announce: None,
            out,
            line: 0,
            run_line: 0,
            failed_line: None,
            depth: 0,
            variables: Variables::default(),
            windows: Windows::default(),
            lock: None,
            live,
            name: String::new(),
            loaded: None,
        }
    }

    /// Prompt before the line that is typed.
    pub(super) fn prompt(&self) -> String {
        match &self.runner {
            Some(runner) => {
                let runs = if runner.is_running() { ", running" } else { "" };
                prompt(&self.name, runner.lock().time(), runs)
            }
            None => "sinew> ".to_owned(),
        }
    }

    /// Loads a model in place of the one that is there; the `first` one is fed by the inputs of the command
    /// line.
    pub(super) fn load(
        &mut self,
        model: &str,
        edits: &EditArgs,
        first: bool,
    ) -> Result<(), CliError> {
        let source = ModelSource::load(model, edits)?;
        let probes = self.live.probes(&source, first)?;
        let mut scheduler = self.live.scheduler(&source, &probes)?;
        self.finish()?;
        attach(&probes, &mut scheduler, [Path::new("."), &self.out], Opening::Later)?;
        self.runner = Some(Runner::new(scheduler));
        self.name = source.name.clone();
        let told = source.told();
        let (name, edits, stamp) = (model.to_owned(), edits.clone(), source.stamp);
        self.loaded = Some(Loaded { name, edits, first, stamp, told });
        Ok(())
    }

    /// Loads the model again where one of its files has changed, and starts it anew.
    fn reload(&mut self) -> Result<(), CommandError> {
        let Loaded { name, edits, first, stamp, .. } =
            self.loaded.clone().ok_or(CommandError::NoModel)?;
        let changed = stamp.changed();
        if changed.is_empty() {
            console::print("nothing has changed\n")?;
            return Ok(());
        }
        for file in changed {
            console::print(&format!("{} has changed\n", file.display()))?;
        }
        Ok(self.load(&name, &edits, first)?)
    }

    /// Halts a run, and completes what probes recorded.
    pub(super) fn finish(&mut self) -> Result<(), CliError> {
        let Some(runner) = &self.runner else { return Ok(()) };
        runner.pause();
        runner.wait(None);
        Ok(runner.lock().finish_outputs()?)
    }

    /// Locks the directory of results, which is made where it is not there.
    pub(super) fn lock_results(&mut self) -> Result<(), CommandError> {
        if self.lock.is_none() {
            self.lock = Some(DirectoryLock::take_made(&self.out).map_err(CliError::from)?);
        }
        Ok(())
    }

    /// The same where a probe of the model records.
    pub(super) fn lock_recorded(&mut self) -> Result<(), CommandError> {
        let records = {
            let scheduler = self.scheduler()?;
            scheduler.simulation().model().iter::<OutputProbe>().any(|(_, probe)| !probe.disabled)
        };
        if records { self.lock_results() } else { Ok(()) }
    }

    /// The model in time, between two steps.
    pub(super) fn scheduler(&self) -> Result<MutexGuard<'_, Scheduler>, CommandError> {
        Ok(self.runner.as_ref().ok_or(CommandError::NoModel)?.lock())
    }

    /// Does one command.
    pub(super) fn run(&mut self, command: Command) -> Result<Next, CommandError> {
        self.make_way(&command)?;
        match command {
            Command::Load { model, params } => {
                self.load(&model, &EditArgs { params, ..EditArgs::default() }, false)?;
            }
            Command::Reload => self.reload()?,
            Command::Quit => return Ok(Next::Quit),
            Command::Help => console::print(&help())?,
            Command::Find(path) => {
                let scheduler = self.scheduler()?;
                let model = scheduler.simulation().model();
                console::print(&tree::listing(model, model.find(&path)?, 1))?;
            }
            Command::Get(path) => self.get(&path)?,
            Command::Edit(edit) => self.edit(&edit)?,
            Command::Let { name, value } => self.keep(name, value)?,
            Command::Echo(text) => console::print(&format!("{text}\n"))?,
            Command::When { formula, crosses, command } => {
                self.add_event([formula, crosses, command])?;
            }
            Command::Source(file) => return self.source(&file),
            Command::Save(file) => self.save(&file)?,
            Command::Restore(file) => self.restore(&file)?,
            Command::View => self.view()?,
            Command::Probe { what, every } => self.add_probe(&what, every)?,
            Command::Input(text) => self.add_input(&text)?,
            Command::InTime(command) => self.run_in_time(command)?,
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
        console::print(&format!("{value}{unit}\n"))?;
        Ok(())
    }

    fn save(&mut self, file: &str) -> Result<(), CommandError> {
        let path = self.out.join(file);
        std::fs::create_dir_all(&self.out).map_err(|error| CommandError::Directory {
            path: self.out.display().to_string(),
            why: error.to_string(),
        })?;
        let mut scheduler = self.scheduler()?;
        let model = scheduler.simulation().model();
        match Path::new(file).extension().and_then(|it| it.to_str()) {
            Some("json" | "toml" | "osim") => {
                let loaded = self.loaded.as_ref().ok_or(CommandError::NoModel)?;
                files::write(model, &path, &loaded.told)?;
            }
            Some("sinew") => {
                live::save_checkpoint(&mut scheduler, &path)?;
            }
            _ => return Err(CommandError::Ending(file.to_owned())),
        }
        Ok(())
    }

    /// Shows a copy of the model in a window of its own.
    fn view(&mut self) -> Result<(), CommandError> {
        let file = self.windows.next_file();
        {
            let scheduler = self.scheduler()?;
            let loaded = self.loaded.as_ref().ok_or(CommandError::NoModel)?;
            files::write(scheduler.simulation().model(), &file, &loaded.told)?;
        }
        self.windows.open(file)
    }

    fn restore(&mut self, file: &str) -> Result<(), CommandError> {
        let path = self.out.join(file);
        let mut scheduler = self.scheduler()?;
        let checkpoint = Checkpoint::load(&path)?;
        if checkpoint.model != live::hash(&scheduler) {
            return Err(CommandError::OtherModel);
        }
        Ok(scheduler.restore(&checkpoint.waypoint)?)
    }
}

/// Prompt at a time [s].
pub(super) fn prompt(name: &str, time: f64, runs: &str) -> String {
    visible(&format!("{name} {time:.6} s{runs}> ")).into_owned()
}

fn help() -> String {
    let mut text = String::new();
    for (name, _, takes, what) in COMMANDS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<40} {what}", format!("{name} {takes}"));
    }
    text
}
