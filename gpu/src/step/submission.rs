//! The lists of a step as they are submitted, and how many calls they have.

use sinew_shaders::layout::flag;
use sinew_shaders::program::{Command, ListId, Program};

use super::plan::Lists;
use super::renewal::Renewal;
use crate::forecast::Forecast;
use crate::{Executor, GpuError};

/// Counts of an instance that decide what is submitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solving {
    pub(super) forecast: Forecast,
    pub(super) renewal: Renewal,
}

impl Solving {
    pub(super) fn new() -> Self {
        Self { forecast: Forecast::default(), renewal: Renewal::new() }
    }

    /// Iterations to submit after those that were not enough.
    pub(super) fn more(&mut self, made: u32) -> u32 {
        let more = self.forecast.more(made);
        self.forecast.record(more);
        more
    }

    /// Takes the flags after a step of `h` [s] that made its preconditioner anew, or did not.
    pub(super) fn learn(&mut self, step: (f64, bool), flags: &[u32]) {
        self.forecast.learn(flags);
        self.renewal.learn(step, flags[flag::ITERATIONS as usize]);
    }
}

/// Lists to be submitted one after another, each for some of the instances.
#[derive(Debug, Default)]
pub(super) struct Submission(Vec<Phase>);

/// Lists for the same instances, and how often each runs.
#[derive(Debug)]
struct Phase {
    instances: Vec<u32>,
    runs: Vec<(ListId, u32)>,
}

impl Submission {
    /// Adds a run of a list for some instances; nothing where there are none.
    pub(super) fn push(&mut self, instances: &[u32], run: (ListId, u32)) {
        match self.0.last_mut() {
            _ if instances.is_empty() => {}
            Some(last) if last.instances == instances => last.runs.push(run),
            _ => self.0.push(Phase { instances: instances.to_vec(), runs: vec![run] }),
        }
    }

    /// # Errors
    /// As [`Executor::submit`].
    pub(super) fn submit(&self, executor: &mut dyn Executor) -> Result<(), GpuError> {
        self.0.iter().try_for_each(|phase| {
            executor.choose(&phase.instances);
            executor.submit(&phase.runs)
        })
    }
}

/// Calls of kernels in each part of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dispatches {
    /// Loads and matrix; of an explicit step, all but its end.
    pub begin: usize,
    /// The preconditioner made anew.
    pub renew: usize,
    /// The preconditioner kept.
    pub keep: usize,
    /// The first residuals.
    pub start: usize,
    /// One iteration.
    pub iteration: usize,
    /// The end of a round of iterations, with its residual.
    pub correct: usize,
    /// The state at the end.
    pub end: usize,
}

impl Dispatches {
    pub(super) fn of(program: &Program, lists: &Lists) -> Self {
        let calls = |list: ListId| {
            let commands = program.lists[list.0 as usize].iter();
            commands.filter(|command| matches!(command, Command::Dispatch(_))).count()
        };
        let mut counts =
            Self { begin: calls(lists.begin), end: calls(lists.end), ..Self::default() };
        if let Some(solve) = lists.solve {
            counts.renew = calls(solve.renew);
            counts.keep = calls(solve.keep);
            counts.start = calls(solve.start);
            counts.iteration = calls(solve.iteration);
            counts.correct = calls(solve.correct);
        }
        counts
    }
}
