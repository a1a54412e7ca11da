//! A step, tried as a whole and then in parts.

use super::{MostExcited, ScheduleError, Scheduler, SimulationError};
use crate::system::{StepError, StepStats};

impl Scheduler {
    /// A step of this length [s], in parts where it fails as a whole.
    pub(super) fn take(&mut self, length: f64) -> Result<StepStats, ScheduleError> {
        let error = match self.attempt(length) {
            Ok(stats) => return Ok(stats),
            Err(error) => error,
        };
        let half = 0.5 * length;
        match &error {
            SimulationError::Step(StepError::Stopped { time }) => {
                return Err(ScheduleError::Stopped { time: *time });
            }
            SimulationError::Step(why) if why.may_pass() && half >= self.settings.smallest_step => {
            }
            SimulationError::Step(why) if why.may_pass() => {
                return Err(ScheduleError::TooShort {
                    length,
                    smallest: self.settings.smallest_step,
                    excited: MostExcited::of(self.simulation.model(), self.time()),
                    source: why.clone(),
                });
            }
            _ => return Err(error.into()),
        }
        self.halved += 1;
        self.look_at_stop()?;
        let first = self.take(half)?;
        self.look_at_stop()?;
        let mut stats = self.take(half)?;
        stats.add_part(&first);
        Ok(stats)
    }

    /// Asks whether to go on with the parts of a step: each of them may take long.
    fn look_at_stop(&self) -> Result<(), ScheduleError> {
        match self.stop.is_set() {
            true => Err(ScheduleError::Stopped { time: self.time() }),
            false => Ok(()),
        }
    }

    /// One try; the memory of controllers, monitors and input probes is as before if it fails.
    fn attempt(&mut self, length: f64) -> Result<StepStats, SimulationError> {
        let start = self.simulation.time();
        self.simulation.save_memories(&mut self.memories);
        self.signals.resize(self.inputs.len(), Vec::new());
        for (into, probe) in self.signals.iter_mut().zip(&self.inputs) {
            into.clear();
            probe.save(into);
        }
        let step = [start, start + length];
        let fed = self.inputs.iter_mut().try_for_each(|it| it.apply(&mut self.simulation, step));
        let stats = match fed.and_then(|()| self.simulation.step(length)) {
            Ok(stats) => stats,
            Err(error) => {
                if self.simulation.time() == start {
                    self.simulation.restore_memories(&self.memories);
                    let signals = self.inputs.iter_mut().zip(&self.signals);
                    signals.for_each(|(probe, from)| probe.signal().restore(from));
                }
                return Err(error);
            }
        };
        let longest = self.settings.step;
        let outputs = &mut self.outputs;
        outputs.iter_mut().try_for_each(|probe| probe.observe(&mut self.simulation, longest))?;
        Ok(stats)
    }
}
