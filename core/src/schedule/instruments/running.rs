//! Sensors, controllers and events of a simulation's model, called from its steps.

use super::{Bench, Instruments, NamedError};
use crate::editing::EditCommand;
use crate::kinds::EventCommand;
use crate::schedule::motion::Moving;
use crate::schedule::{Simulation, SimulationError};
use crate::system::{State, StepStats};

/// Requests of events to the driver of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    /// A halt.
    pub(crate) stop: bool,
    /// A waypoint.
    pub(crate) waypoint: bool,
}

/// Width to which the time of an event is localized [s], or rounding where that is wider.
const WIDTH: f64 = 1e-12;

impl Simulation {
    /// A step of `h` [s], or to the first event in it where the integrator is exact within steps: by halving, each time
    /// from the start of the step.
    pub(in crate::schedule) fn step_to_event(
        &mut self,
        h: f64,
    ) -> Result<StepStats, SimulationError> {
        let localizes = self.backend.localizes_events() && self.instruments.is_followed();
        if !localizes {
            let stats = self.take_step(h)?;
            self.fresh = false;
            return Ok(stats);
        }
        let start = self.state()?.clone();
        let stats = self.backend.step(h)?;
        self.fresh = false;
        let crosses = |it: &mut Self| it.with_instruments(Instruments::crosses);
        if crosses(self)? != Some(true) {
            return Ok(stats);
        }
        let width = WIDTH.max(4.0 * f64::EPSILON * (start.time + h).abs());
        let [mut before, mut after] = [0.0, h];
        while after - before > width {
            let middle = 0.5 * (before + after);
            self.return_to(&start)?;
            self.backend.step(middle)?;
            self.fresh = false;
            if crosses(self)? == Some(true) { after = middle } else { before = middle }
        }
        self.return_to(&start)?;
        let stats = self.backend.step(after)?;
        self.fresh = false;
        Ok(stats)
    }

    fn return_to(&mut self, start: &State) -> Result<(), SimulationError> {
        self.fresh = false;
        Ok(self.backend.write_state(start)?)
    }

    /// Controllers of the model, and first samples of its sensors, before a step of this length [s].
    pub(in crate::schedule) fn instruments_before(
        &mut self,
        step: f64,
    ) -> Result<(), SimulationError> {
        if self.instruments.are_there(&self.model) {
            // What was added since is to be read.
            self.synchronize()?;
        }
        self.with_instruments(|instruments, bench| instruments.before(bench, step)).map(|_| ())
    }

    /// Sensors of the model after a step.
    pub(in crate::schedule) fn instruments_sense(&mut self) -> Result<(), SimulationError> {
        self.with_instruments(|instruments, bench| {
            instruments.sense(bench);
            Ok(())
        })
        .map(|_| ())
    }

    /// Events of the model after a step: each edit is done at once, between this step and the next.
    pub(in crate::schedule) fn instruments_fire(&mut self) -> Result<(), SimulationError> {
        let fired = self.with_instruments(Instruments::fired)?;
        for it in fired.into_iter().flatten() {
            match it.command {
                EventCommand::Stop => self.requests.stop = true,
                EventCommand::Waypoint => self.requests.waypoint = true,
                EventCommand::Edit(command) => {
                    let time = self.time();
                    self.do_of_event(&command).map_err(|source| SimulationError::Callback {
                        name: it.path,
                        time,
                        source: Box::new(source),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// An edit of an event; what it sets is put back on the way to a waypoint.
    fn do_of_event(&mut self, command: &EditCommand) -> Result<(), SimulationError> {
        if let EditCommand::Set { property, .. } | EditCommand::Inherit { property } = command {
            let property = self.property(property)?;
            if Moving::of(&self.model, &property).is_none() {
                self.written.remember(&self.model, &property)?;
            }
        }
        self.apply(command).map(|_| ())
    }

    /// Requests of events since the last call.
    pub(crate) fn take_requests(&mut self) -> Requests {
        std::mem::take(&mut self.requests)
    }

    fn with_instruments<T>(
        &mut self,
        act: impl FnOnce(&mut Instruments, &mut Bench<'_>) -> Result<T, NamedError>,
    ) -> Result<Option<T>, SimulationError> {
        if !self.instruments.are_there(&self.model) {
            return Ok(None);
        }
        self.state()?;
        self.find_forces_of_sensors();
        // It is there before the first step alone.
        let state = self.start.get().unwrap_or(&self.state);
        let mut bench = Bench {
            model: &mut self.model,
            compiled: self.backend.system(),
            state,
            written: &mut self.written,
        };
        let time = bench.state.time;
        let done = act(&mut self.instruments, &mut bench);
        done.map(Some).map_err(|(name, source)| SimulationError::Callback { name, time, source })
    }
}
