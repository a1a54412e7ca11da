//! Box friction: bounds made of the normal impulses of the iteration before, until these stay.

use super::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel, Lcp,
    LcpSolver, Outcome,
};

/// Iterations at most: a step at interactive rates has no time for more.
const ITERATIONS: usize = 20;

/// Ratio of changes above which limits go half the way only: contacts that take turns are brought
/// to rest by it.
const SLOW: f64 = 0.7;

/// Change that counts as none: a tenth of the residual that a solution may have.
const SETTLED: f64 = 1e-10;

impl ContactSolver {
    pub(super) fn solve_box(
        &mut self,
        problem: &ContactProblem,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
    ) -> ContactOutcome {
        self.start_limits(problem, z);
        let (mut before, mut last) = (0, f64::INFINITY);
        for iteration in 1..=ITERATIONS {
            let outcome = self.solve_iteration(problem, statuses, z, iteration);
            let (outcome, done) = outcome.after(before);
            if done || iteration == ITERATIONS {
                return outcome;
            }
            before = outcome.pivots();
            let change = outcome.change();
            let part = if change < SLOW * last { 1.0 } else { 0.5 };
            last = change;
            for (limit, z) in self.limits.iter_mut().zip(z.iter()) {
                *limit += part * (z.max(0.0) - *limit);
            }
        }
        ContactOutcome::Failed(Outcome::Limit { residual: f64::NAN, pivots: before })
    }

    /// Takes the normal impulses that z holds as those of the limits.
    pub(super) fn start_limits(&mut self, problem: &ContactProblem, z: &[f64]) {
        assert!(z.len() == problem.q.len(), "arrays differ in length");
        self.limits.clear();
        self.limits.extend(z.iter().map(|z| if z.is_finite() { z.max(0.0) } else { 0.0 }));
    }

    /// Solves with the limits at hand.
    pub(super) fn solve_iteration(
        &mut self,
        problem: &ContactProblem,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
        iterations: usize,
    ) -> ContactOutcome {
        self.update_bounds(problem);
        let ContactProblem { matrix, q, bounds, .. } = *problem;
        let lcp = Lcp { matrix, q, lower: &self.lower, upper: &self.upper };
        let outcome = self.keller.solve(&lcp, statuses, z);
        let Outcome::Solved { residual, pivots } = outcome else {
            return ContactOutcome::Failed(outcome);
        };
        let scale = |i: usize| matrix[q.len() * i + i].max(0.0).sqrt();
        let largest = (0..z.len()).map(|i| (z[i] * scale(i)).abs()).fold(0.0, f64::max);
        let change = |i: usize| match bounds[i] {
            Bound::Friction { normal, coefficient, .. } if coefficient > 0.0 => {
                (z[normal] - self.limits[normal]).abs() * scale(normal)
            }
            _ => 0.0,
        };
        let change = (0..z.len()).map(change).fold(0.0, f64::max);
        let model = FrictionModel::Box;
        if change <= SETTLED * largest {
            return ContactOutcome::Solved { residual, model, iterations, pivots };
        }
        let change = if largest > 0.0 { change / largest } else { 1.0 };
        ContactOutcome::Unsettled { change, model, iterations, pivots }
    }

    fn update_bounds(&mut self, problem: &ContactProblem) {
        self.lower.clear();
        self.upper.clear();
        for bound in problem.bounds {
            let (lower, upper) = match *bound {
                Bound::Unilateral => (0.0, f64::INFINITY),
                Bound::Bilateral => (f64::NEG_INFINITY, f64::INFINITY),
                Bound::Range { lower, upper } => (lower, upper),
                Bound::Friction { normal, coefficient, .. } => {
                    let limit = coefficient * self.limits[normal];
                    (-limit, limit)
                }
            };
            self.lower.push(lower);
            self.upper.push(upper);
        }
    }
}

impl ContactOutcome {
    fn pivots(&self) -> usize {
        match self {
            Self::Solved { pivots, .. } | Self::Unsettled { pivots, .. } => *pivots,
            Self::Failed(outcome) => outcome.pivots(),
        }
    }

    fn change(&self) -> f64 {
        if let Self::Unsettled { change, .. } = self { *change } else { 0.0 }
    }

    /// With the pivots of earlier iterations added, and whether no iteration is to follow.
    fn after(mut self, before: usize) -> (Self, bool) {
        match &mut self {
            Self::Solved { pivots, .. } | Self::Unsettled { pivots, .. } => *pivots += before,
            Self::Failed(_) => {}
        }
        let done = !matches!(self, Self::Unsettled { .. });
        (self, done)
    }
}
