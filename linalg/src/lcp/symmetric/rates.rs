//! Changes of w for Dantzig's rule: its motion while a variable is driven, and the variable that
//! would turn wrong.

use super::drive::Stop;
use super::{Rule, Symmetric};
use crate::lcp::ActiveSetStatus;
use crate::lcp::scaled::Scaled;
use crate::lcp::vector::{add_scaled, largest};

/// Rates below this part of the largest motion do not block. They are products of a diagonal near 1
/// with Schur complements; a row let in by one that is rounding makes the basic block singular.
const STILL: f64 = 1e-9;

impl Symmetric {
    /// The change of w with the step of the driven variable.
    pub(super) fn update_rates(&mut self, problem: &Scaled, s: usize, sign: f64) {
        self.rates.fill(0.0);
        add_scaled(&mut self.rates, sign, problem.row(s));
        for (i, &d) in self.basis.order().zip(&self.direction) {
            add_scaled(&mut self.rates, d, problem.row(i));
        }
    }

    /// `first`, or a w that turns wrong before: of those that do so together within the tolerance,
    /// the one that moves most.
    pub(super) fn first_w(&self, problem: &Scaled, s: usize, first: (f64, Stop)) -> (f64, Stop) {
        let still = STILL * largest(&self.direction).max(1.0);
        let blocking = || {
            let candidates = (0..self.rates.len()).filter(move |&i| i != s && !self.passive[i]);
            candidates
                .filter_map(|i| Some((i, self.rates[i].abs(), self.room_of_w(problem, i, still)?)))
        };
        let relaxed = |(_, d, room): (usize, f64, f64)| (room + self.tolerance) / d;
        let limit = blocking().map(relaxed).fold(first.0, f64::min);
        let mut best = (0.0, first);
        for (i, d, room) in blocking().filter(|(_, d, room)| room / d <= limit) {
            let better = if self.breaks_ties() { best.0 == 0.0 } else { d > best.0 };
            if better {
                best = (d, (room / d, Stop::W(i)));
            }
        }
        if best.1.0 < first.0 { best.1 } else { first }
    }

    /// Distance that w_i may move in its direction; none where it may move on, or is wrong already.
    fn room_of_w(&self, problem: &Scaled, i: usize, still: f64) -> Option<f64> {
        let rate = self.rates[i];
        let fixed = problem.lower[i] == problem.upper[i];
        if self.basis.contains(i) || fixed || rate.abs() <= still {
            return None;
        }
        let (lower, upper) = match self.statuses[i] {
            _ if problem.is_free(i) => (0.0, 0.0),
            ActiveSetStatus::Upper => (f64::NEG_INFINITY, 0.0),
            _ => (0.0, f64::INFINITY),
        };
        let w = self.w[i];
        let bound = if rate > 0.0 { upper } else { lower };
        let right = w >= lower - self.tolerance && w <= upper + self.tolerance;
        (right && bound == 0.0).then(|| ((bound - w) * rate.signum()).max(0.0))
    }

    /// w moves along; that of the driven variable is known.
    pub(super) fn advance_w(&mut self, s: usize, step: f64) {
        if self.rule == Rule::Dantzig {
            let own = self.w[s];
            add_scaled(&mut self.w, step, &self.rates);
            self.w[s] = own;
        }
    }

    /// A variable whose w became zero joins the basic ones. Its row can only depend on theirs where
    /// its rate was rounding.
    pub(super) fn admit(&mut self, problem: &Scaled, i: usize) {
        if self.basis.try_append(problem, i) {
            self.statuses[i] = ActiveSetStatus::Basic;
            self.w[i] = 0.0;
        } else {
            self.passive[i] = true;
        }
    }
}
