//! The loop over the steps.

use std::time::{Duration, Instant};

use sinew::backend::Backend;
use sinew::model::Model;
use sinew::schedule::{
    MostExcited, ScheduleError, Scheduler, SchedulerSettings, Simulation, SimulationError,
};
use sinew::system::{CompiledModel, MechSystem, State, StepError, StepStats};

use super::args::{EnergiesArg, OnDeviceLossArg};
use super::checkpoints::Checkpoints;
use super::energy::{Growth, nothing_works};
use super::plan::Plan;
use super::progress::Progress;
use super::statistics::Statistics;
use crate::compute::{Chosen, Interrupt, Kind, on_cpu};
use crate::exit::{CliError, Exit};
use crate::output::Recorder;

/// Part of a step by which the end may be missed: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;

/// Ending of the loop.
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

/// A model on its way through time. Unless the plan says otherwise, the CPU's state is looked at after every step, that of a
/// device when a frame is due and at the end: a look takes the state over the bus.
pub(crate) struct Session<'m> {
    /// Scheduler that takes the steps.
    pub(crate) scheduler: Scheduler,
    /// Kind of the backend.
    pub(crate) kind: Kind,
    /// Reason of `auto` for its choice.
    pub(crate) why: Option<String>,
    /// The steps to take, and how.
    pub(crate) plan: &'m Plan,
    /// State of the model at the last look.
    pub(crate) state: State,
    /// State at the look before.
    pub(super) good: State,
    /// Number of steps up to the present state of the model.
    pub(crate) steps: u64,
    /// Number of steps up to `state`.
    pub(super) seen: u64,
    /// Wall time of the last step.
    last_time: Duration,
    /// Statistics of the steps so far.
    pub(crate) statistics: Statistics,
    /// Action when the device is lost.
    pub(super) on_loss: OnDeviceLossArg,
    /// Reason for which the device was given up, if it was.
    pub(crate) loss: Option<String>,
    /// Energies at the looks, where nothing works on the model.
    growth: Option<Growth>,
    /// The part of a step that failed at last [s], and what was excited most then.
    pub(crate) shortest: Option<(f64, MostExcited)>,
}

/// An error of a step as such, any other as one of the command.
pub(super) fn step_error(error: SimulationError) -> Result<Result<(), StepError>, CliError> {
    match error {
        SimulationError::Step(error) => Ok(Err(error)),
        other => Err(ScheduleError::from(other).into()),
    }
}

impl<'m> Session<'m> {
    /// A session at the start of `plan`. What was chosen is the only holder of what it steps.
    ///
    /// # Errors
    /// Settings that no scheduler takes.
    pub(crate) fn new(
        model: Model,
        chosen: Chosen,
        plan: &'m Plan,
        on_loss: OnDeviceLossArg,
    ) -> Result<Self, CliError> {
        let Chosen { backend, kind, why } = chosen;
        let state = backend.system().initial_state();
        let growth = nothing_works(&model).then(|| {
            let mut growth = Growth::default();
            growth.take(&backend.system().energies(&state));
            growth
        });
        let simulation = Simulation::with_parts(model, backend, on_cpu(plan.settings));
        let settings = SchedulerSettings {
            step: plan.step,
            smallest_step: plan.smallest_step,
            pace: plan.pace,
        };
        Ok(Self {
            scheduler: Scheduler::new(simulation, settings)?,
            kind,
            why,
            plan,
            good: state.clone(),
            state,
            steps: 0,
            seen: 0,
            last_time: Duration::ZERO,
            statistics: Statistics::default(),
            on_loss,
            loss: None,
            growth,
            shortest: None,
        })
    }

    /// The compiled model that is stepped.
    pub(crate) fn compiled(&self) -> &CompiledModel {
        self.scheduler.simulation().compiled()
    }

    /// The backend that steps it.
    pub(crate) fn backend(&self) -> &dyn Backend {
        self.scheduler.simulation().backend()
    }

    /// A note of energy that came from nothing.
    pub(super) fn growth(&self) -> Option<String> {
        self.growth.as_ref().and_then(Growth::note)
    }

    /// Goes on from where the scheduler was put.
    ///
    /// # Errors
    /// A device that is lost.
    pub(crate) fn resume(&mut self) -> Result<(), CliError> {
        let state = self.scheduler.simulation_mut().state().map_err(ScheduleError::from)?;
        self.state.clone_from(state);
        self.good.clone_from(&self.state);
        (self.steps, self.seen) = (self.scheduler.steps(), self.scheduler.steps());
        Ok(())
    }

