//! Commands about time: runs, steps, waypoints, probes.

use std::path::Path;

use sinew::schedule::Halt;
use sinew_recording::spec::ProbeSet;
use sinew_recording::{Opening, attach};

use super::command::{Command, CommandError};
use super::session::Shell;
use crate::console;
use crate::run::{read_input, read_output};

impl Shell {
    /// Does a command that needs nothing but the model in time.
    pub(super) fn run_in_time(&mut self, command: Command) -> Result<(), CommandError> {
        let scheduler = self.scheduler()?;
        match command {
            Command::Run(time) => return self.run_for(time),
            Command::Step(count) => {
                for _ in 0..count {
                    scheduler.step()?;
                }
            }
            Command::Reset => scheduler.reset()?,
            Command::Rewind(time) => {
                let time = scheduler.rewind(time)?;
                console::print(&format!("t = {time} s\n"));
            }
            Command::AddWaypoint { time, every: None } => scheduler.add_waypoint(time, false)?,
            Command::AddWaypoint { time, every: Some(every) } => {
                scheduler.add_waypoints(every, time)?;
            }
            Command::AddBreakpoint(time) => scheduler.add_waypoint(time, true)?,
            Command::RemoveWaypoint(time) => {
                let removed = scheduler.remove_waypoint(time);
                let text = format!("there is none at t = {time} s\n");
                console::print(if removed { "" } else { &text });
            }
            Command::Waypoints => {
                for (time, halts, saved) in scheduler.waypoints() {
                    let kind = if halts { "breakpoint" } else { "waypoint" };
                    let saved = if saved { "saved" } else { "not reached" };
                    console::print(&format!("{time} s  {kind}, {saved}\n"));
                }
            }
            Command::Time => {
                let (time, steps) = (scheduler.time(), scheduler.steps());
                console::print(&format!("t = {time} s after {steps} steps\n"));
            }
            // A run has halted before the next command is read.
            _ => {}
        }
        Ok(())
    }

    fn run_for(&mut self, time: Option<f64>) -> Result<(), CommandError> {
        let is_script = self.is_script;
        self.interrupt.clear();
        let interrupt = self.interrupt.clone();
        let scheduler = self.scheduler()?;
        let now = scheduler.time();
        let mut ahead = scheduler.waypoints().filter(|&(at, halts, _)| halts && at > now);
        if time.is_none() && is_script && ahead.next().is_none() {
            return Err(CommandError::Endless);
        }
        drop(ahead);
        let end = time.map_or(f64::INFINITY, |time| now + time);
        let halt = scheduler.run_while(end, |_, _| !interrupt.is_requested())?;
        let now = scheduler.time();
        match halt {
            Halt::Paused if is_script => return Err(CommandError::Interrupted(now)),
            Halt::Paused => console::print(&format!("paused at t = {now} s\n")),
            Halt::Breakpoint => console::print(&format!("breakpoint at t = {now} s\n")),
            Halt::Reached => {}
        }
        Ok(())
    }

    pub(super) fn add_probe(&mut self, what: &str, every: f64) -> Result<(), CommandError> {
        let probe = read_output(what, every);
        self.attach(&ProbeSet { output_probes: vec![probe], ..ProbeSet::default() })
    }

    pub(super) fn add_input(&mut self, text: &str) -> Result<(), CommandError> {
        let probe = read_input(text, self.scheduler()?.simulation().model())?;
        self.attach(&ProbeSet { input_probes: vec![probe], ..ProbeSet::default() })
    }

    fn attach(&mut self, probes: &ProbeSet) -> Result<(), CommandError> {
        let out = self.out.clone();
        let scheduler = self.scheduler()?;
        attach(probes, scheduler, [Path::new("."), &out], Opening::New)?;
        Ok(())
    }
}
