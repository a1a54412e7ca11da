//! Start of pivoting, and the check and correction of its end.

use super::{Symmetric, tolerance};
use crate::lcp::ActiveSetStatus;
use crate::lcp::scaled::Scaled;

/// The value that a variable has while it is not basic, and the place that names it.
pub(in crate::lcp) fn rest(
    problem: &Scaled,
    i: usize,
    place: ActiveSetStatus,
) -> (ActiveSetStatus, f64) {
    let (lower, upper) = (problem.lower[i], problem.upper[i]);
    let at_upper = upper.is_finite() && (place == ActiveSetStatus::Upper || !lower.is_finite());
    match (at_upper, lower.is_finite()) {
        (true, _) => (ActiveSetStatus::Upper, upper),
        (false, true) => (ActiveSetStatus::Lower, lower),
        (false, false) => (ActiveSetStatus::Lower, 0.0),
    }
}

impl Symmetric {
    /// Takes the places, makes basic what was basic and what has no bounds, and holds at their bounds
    /// those that do not keep to them.
    pub(super) fn start(&mut self, problem: &Scaled, statuses: &[ActiveSetStatus]) {
        let n = problem.len();
        (self.pivots, self.zero_steps) = (0, 0);
        for values in [&mut self.z, &mut self.w, &mut self.before, &mut self.rates] {
            values.clear();
            values.resize(n, 0.0);
        }
        self.direction.clear();
        self.direction.reserve(n);
        for flags in [&mut self.ignored, &mut self.passive] {
            flags.clear();
            flags.resize(n, false);
        }
        self.statuses.clear();
        self.statuses.extend_from_slice(statuses);
        self.basis.reset(n);
        for i in 0..n {
            let wanted = self.statuses[i] == ActiveSetStatus::Basic || problem.is_free(i);
            if !(wanted && problem.lower[i] < problem.upper[i] && self.try_append(problem, i)) {
                (self.statuses[i], self.z[i]) = rest(problem, i, self.statuses[i]);
            }
        }
        self.settle(problem);
    }

    /// Makes a variable basic, unless its row depends on the basic ones.
    fn try_append(&mut self, problem: &Scaled, i: usize) -> bool {
        let fits = self.basis.try_append(problem, i);
        if fits {
            self.statuses[i] = ActiveSetStatus::Basic;
        }
        fits
    }

    /// Solves for the basic variables, and holds those out of bounds at their bounds, until all are
    /// within. Each round leaves fewer basic.
    pub(super) fn settle(&mut self, problem: &Scaled) {
        loop {
            // The second pass corrects the rounding of the first.
            (0..2).for_each(|_| self.correct_basic(problem));
            self.size = problem.size(&self.z);
            self.tolerance = tolerance(problem.len()) * self.size;
            if !self.hold_outside(problem) {
                break;
            }
        }
        problem.calc_w(&self.z, &mut self.w);
        self.is_fresh = true;
    }

    fn correct_basic(&mut self, problem: &Scaled) {
        problem.calc_w(&self.z, &mut self.w);
        self.direction.clear();
        self.direction.extend(self.basis.order().map(|i| -self.w[i]));
        self.basis.solve(&mut self.direction);
        for (i, d) in self.basis.order().zip(&self.direction) {
            self.z[i] += d;
        }
    }

    /// True if there were basic variables out of bounds: they are now fixed there.
    fn hold_outside(&mut self, problem: &Scaled) -> bool {
        let mut found = false;
        for i in 0..problem.len() {
            let nearest = problem.clamp(i, self.z[i]);
            if !self.basis.contains(i) || nearest == self.z[i] {
                continue;
            }
            let off = (nearest - self.z[i]).abs();
            self.z[i] = nearest;
            if off > self.tolerance {
                self.hold(problem, i);
                found = true;
            }
        }
        found
    }

    /// Takes a variable out of the basis and puts it on the bound that is nearer.
    pub(super) fn hold(&mut self, problem: &Scaled, i: usize) {
        let (lower, upper) = (problem.lower[i], problem.upper[i]);
        let at_upper = (upper - self.z[i]).abs() < (self.z[i] - lower).abs();
        (self.statuses[i], self.z[i]) = if at_upper {
            (ActiveSetStatus::Upper, upper)
        } else {
            (ActiveSetStatus::Lower, lower)
        };
        self.basis.remove(i);
    }

    /// Solves anew for the basic variables and says whether all conditions hold with these.
    pub(super) fn polish(&mut self, problem: &Scaled) -> bool {
        let before = self.basis.len();
        self.settle(problem);
        before == self.basis.len() && self.most_violated(problem).is_none()
    }

    /// The direction in which the driven variable moved without end.
    pub(super) fn certify(&mut self, problem: &Scaled, driven: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(problem.len(), 0.0);
        let sign = if self.w[driven] < 0.0 { 1.0 } else { -1.0 };
        out[driven] = sign * problem.scale[driven];
        for (i, d) in self.basis.order().zip(&self.direction) {
            out[i] = d * problem.scale[i];
        }
    }
}
