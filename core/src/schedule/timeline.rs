//! Waypoints, breakpoints, and the ways back to them.

use super::prescribed::Means;
use super::scheduler::ROUNDING;
use super::waypoint::{Mark, Waypoint};
use super::{ScheduleError, Scheduler, SimulationError};

/// More waypoints than this at once are a slip of the keyboard.
const MOST_WAYPOINTS: usize = 1_000_000;

impl Scheduler {
    /// Everything that the rest of the run depends on. What the solver keeps from step to step is dropped
    /// first, so that the run goes on from here as it will from [`Self::restore`], bit for bit.
    ///
    /// # Errors
    /// A device that is lost, output that cannot be written.
    pub fn save(&mut self) -> Result<Waypoint, ScheduleError> {
        self.begin()?;
        self.simulation_mut().forget();
        self.capture()
    }

    fn capture(&mut self) -> Result<Waypoint, ScheduleError> {
        let time = self.time();
        let state = self.simulation_mut().state()?.clone();
        let mut memories = Vec::new();
        self.simulation().save_memories(&mut memories);
        let mut inputs = vec![Vec::new(); self.inputs.len()];
        self.inputs.iter().zip(&mut inputs).for_each(|(probe, into)| probe.save(into));
        let mut outputs = Vec::new();
        for probe in &mut self.outputs {
            let name = probe.name.clone();
            let saved = probe.save();
            let named = |source| SimulationError::Callback { name, time, source };
            outputs.push(saved.map_err(named)?);
        }
        let settings = self.simulation().written.settings(self.simulation().model());
        Ok(Waypoint { state, steps: self.steps, settings, memories, inputs, outputs })
    }

    /// Goes back, or on, to a waypoint of this model.
    ///
    /// # Errors
    /// [`ScheduleError::Stale`] where its state is of another size than the system; output that cannot be
    /// taken back.
    pub fn restore(&mut self, waypoint: &Waypoint) -> Result<(), ScheduleError> {
        self.simulation_mut().put_back(&waypoint.settings)?;
        self.simulation_mut().synchronize()?;
        let start = self.simulation().compiled().initial_state();
        let sizes = |state: &crate::system::State| {
            [state.q.len(), state.u.len(), state.memory.len(), state.coordinates.len()]
        };
        if sizes(&start) != sizes(&waypoint.state) {
            return Err(ScheduleError::Stale { time: waypoint.time() });
        }
        self.simulation_mut().forget();
        self.simulation_mut().set_state(&waypoint.state)?;
        self.restore_places(waypoint)
    }

    fn restore_places(&mut self, waypoint: &Waypoint) -> Result<(), ScheduleError> {
        self.simulation_mut().restore_memories(&waypoint.memories);
        let time = waypoint.time();
        let inputs = self.inputs.iter_mut().zip(&waypoint.inputs);
        inputs.for_each(|(probe, from)| probe.signal().restore(from));
        // A probe that was added since goes back to where it began.
        let began = self.start.as_ref().map_or(&[][..], |start| &start.outputs);
        let count = waypoint.outputs.len();
        let places = waypoint.outputs.iter().chain(began.iter().skip(count));
        for (probe, from) in self.outputs.iter_mut().zip(places) {
            let name = probe.name.clone();
            let named = |source| SimulationError::Callback { name, time, source };
            probe.restore(from).map_err(named)?;
        }
        self.steps = waypoint.steps;
        self.restart_pace();
        Ok(())
    }

    /// Goes back to the start of the model as it is now. What was set by hand stays, what controllers and
    /// probes have set is put back.
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn reset(&mut self) -> Result<(), ScheduleError> {
        self.is_placed = false;
        self.simulation_mut().put_back(&[])?;
        self.simulation_mut().reset()?;
        if let Some(start) = self.start.take() {
            self.restore_places(&start)?;
            self.start = Some(start);
        }
        self.steps = 0;
        self.save_marks()
    }

    /// Puts what probes prescribe where they have it at the start, with its velocity: muscles on it and joints begin there.
    fn place_prescribed(&mut self) -> Result<(), ScheduleError> {
        if self.is_placed || self.steps > 0 {
            return Ok(());
        }
        self.is_placed = true;
        let step = [self.time(), self.time() + self.settings().step];
        let Self { inputs, simulation, .. } = self;
        let start = simulation.compiled().initial_state();
        let is_untouched = *simulation.state()? == start;
        let mut any = false;
        for probe in inputs.iter_mut() {
            any |= probe.place(simulation, step, Means::Path)?;
        }
        if any && is_untouched {
            simulation.reset()?;
        }
        for probe in inputs.iter_mut() {
            probe.place(simulation, step, Means::Lock)?;
        }
        Ok(())
    }

