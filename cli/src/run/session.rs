//! The loop over the steps.

use std::time::Instant;

use sinew::solve::MechSystemSolver;
use sinew::system::{CompiledModel, State, StepError};

use super::{Plan, Progress, Statistics, signal::Interrupt};
use crate::exit::Exit;
use crate::output::{OutputError, Recorder};

/// How the loop ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    /// All steps were taken.
    Done,
    /// The user asked to stop.
    Interrupted,
    /// A step failed; the state is the last good one.
    Failed(StepError),
}

impl Ending {
    /// The exit code of a run that ends so.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Done => Exit::Done,
            Self::Interrupted => Exit::Interrupted,
            Self::Failed(_) => Exit::Step,
        }
    }
}

/// A model on its way through time.
pub(crate) struct Session<'m> {
    compiled: &'m CompiledModel,
    /// What takes the steps.
    pub(crate) solver: MechSystemSolver,
    /// The steps to take, and how.
    pub(crate) plan: &'m Plan,
    /// Where the model is.
    pub(crate) state: State,
    /// Where it was before the last step.
    good: State,
    /// What the steps so far did.
    pub(crate) statistics: Statistics,
}

impl<'m> Session<'m> {
    /// A session at the start of `plan`.
    pub(crate) fn new(
        compiled: &'m CompiledModel,
        solver: MechSystemSolver,
        plan: &'m Plan,
    ) -> Self {
        let state = compiled.initial_state();
        let good = state.clone();
        Self { compiled, solver, plan, state, good, statistics: Statistics::default() }
    }

    /// Takes the steps of the plan; the last good state is a frame whatever the ending.
    ///
    /// # Errors
    /// Results that cannot be written.
    pub(crate) fn advance(
        &mut self,
        recorder: &mut Recorder<'_>,
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> Result<Ending, OutputError> {
        let mut ending = Ending::Done;
        for index in 1..=self.plan.step_count {
            if let Err(error) = self.step(recorder)? {
                ending = Ending::Failed(error);
                break;
            }
            progress.update(index, self.state.time);
            if interrupt.is_requested() && index < self.plan.step_count {
                ending = Ending::Interrupted;
                break;
            }
        }
        recorder.add_last_frame(&self.state)?;
        Ok(ending)
    }

    /// Takes one step and records it; the inner result is that of the step. When the step fails,
    /// the state is the last good one.
    fn step(&mut self, recorder: &mut Recorder<'_>) -> Result<Result<(), StepError>, OutputError> {
        self.good.clone_from(&self.state);
        let begun = Instant::now();
        let outcome = self.solver.step(self.compiled, &mut self.state, self.plan.step);
        let step_time = begun.elapsed();
        let stats = match outcome {
            Ok(stats) => stats,
            Err(error) => return Ok(Err(error)),
        };
        let observation = recorder.observe(&self.state);
        if !observation.is_finite() {
            return Ok(Err(self.diagnose()));
        }
        recorder.add_step(&self.state, observation, &stats, step_time)?;
        self.statistics.add(&stats, step_time, begun.elapsed() - step_time);
        Ok(Ok(()))
    }

    /// Why the state has no finite energy, as the next step would find; then goes back to the last
    /// good state. A step looks at its start only, so its end may be such a state.
    fn diagnose(&mut self) -> StepError {
        let time = self.state.time;
        let next = self.solver.step(self.compiled, &mut self.state, self.plan.step);
        self.state.clone_from(&self.good);
        let point = "the model as a whole (its energy)".to_owned();
        next.err().unwrap_or(StepError::NotFinite { point, time })
    }
}
