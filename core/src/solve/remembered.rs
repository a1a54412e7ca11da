//! The memory of forces over the stages of a Runge-Kutta step, and as it was before the step.

use crate::system::{MechSystem, Motion, State};

/// Memory at the start of a step and of a part of it, rates of the last stage, and their weighted sum.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryStages {
    whole: Vec<f64>,
    start: Vec<f64>,
    rate: Vec<f64>,
    sum: Vec<f64>,
}

impl MemoryStages {
    /// Keeps the memory of a state before a step.
    pub(super) fn keep(&mut self, state: &State) {
        self.whole.clone_from(&state.memory);
    }

    /// Brings it back.
    pub(super) fn restore(&self, state: &mut State) {
        state.memory.clone_from(&self.whole);
    }

    /// At the start of a step, or of a part of it.
    pub(super) fn begin(&mut self, state: &State) {
        self.start.clone_from(&state.memory);
        for sums in [&mut self.rate, &mut self.sum] {
            sums.clear();
            sums.resize(state.memory.len(), 0.0);
        }
    }

    /// Memory of a stage `elapsed` [s] after the start, by the rates of the stage before.
    pub(super) fn stage(&self, state: &mut State, elapsed: f64) {
        let known = self.start.iter().zip(&self.rate);
        state.memory.iter_mut().zip(known).for_each(|(m, (m0, rate))| *m = m0 + rate * elapsed);
    }

    /// Adds the rates of a stage at a time [s] with its weight, for a step of `h` [s].
    pub(super) fn add(
        &mut self,
        system: &dyn MechSystem,
        state: &State,
        (time, h): (f64, f64),
        weight: f64,
    ) {
        system.memory_rates(time, Motion::of(state, h), &mut self.rate);
        self.sum.iter_mut().zip(&self.rate).for_each(|(sum, rate)| *sum += rate * weight);
    }

    /// Memory at the end.
    pub(super) fn finish(&self, state: &mut State, h: f64) {
        let known = self.start.iter().zip(&self.sum);
        state.memory.iter_mut().zip(known).for_each(|(m, (m0, sum))| *m = m0 + sum * h);
    }
}