    /// Begins a run before its first step: the start is kept, and may be a sample.
    pub(super) fn begin(&mut self) -> Result<(), ScheduleError> {
        self.place_prescribed()?;
        if self.start.is_none() {
            let mut start = self.capture()?;
            start.state = Default::default();
            self.start = Some(start);
        } else if let Some(mut start) = self.start.take() {
            // Of probes that were added since.
            for probe in self.outputs.iter_mut().skip(start.outputs.len()) {
                let (name, time) = (probe.name.clone(), start.time());
                let saved = probe.save();
                let named = |source| SimulationError::Callback { name, time, source };
                start.outputs.push(saved.map_err(named)?);
            }
            self.start = Some(start);
        }
        let Self { outputs, .. } = self;
        let mut outputs = std::mem::take(outputs);
        let begun = outputs.iter_mut().try_for_each(|probe| probe.begin(self.simulation_mut()));
        self.outputs = outputs;
        Ok(begun?)
    }

    /// Saves a waypoint when `time` [s] is reached, which is now or later; a breakpoint halts the run too.
    ///
    /// # Errors
    /// [`ScheduleError::Passed`]; as [`Self::save`] where the time is now.
    pub fn add_waypoint(&mut self, time: f64, halts: bool) -> Result<(), ScheduleError> {
        let slack = ROUNDING * self.settings().step;
        if !time.is_finite() || time < self.time() - slack {
            return Err(ScheduleError::Passed { time, now: self.time() });
        }
        match self.marks.iter_mut().find(|mark| (mark.time - time).abs() <= slack) {
            Some(mark) => mark.halts |= halts,
            None => {
                let at = self.marks.partition_point(|mark| mark.time < time);
                self.marks.insert(at, Mark { time, halts, saved: None });
            }
        }
        self.save_marks()
    }

    /// Waypoints every `interval` [s] until `end` [s].
    ///
    /// # Errors
    /// As [`Self::add_waypoint`]; [`ScheduleError::Waypoints`] where they are too many.
    pub fn add_waypoints(&mut self, interval: f64, end: f64) -> Result<(), ScheduleError> {
        let first = (self.time() / interval - ROUNDING).ceil().max(1.0);
        let count = (end / interval + ROUNDING).floor() - first + 1.0;
        if !(interval > 0.0 && count <= MOST_WAYPOINTS as f64) {
            return Err(ScheduleError::Waypoints { interval, end });
        }
        let count = count.max(0.0) as usize;
        (0..count).try_for_each(|k| self.add_waypoint((first + k as f64) * interval, false))
    }

    /// Removes the waypoint at `time` [s]; `false` when there is none.
    pub fn remove_waypoint(&mut self, time: f64) -> bool {
        let (slack, before) = (ROUNDING * self.settings().step, self.marks.len());
        self.marks.retain(|mark| (mark.time - time).abs() > slack);
        self.marks.len() < before
    }

    /// Times [s] of the waypoints, whether they halt, and whether they were saved and still fit the model.
    pub fn waypoints(&self) -> impl Iterator<Item = (f64, bool, bool)> {
        let now = self.simulation().structure();
        let saved = move |mark: &Mark| mark.saved.as_ref().is_some_and(|(_, of)| *of == now);
        self.marks.iter().map(move |mark| (mark.time, mark.halts, saved(mark)))
    }

    /// Goes back to the last waypoint at or before `time` [s] that was saved, or to the start; the time
    /// that came of it [s].
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn rewind(&mut self, time: f64) -> Result<f64, ScheduleError> {
        let now = self.simulation().structure();
        let slack = ROUNDING * self.settings().step;
        let usable = |mark: &&Mark| mark.time <= time + slack;
        let saved = self.marks.iter().filter(usable).filter_map(|mark| mark.saved.as_ref());
        let fitting = saved.filter(|(_, structure)| *structure == now);
        match fitting.map(|(waypoint, _)| waypoint).next_back().cloned() {
            Some(waypoint) => self.restore(&waypoint)?,
            None => self.reset()?,
        }
        Ok(self.time())
    }

    /// Saves the waypoints of now, anew where a run passes them again.
    pub(super) fn save_marks(&mut self) -> Result<(), ScheduleError> {
        let (time, slack) = (self.time(), ROUNDING * self.settings().step);
        let Some(at) = self.marks.iter().position(|mark| (mark.time - time).abs() <= slack) else {
            return Ok(());
        };
        let waypoint = self.save()?;
        self.marks[at].saved = Some((waypoint, self.simulation().structure()));
        Ok(())
    }

    /// True if there is a breakpoint here.
    pub(super) fn halts_here(&self) -> bool {
        let (time, slack) = (self.time(), ROUNDING * self.settings().step);
        self.marks.iter().any(|mark| mark.halts && (mark.time - time).abs() <= slack)
    }
}
