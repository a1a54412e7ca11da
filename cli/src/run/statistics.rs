//! Statistics over the steps of a run, added up; and the distribution of their wall times.

use std::time::Duration;

use serde::Serialize;
use sinew::system::{PhaseTimes, StepStats};

use crate::numbers::milliseconds;

/// Sums and last values over the steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// Wall time of each step [ms], output not included.
    step_times: Vec<f64>,
    /// Sums of the phases.
    pub(crate) phases: PhaseTimes,
    /// Wall time of measuring and writing.
    pub(crate) output: Duration,
    /// Linear systems solved.
    pub(crate) linear_solves: usize,
    /// Parts of the steps with constraints.
    pub(crate) substeps: usize,
    /// Most rows of contacts, friction and ranges in a step.
    pub(crate) unilateral_rows: usize,
    /// Most contacts that push at the end of a step.
    pub(crate) contacts: usize,
    /// Pivots of all steps.
    pub(crate) pivots: usize,
    /// Methods that did not find the impulses of contacts, after each of which another took over.
    pub(crate) fallbacks: usize,
    /// Steps whose friction had the box in place of a cone.
    pub(crate) box_for_cone: usize,
    /// Numeric factorizations.
    pub(crate) factorizations: usize,
    /// Iterations of conjugate gradients.
    pub(crate) cg_iterations: usize,
    /// Corrections by a residual in 64 bits.
    pub(crate) corrections: usize,
    /// Bytes sent to the device.
    pub(crate) bytes_up: u64,
    /// Bytes read back from the device by steps; looks at the state are not among them.
    pub(crate) bytes_down: u64,
    /// Of the last step: matrix blocks, factor entries, residual.
    pub(crate) last: StepStats,
}

/// Distribution of the wall time of a step [ms]; not a number without a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StepTimes {
    /// Mean.
    pub(crate) mean: f64,
    /// Middle value; the mean of the middle two for an even count.
    pub(crate) median: f64,
    /// Smallest.
    pub(crate) min: f64,
    /// Largest.
    pub(crate) max: f64,
    /// The smallest time that at least 95 % of the steps do not exceed.
    pub(crate) p95: f64,
}

/// Mean wall time a step of each phase [ms]; not a number without a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct PhaseMeans {
    /// Evaluation of forces.
    pub(crate) forces: f64,
    /// Assembly of the system matrix.
    pub(crate) assembly: f64,
    /// Factorization, or set-up of the preconditioner.
    pub(crate) factor: f64,
    /// Solution with the factor, or conjugate gradients.
    pub(crate) solve: f64,
    /// Contact detection and rows.
    pub(crate) contact: f64,
    /// Position stabilization.
    pub(crate) stabilization: f64,
    /// Measuring and writing.
    pub(crate) output: f64,
}

impl Statistics {
    /// Adds a step of wall time `step_time` after which output took `output_time`.
    pub(crate) fn add(&mut self, stats: &StepStats, step_time: Duration, output_time: Duration) {
        self.step_times.push(milliseconds(step_time));
        self.output += output_time;
        self.linear_solves += stats.linear_solves;
        self.substeps += stats.substeps;
        self.unilateral_rows = self.unilateral_rows.max(stats.unilateral_rows);
        self.contacts = self.contacts.max(stats.contacts);
        self.pivots += stats.pivots;
        self.fallbacks += stats.fallbacks;
        self.box_for_cone += usize::from(stats.box_for_cone);
        self.factorizations += stats.factorizations;
        self.cg_iterations += stats.cg_iterations;
        self.corrections += stats.corrections;
        self.bytes_up += stats.bytes_up;
        self.bytes_down += stats.bytes_down;
        self.last = *stats;
        let (sum, new) = (&mut self.phases, &stats.phases);
        sum.forces += new.forces;
        sum.assembly += new.assembly;
        sum.factor += new.factor;
        sum.solve += new.solve;
        sum.contact += new.contact;
        sum.stabilization += new.stabilization;
    }

    /// Number of steps taken.
    pub(crate) fn step_count(&self) -> usize {
        self.step_times.len()
    }

    /// Wall time of all steps together [ms].
    pub(crate) fn total_step_time(&self) -> f64 {
        self.step_times.iter().sum()
    }

    /// Distribution of the wall time of a step.
    pub(crate) fn step_times(&self) -> StepTimes {
        let mut sorted = self.step_times.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        if count == 0 {
            let none = f64::NAN;
            return StepTimes { mean: none, median: none, min: none, max: none, p95: none };
        }
        StepTimes {
            mean: self.total_step_time() / count as f64,
            median: 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]),
            min: sorted[0],
            max: sorted[count - 1],
            p95: sorted[(95 * count).div_ceil(100) - 1],
        }
    }

    /// Mean wall time a step of each phase.
    pub(crate) fn phase_means(&self) -> PhaseMeans {
        let mean = |sum: Duration| milliseconds(sum) / self.step_count() as f64;
        PhaseMeans {
            forces: mean(self.phases.forces),
            assembly: mean(self.phases.assembly),
            factor: mean(self.phases.factor),
            solve: mean(self.phases.solve),
            contact: mean(self.phases.contact),
            stabilization: mean(self.phases.stabilization),
            output: mean(self.output),
        }
    }
}

impl PhaseMeans {
    /// Name and value of each phase, in the order of a step.
    pub(crate) fn rows(&self) -> [(&'static str, f64); 7] {
        [
            ("contact", self.contact),
            ("forces", self.forces),
            ("assembly", self.assembly),
            ("factor", self.factor),
            ("solve", self.solve),
            ("stabilization", self.stabilization),
            ("output", self.output),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_steps(milliseconds: impl IntoIterator<Item = u64>) -> Statistics {
        let mut statistics = Statistics::default();
        for ms in milliseconds {
            let mut stats = StepStats { linear_solves: 2, ..StepStats::default() };
            stats.phases.solve = Duration::from_millis(ms / 2);
            statistics.add(&stats, Duration::from_millis(ms), Duration::from_millis(1));
        }
        statistics
    }

    #[test]
    fn the_distribution_is_that_of_the_sorted_times() {
        // 100 steps of 2, 4, .. 200 ms, the longest first; sums of doubles near 1e4 round at 1e-12.
        let times = of_steps((1..=100).rev().map(|i| 2 * i)).step_times();
        let expected = [101.0, 101.0, 2.0, 200.0, 190.0];
        let found = [times.mean, times.median, times.min, times.max, times.p95];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{times:?}");
        }
        let one = of_steps([3]).step_times();
        assert_eq!((one.median, one.p95), (3.0, 3.0));
    }

    #[test]
    fn phases_are_means_over_the_steps() {
        let statistics = of_steps([2, 6]);
        let means = statistics.phase_means();
        // Durations are whole nanoseconds, so the quotients are exact to rounding.
        assert!((means.solve - 2.0).abs() < 1e-12 && (means.output - 1.0).abs() < 1e-12);
        assert_eq!((means.forces, statistics.linear_solves), (0.0, 4));
    }

    #[test]
    fn without_a_step_the_times_are_null_in_json() {
        let json = serde_json::to_value(Statistics::default().step_times()).unwrap();
        assert!(json["mean"].is_null() && json["p95"].is_null(), "{json}");
    }
}
