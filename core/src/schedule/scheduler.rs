//! The scheduler, which takes a simulation through time: probes, events, failed steps, and ways
//! back.

use super::input::InputProbe;
use super::output::OutputProbe;
use super::pace::Pace;
use super::probes::FollowedProbes;
use super::tracking::Tracking;
use super::waypoint::{Mark, Waypoint};
use super::{ScheduleError, SchedulerSettings, Simulation, SimulationError, StopFlag};
use crate::component::Seen;
use crate::system::StepStats;

/// Part of a step by which an event may be missed: times are sums of rounded steps.
pub(super) const ROUNDING: f64 = 1e-6;

/// Reasons for a halt of a run without an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Halt {
    /// The time that was asked for is reached.
    Reached,
    /// A breakpoint.
    Breakpoint,
    /// The caller said so.
    Paused,
}

/// Takes a [`Simulation`] through time. Before a step come input probes and controllers, after it
/// monitors and output probes, then waypoints.
pub struct Scheduler {
    pub(super) simulation: Simulation,
    pub(super) settings: SchedulerSettings,
    pace: Option<Pace>,
    pub(super) stop: StopFlag,
    pub(super) inputs: Vec<InputProbe>,
    pub(super) outputs: Vec<OutputProbe>,
    /// By rising time.
    pub(super) marks: Vec<Mark>,
    /// Changes of the model up to which the marks follow its waypoints.
    pub(super) marked: Option<Seen>,
    pub(super) steps: u64,
    /// Steps that were taken in parts, as they failed as a whole.
    pub(super) halved: u64,
    /// Memories of controllers and monitors before a step that may fail.
    pub(super) memories: Vec<Vec<f64>>,
    pub(super) signals: Vec<Vec<f64>>,
    /// Places of the output probes at the start.
    pub(super) start: Option<Waypoint>,
    /// True once what probes prescribe was put where the run begins.
    pub(super) is_placed: bool,
    /// Components of probes, and who makes them.
    pub(super) followed: FollowedProbes,
    /// Edits of the model, when a gesture on a probe was the last of them.
    pub(super) probe_gesture: Option<(usize, u64)>,
    /// Inverse control that is shown.
    pub(super) tracking: Option<Box<dyn Tracking>>,
}

