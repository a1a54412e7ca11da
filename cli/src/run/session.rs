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
        Self { compiled, solver, plan, state, statistics: Statistics::default() }
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

    /// Takes one step and records it; the inner result is that of the step.
    fn step(&mut self, recorder: &mut Recorder<'_>) -> Result<Result<(), StepError>, OutputError> {
        let begun = Instant::now();
        let outcome = self.solver.step(self.compiled, &mut self.state, self.plan.step);
        let step_time = begun.elapsed();
        let stats = match outcome {
            Ok(stats) => stats,
            Err(error) => return Ok(Err(error)),
        };
        recorder.add_step(&self.state, &stats, step_time)?;
        self.statistics.add(&stats, step_time, begun.elapsed() - step_time);
        Ok(Ok(()))
    }
}
