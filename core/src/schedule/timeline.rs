//! Ways back to what a run was: its waypoints, its start.

use super::prescribed::Means;
use super::scheduler::ROUNDING;
use super::waypoint::{Mark, Waypoint};
use super::{ScheduleError, Scheduler, SimulationError};

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
        self.follow_waypoints();
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
        if is_untouched {
            simulation.place_coordinates()?;
        }
        for probe in inputs.iter_mut() {
            probe.place(simulation, step, Means::Lock)?;
        }
        inputs.iter_mut().try_for_each(|probe| probe.begin(simulation, step[0]))?;
        // What is read before the first step has the paths of locks, and what is fed at the start.
        Ok(simulation.synchronize()?)
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

    /// Goes back to the last waypoint at or before `time` [s] that was saved, or to the start; the time
    /// that came of it [s].
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn rewind(&mut self, time: f64) -> Result<f64, ScheduleError> {
        self.follow_waypoints();
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
}
