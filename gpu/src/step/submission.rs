//! The lists of a step as they are submitted, and how many calls they have.

use sinew_shaders::layout::flag;
use sinew_shaders::program::{Command, ListId, Program};

use super::plan::Lists;
use super::renewal::Renewal;
use crate::forecast::Forecast;

/// Counts that decide what is submitted.
pub(super) struct Solving {
    pub(super) forecast: Forecast,
    pub(super) renewal: Renewal,
    /// Room for the runs of a step.
    pub(super) runs: Vec<(ListId, u32)>,
}

impl Solving {
    pub(super) fn new() -> Self {
        let (forecast, renewal) = (Forecast::default(), Renewal::new());
        Self { forecast, renewal, runs: Vec::with_capacity(32) }
    }

    /// The lists from the start of a step to its end, with the iterations that are expected.
    pub(super) fn push_first(&mut self, lists: &Lists, renew: bool, runs: &mut Vec<(ListId, u32)>) {
        runs.push((lists.begin, 1));
        if let Some(solve) = lists.solve {
            runs.extend([(if renew { solve.renew } else { solve.keep }, 1), (solve.start, 1)]);
            for iterations in self.forecast.batches() {
                self.forecast.record(iterations);
                runs.extend([(solve.iteration, iterations), (solve.correct, 1)]);
            }
        }
        runs.push((lists.end, 1));
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