    /// Takes the steps of the plan; the last good state is a frame whatever the ending.
    ///
    /// # Errors
    /// Results that cannot be written; a CPU that cannot take over from a device.
    pub(crate) fn advance(
        &mut self,
        recorder: &mut Recorder,
        progress: &Progress,
        interrupt: &Interrupt,
        checkpoints: &mut Checkpoints,
    ) -> Result<Ending, CliError> {
        let mut ending = Ending::Done;
        checkpoints.begin(&mut self.scheduler, recorder)?;
        while !self.is_over() {
            if let Err(error) = self.step(recorder)? {
                if self.may_go_on(&error) {
                    self.go_on_without_device(&error)?;
                    continue;
                }
                ending = Ending::Failed(error);
                break;
            }
            checkpoints.save_where_due(&mut self.scheduler, recorder)?;
            progress.update(self.steps, self.scheduler.time());
            if interrupt.is_requested() && !self.is_over() {
                ending = Ending::Interrupted;
                break;
            }
        }
        let seen = self.look_at_the_end(recorder)?;
        if let (Ending::Done | Ending::Interrupted, Err(error)) = (&ending, seen) {
            ending = Ending::Failed(error);
        }
        recorder.add_last_frame(self.compiled(), &self.state)?;
        self.scheduler.finish_outputs()?;
        Ok(ending)
    }

    fn is_over(&self) -> bool {
        let Plan { step, step_count, .. } = *self.plan;
        self.scheduler.time() >= step * (step_count as f64 - ROUNDING)
    }

    /// Takes one step and records it where it is looked at; the inner result is that of the step.
    /// When it fails, `state` is the last good one that was looked at.
    fn step(&mut self, recorder: &mut Recorder) -> Result<Result<(), StepError>, CliError> {
        let begun = Instant::now();
        let before = self.scheduler.time();
        let outcome = self.scheduler.step();
        self.last_time = begun.elapsed();
        let stats = match outcome {
            Ok(stats) => stats,
            Err(error) => return self.failed(error, before, recorder),
        };
        self.steps += 1;
        let looks = self.looks_at_steps() || recorder.is_frame_due(self.scheduler.time());
        if looks && let Err(error) = self.look(recorder, &stats)? {
            return Ok(Err(error));
        }
        self.statistics.add(&stats, self.last_time, begun.elapsed() - self.last_time);
        Ok(Ok(()))
    }

    /// True if every step is looked at, not frames alone.
    fn looks_at_steps(&self) -> bool {
        let default = if self.kind == Kind::Cpu { EnergiesArg::Steps } else { EnergiesArg::Frames };
        self.plan.energies.unwrap_or(default) == EnergiesArg::Steps
    }

    /// A step that failed; good parts of it are looked at. What is no matter of the step is an error.
    fn failed(
        &mut self,
        error: ScheduleError,
        before: f64,
        recorder: &mut Recorder,
    ) -> Result<Result<(), StepError>, CliError> {
        let step_error = match error {
            ScheduleError::Simulation(error) => match *error {
                SimulationError::Step(error) => error,
                other => return Err(ScheduleError::from(other).into()),
            },
            ScheduleError::TooShort { length, excited, source, .. } => {
                self.shortest = Some((length, excited));
                source
            }
            // What was taken of the step is looked at; the loop ends as it was asked to.
            ScheduleError::Stopped { .. } => {
                if self.scheduler.time() > before {
                    self.steps += 1;
                    let stats = self.statistics.last;
                    return self.look(recorder, &stats);
                }
                return Ok(Ok(()));
            }
            other => return Err(other.into()),
        };
        if self.scheduler.time() > before && self.kind == Kind::Cpu {
            self.steps += 1;
            let stats = self.statistics.last;
            self.look(recorder, &stats)?.unwrap_or_default();
        }
        Ok(Err(step_error))
    }

    /// Reads the state, measures and records it. One whose energy is no number is not good: the
    /// state is then the one before, and the error says why.
    fn look(
        &mut self,
        recorder: &mut Recorder,
        stats: &StepStats,
    ) -> Result<Result<(), StepError>, CliError> {
        std::mem::swap(&mut self.good, &mut self.state);
        match self.scheduler.simulation_mut().state() {
            Ok(state) => self.state.clone_from(state),
            Err(error) => {
                self.state.clone_from(&self.good);
                return step_error(error);
            }
        }
        let observation = recorder.observe(self.compiled(), &self.state);
        if !observation.is_finite() {
            return self.diagnose();
        }
        self.growth.iter_mut().for_each(|it| it.take(&observation.energies));
        let compiled = self.scheduler.simulation().compiled();
        recorder.add_step((compiled, &self.state), observation, stats, self.last_time)?;
        self.seen = self.steps;
        Ok(Ok(()))
    }

    /// Looks at the last state, unless that was done.
    fn look_at_the_end(
        &mut self,
        recorder: &mut Recorder,
    ) -> Result<Result<(), StepError>, CliError> {
        if self.seen == self.steps {
            return Ok(Ok(()));
        }
        let stats = self.statistics.last;
        let looked = self.look(recorder, &stats);
        self.steps = self.seen;
        looked
    }
}
