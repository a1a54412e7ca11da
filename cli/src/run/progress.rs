//! The progress bar: simulated time, steps a second, real-time factor.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::RunArgs;
use super::plan::Plan;

/// Time between two updates; faster than that nobody reads.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar on stderr, or nothing. It is cleared when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    drawn: Cell<Instant>,
}

impl Progress {
    /// A bar for the steps of `plan`; none with `--quiet`, with `--json`, or without a terminal.
    pub(crate) fn new(args: &RunArgs, plan: &Plan) -> Self {
        let shown = !args.quiet && !args.json && std::io::stderr().is_terminal();
        let bar = if shown {
            let target = ProgressDrawTarget::stderr();
            let style = ProgressStyle::with_template("{wide_bar} {percent}% {msg}, {eta} left");
            ProgressBar::with_draw_target(Some(plan.step_count), target)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        } else {
            ProgressBar::hidden()
        };
        let now = Instant::now();
        Self { bar, started: now, drawn: Cell::new(now) }
    }

    /// Shows that `steps` steps were taken and `time` [s] is reached.
    pub(crate) fn update(&self, steps: u64, time: f64) {
        if self.bar.is_hidden() || self.drawn.get().elapsed() < INTERVAL {
            return;
        }
        self.drawn.set(Instant::now());
        let wall = self.started.elapsed().as_secs_f64();
        let (rate, factor) = (steps as f64 / wall, time / wall);
        self.bar
            .set_message(format!("t = {time:.3} s, {rate:.1} steps/s, {factor:.3} x real time"));
        self.bar.set_position(steps);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
