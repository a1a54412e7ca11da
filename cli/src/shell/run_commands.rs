//! Commands about time: runs, steps, waypoints, probes.

use std::time::Duration;

use sinew::schedule::Halt;

use super::command::{Command, CommandError};
use super::runner::{Outcome, Runner, Tell};
use super::session::{Shell, prompt};
use super::time_command::TimeCommand;
use crate::console;
use crate::load::{read_input, read_output};

impl Shell {
    /// Does a command that needs nothing but the model in time.
    pub(super) fn run_in_time(&mut self, command: TimeCommand) -> Result<(), CommandError> {
        match command {
            TimeCommand::Run(time) => self.start(time)?,
            TimeCommand::Pause => self.pause()?,
            TimeCommand::Wait(longest) => self.wait(longest.map(duration))?,
            TimeCommand::Step(count) => self.take_steps(count)?,
            TimeCommand::Reset => self.scheduler()?.reset()?,
            TimeCommand::Rewind(time) => {
                let time = self.scheduler()?.rewind(time)?;
                console::print(&format!("t = {time} s\n"))?;
            }
            TimeCommand::AddWaypoint { time, every: None } => {
                self.scheduler()?.add_waypoint(time, false)?;
            }
            TimeCommand::AddWaypoint { time, every: Some(every) } => {
                self.scheduler()?.add_waypoints(every, time)?;
            }
            TimeCommand::AddBreakpoint(time) => self.scheduler()?.add_waypoint(time, true)?,
            TimeCommand::RemoveWaypoint(time) => {
                if !self.scheduler()?.remove_waypoint(time)? {
                    console::print(&format!("there is none at t = {time} s\n"))?;
                }
            }
            TimeCommand::Waypoints => self.print_waypoints()?,
            TimeCommand::Time => {
                let scheduler = self.scheduler()?;
                let (time, steps) = (scheduler.time(), scheduler.steps());
                console::print(&format!("t = {time} s after {steps} steps\n"))?;
            }
        }
        Ok(())
    }

    fn print_waypoints(&self) -> Result<(), CommandError> {
        for (time, halts, saved) in self.scheduler()?.waypoints() {
            let kind = if halts { "breakpoint" } else { "waypoint" };
            let saved = if saved { "saved" } else { "not reached" };
            console::print(&format!("{time} s  {kind}, {saved}\n"))?;
        }
        Ok(())
    }

    /// Ends, or refuses, what a command cannot be done beside.
    pub(super) fn make_way(&mut self, command: &Command) -> Result<(), CommandError> {
        let runs = self.runner.as_ref().is_some_and(Runner::is_running);
        match command {
            Command::InTime(TimeCommand::Pause | TimeCommand::Wait(_)) | Command::Help => Ok(()),
            _ if self.is_script => self.wait(None),
            Command::InTime(TimeCommand::Run(_) | TimeCommand::Step(_)) if runs => {
                Err(CommandError::Running)
            }
            Command::Load { .. }
            | Command::Reload
            | Command::InTime(TimeCommand::Reset | TimeCommand::Rewind(_))
            | Command::Restore(_) => self.pause(),
            _ => self.settle(),
        }
    }

    fn start(&mut self, time: Option<f64>) -> Result<(), CommandError> {
        self.lock_recorded()?;
        self.interrupt.clear();
        self.run_line = self.line;
        let end = self.scheduler()?.time() + time.unwrap_or(f64::INFINITY);
        let (interrupt, name) = (self.interrupt.clone(), self.name.clone());
        let tell = self.announce.clone().map(|announce| -> Tell {
            Box::new(move |outcome, now| announce(&told(outcome, now), &prompt(&name, now, "")))
        });
        self.runner.as_mut().ok_or(CommandError::NoModel)?.start(end, &interrupt, tell);
        Ok(())
    }

    fn take_steps(&mut self, count: u64) -> Result<(), CommandError> {
        self.lock_recorded()?;
        self.interrupt.clear();
        let mut scheduler = self.scheduler()?;
        for _ in 0..count {
            scheduler.step()?;
            if self.interrupt.is_requested() {
                return Err(CommandError::Interrupted(scheduler.time()));
            }
        }
        Ok(())
    }

    /// Halts the run after its step.
    pub(super) fn pause(&mut self) -> Result<(), CommandError> {
        let Some(runner) = &self.runner else { return Ok(()) };
        runner.pause();
        runner.wait(None);
        self.settle()
    }

    /// Waits until the run has halted, or for `longest`.
    pub(super) fn wait(&mut self, longest: Option<Duration>) -> Result<(), CommandError> {
        let Some(runner) = &self.runner else { return Ok(()) };
        let is_endless = || runner.is_running() && !runner.has_end();
        if self.is_script && longest.is_none() && is_endless() {
            self.failed_line = Some(self.run_line);
            return Err(CommandError::Endless);
        }
        runner.wait(longest);
        self.settle()
    }

    /// Tells what came of a run that has halted, unless it was told then.
    pub(super) fn settle(&mut self) -> Result<(), CommandError> {
        let outcome = self.runner.as_mut().and_then(Runner::outcome);
        let Some(outcome) = outcome.filter(|_| self.announce.is_none()) else { return Ok(()) };
        self.failed_line = Some(self.run_line);
        let (halt, now) = (outcome?, self.scheduler()?.time());
        if halt == Halt::Paused && self.is_script && self.interrupt.is_requested() {
            return Err(CommandError::Interrupted(now));
        }
        self.failed_line = None;
        if halt != Halt::Reached {
            console::print(&format!("{}\n", told(&Ok(halt), now)))?;
        }
        Ok(())
    }

    pub(super) fn add_probe(&mut self, what: &str, every: f64) -> Result<(), CommandError> {
        let command = read_output(what, every).command(self.scheduler()?.simulation().model());
        self.lock_results()?;
        self.edit(&command)
    }

    pub(super) fn add_input(&mut self, text: &str) -> Result<(), CommandError> {
        let command = {
            let scheduler = self.scheduler()?;
            let model = scheduler.simulation().model();
            read_input(text, model)?.command(model)
        };
        self.edit(&command)
    }
}

/// A time by the clock, from seconds of 0 or more; what no clock counts is for ever.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Outcome of a run, in a line.
pub(super) fn told(outcome: &Outcome, now: f64) -> String {
    match outcome {
        Ok(Halt::Paused) => format!("paused at t = {now} s"),
        Ok(Halt::Breakpoint) => format!("breakpoint at t = {now} s"),
        Ok(Halt::Reached) => format!("t = {now} s"),
        Err(error) => format!("error: {error}"),
    }
}
