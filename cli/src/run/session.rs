//! The loop over the steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sinew::Vec3;
use sinew::system::{CompiledModel, State, StepError, StepStats};

use super::choose::{Chosen, Kind};
use super::{Plan, Progress, Statistics, signal::Interrupt};
use crate::args::OnDeviceLossArg;
use crate::console;
use crate::exit::{CliError, Exit};
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

/// A model on its way through time. The CPU's state is looked at after every step, that of a device
/// when a frame is due and at the end: a look takes the state over the bus.
pub(crate) struct Session<'m> {
    compiled: Arc<CompiledModel>,
    /// What takes the steps.
    pub(crate) chosen: Chosen,
    /// The steps to take, and how.
    pub(crate) plan: &'m Plan,
    /// Where the model was when it was last looked at.
    pub(crate) state: State,
    /// Where it was at the look before.
    good: State,
    /// How many steps lead to where the model is.
    pub(crate) steps: u64,
    /// How many steps led to `state`.
    seen: u64,
    /// Wall time of the last step.
    last_time: Duration,
    /// What the steps so far did.
    pub(crate) statistics: Statistics,
    /// What to do when the device is lost.
    on_loss: OnDeviceLossArg,
    /// Why the device was given up, if it was.
    pub(crate) loss: Option<String>,
}

impl<'m> Session<'m> {
    /// A session at the start of `plan`.
    pub(crate) fn new(
        compiled: Arc<CompiledModel>,
        chosen: Chosen,
        plan: &'m Plan,
        on_loss: OnDeviceLossArg,
    ) -> Self {
        let state = compiled.initial_state();
        Self {
            compiled,
            chosen,
            plan,
            good: state.clone(),
            state,
            steps: 0,
            seen: 0,
            last_time: Duration::ZERO,
            statistics: Statistics::default(),
            on_loss,
            loss: None,
        }
    }

    /// Takes the steps of the plan; the last good state is a frame whatever the ending.
    ///
    /// # Errors
    /// Results that cannot be written; a CPU that cannot take over from a device.
    pub(crate) fn advance(
        &mut self,
        recorder: &mut Recorder<'_>,
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> Result<Ending, CliError> {
        let mut ending = Ending::Done;
        while self.steps < self.plan.step_count {
            if let Err(error) = self.step(recorder)? {
                if self.may_go_on(&error) {
                    self.go_on_without_device(&error)?;
                    continue;
                }
                ending = Ending::Failed(error);
                break;
            }
            progress.update(self.steps, self.chosen.backend.time());
            if interrupt.is_requested() && self.steps < self.plan.step_count {
                ending = Ending::Interrupted;
                break;
            }
        }
        let seen = self.look_at_the_end(recorder)?;
        if let (Ending::Done | Ending::Interrupted, Err(error)) = (&ending, seen) {
            ending = Ending::Failed(error);
        }
        recorder.add_last_frame(&self.state)?;
        Ok(ending)
    }

    /// Takes one step and records it where it is looked at; the inner result is that of the step.
    /// When it fails, `state` is the last good one that was looked at.
    fn step(&mut self, recorder: &mut Recorder<'_>) -> Result<Result<(), StepError>, OutputError> {
        let begun = Instant::now();
        let outcome = self.chosen.backend.step(self.plan.step);
        self.last_time = begun.elapsed();
        let stats = match outcome {
            Ok(stats) => stats,
            Err(error) => return Ok(Err(error)),
        };
        self.steps += 1;
        let looks =
            self.chosen.kind == Kind::Cpu || recorder.is_frame_due(self.chosen.backend.time());
        if looks && let Err(error) = self.look(recorder, &stats)? {
            return Ok(Err(error));
        }
        self.statistics.add(&stats, self.last_time, begun.elapsed() - self.last_time);
        Ok(Ok(()))
    }

    /// Reads the state, measures and records it. One whose energy is no number is not good: the
    /// state is then the one before, and the error says why.
    fn look(
        &mut self,
        recorder: &mut Recorder<'_>,
        stats: &StepStats,
    ) -> Result<Result<(), StepError>, OutputError> {
        std::mem::swap(&mut self.good, &mut self.state);
        if let Err(error) = self.chosen.backend.read_state(&mut self.state) {
            self.state.clone_from(&self.good);
            return Ok(Err(error));
        }
        let observation = recorder.observe(&self.state);
        if !observation.is_finite() {
            return Ok(Err(self.diagnose()));
        }
        recorder.add_step(&self.state, observation, stats, self.last_time)?;
        self.seen = self.steps;
        Ok(Ok(()))
    }

    /// Looks at the last state, unless that was done.
    fn look_at_the_end(
        &mut self,
        recorder: &mut Recorder<'_>,
    ) -> Result<Result<(), StepError>, OutputError> {
        if self.seen == self.steps {
            return Ok(Ok(()));
        }
        let stats = self.statistics.last;
        let looked = self.look(recorder, &stats);
        self.steps = self.seen;
        looked
    }

    /// Why the state has no finite energy, as the next step would find; then goes back to the last
    /// good state. A step looks at its start only, so its end may be such a state.
    fn diagnose(&mut self) -> StepError {
        let time = self.state.time;
        let next = self.chosen.backend.step(self.plan.step);
        self.state.clone_from(&self.good);
        self.steps = self.seen;
        let written = self.chosen.backend.write_state(&self.good);
        let point = "the model as a whole (its energy)".to_owned();
        let found = next.err().or(written.err());
        found.unwrap_or(StepError::NotFinite { point, time })
    }

    /// Whether the CPU is to take over after this error.
    fn may_go_on(&self, error: &StepError) -> bool {
        matches!(error, StepError::Device { .. })
            && self.chosen.kind == Kind::Gpu
            && self.on_loss == OnDeviceLossArg::Cpu
    }

    /// Goes on, on the CPU, from the last state that the device gave.
    fn go_on_without_device(&mut self, error: &StepError) -> Result<(), CliError> {
        let mut state = self.state.clone();
        let read = self.chosen.backend.read_state(&mut state);
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        if read.is_err() || !state.q.iter().chain(&state.u).all(is_finite) {
            state.clone_from(&self.state);
            self.steps = self.seen;
        }
        self.chosen = Chosen::cpu(self.compiled.clone(), self.plan.settings)?;
        self.chosen.backend.write_state(&state)?;
        console::complain(&format!("warning: {error} (from t = {} s)", state.time));
        self.loss = Some(error.to_string());
        Ok(())
    }
}