impl Scheduler {
    /// `simulation` where it stands.
    ///
    /// # Errors
    /// [`ScheduleError::Settings`].
    pub fn new(simulation: Simulation, settings: SchedulerSettings) -> Result<Self, ScheduleError> {
        settings.check()?;
        Ok(Self {
            simulation,
            settings,
            pace: settings.pace.map(Pace::new),
            stop: StopFlag::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            marks: Vec::new(),
            marked: None,
            steps: 0,
            halved: 0,
            memories: Vec::new(),
            signals: Vec::new(),
            start: None,
            is_placed: false,
            followed: FollowedProbes::default(),
            probe_gesture: None,
            tracking: None,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &SchedulerSettings {
        &self.settings
    }

    /// Other settings from here on.
    ///
    /// # Errors
    /// [`ScheduleError::Settings`].
    pub fn set_settings(&mut self, settings: SchedulerSettings) -> Result<(), ScheduleError> {
        settings.check()?;
        self.pace = settings.pace.map(Pace::new);
        self.settings = settings;
        Ok(())
    }

    /// Ends the waiting of a paced run when `flag` is set, a step that failed between the parts that it is
    /// taken in ([`ScheduleError::Stopped`]), and one that goes on for a second between its iterations.
    pub fn stop_on(&mut self, flag: StopFlag) {
        self.simulation.stop_on(flag.clone());
        self.stop = flag;
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to be set and edited between steps.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Steps that led here.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps that failed as a whole and were taken in parts.
    pub fn halved_steps(&self) -> u64 {
        self.halved
    }

    /// Adds a probe that is applied after those that were added before.
    pub fn add_input_probe(&mut self, probe: InputProbe) {
        self.inputs.push(probe);
    }

    /// Adds a probe that records from now on.
    pub fn add_output_probe(&mut self, probe: OutputProbe) {
        self.outputs.push(probe);
    }

    /// The probes that feed.
    pub fn input_probes(&self) -> &[InputProbe] {
        &self.inputs
    }

    /// The probes that feed, to be switched on and off.
    pub fn input_probes_mut(&mut self) -> &mut [InputProbe] {
        &mut self.inputs
    }

    /// The probes that record.
    pub fn output_probes(&self) -> &[OutputProbe] {
        &self.outputs
    }

    /// The probes that record, to be switched on and off.
    pub fn output_probes_mut(&mut self) -> &mut [OutputProbe] {
        &mut self.outputs
    }

    /// Completes the recordings of all output probes.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn finish_outputs(&mut self) -> Result<(), ScheduleError> {
        let time = self.time();
        for probe in &mut self.outputs {
            let name = probe.name.clone();
            probe.finish().map_err(|source| SimulationError::Callback { name, time, source })?;
        }
        Ok(())
    }

    /// Takes a step: to the next multiple of the step, or to an event before it.
    ///
    /// # Errors
    /// [`ScheduleError`]; the last good state is kept.
    pub fn step(&mut self) -> Result<StepStats, ScheduleError> {
        self.step_before(f64::INFINITY)
    }

    /// Takes steps until `end` [s], or a breakpoint before it.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn run_until(&mut self, end: f64) -> Result<Halt, ScheduleError> {
        self.run_while(end, |_, _| true)
    }

    /// The same, halted after any step for which `go_on` is false.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn run_while(
        &mut self,
        end: f64,
        mut go_on: impl FnMut(&mut Self, &StepStats) -> bool,
    ) -> Result<Halt, ScheduleError> {
        self.restart_pace();
        while !self.has_reached(end) {
            let stats = self.step_before(end)?;
            if self.halts_here() {
                return Ok(Halt::Breakpoint);
            }
            if !go_on(self, &stats) {
                return Ok(Halt::Paused);
            }
        }
        Ok(Halt::Reached)
    }

    /// Takes steps until `end` [s], whatever breakpoints there are.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn advance(&mut self, end: f64) -> Result<(), ScheduleError> {
        while self.run_until(end)? == Halt::Breakpoint {}
        Ok(())
    }

    /// True if it is `end` [s], but for rounding, or later.
    pub(super) fn has_reached(&self, end: f64) -> bool {
        self.time() >= end - ROUNDING * self.settings.step
    }

    /// One step that goes no further than `end` [s].
    pub(super) fn step_before(&mut self, end: f64) -> Result<StepStats, ScheduleError> {
        self.follow_probes()?;
        self.follow_waypoints();
        self.begin()?;
        self.save_new_marks()?;
        let length = self.length_of_step(end);
        let stats = self.take(length)?;
        self.steps += 1;
        self.follow_tracking()?;
        let requests = self.simulation.take_requests();
        if requests.stop || requests.waypoint {
            self.mark_now(requests.stop);
        }
        self.save_marks()?;
        if let Some(pace) = &mut self.pace {
            pace.wait(self.simulation.time(), &self.stop);
        }
        Ok(stats)
    }

    pub(super) fn restart_pace(&mut self) {
        let time = self.simulation.time();
        if let Some(pace) = &mut self.pace {
            pace.restart();
            pace.wait(time, &self.stop);
        }
    }

    /// To the next multiple of the step, to an event before it, or to `end` [s].
    fn length_of_step(&mut self, end: f64) -> f64 {
        let (time, step) = (self.time(), self.settings.step);
        let slack = ROUNDING * step;
        let grid = ((time / step + ROUNDING).floor() + 1.0) * step;
        let mut next = grid.min(end);
        let mut consider = |event: Option<f64>| {
            if let Some(event) = event.filter(|&event| event > time + slack) {
                next = next.min(event);
            }
        };
        self.marks.iter().for_each(|mark| consider(Some(mark.time)));
        let outputs = self.outputs.iter().filter(|probe| probe.enabled);
        outputs.for_each(|probe| consider(probe.times().next_cut(time)));
        for probe in self.inputs.iter_mut().filter(|probe| probe.enabled) {
            consider(probe.signal().next_knot(time + slack));
        }
        let length = next - time;
        // The step itself, where only rounding differs: its matrices are then the same.
        if (length - step).abs() <= slack { step } else { length }
    }
}
