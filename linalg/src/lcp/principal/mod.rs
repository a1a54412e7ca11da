//! Symmetric principal pivoting on a tableau (CottlePangStone1992, alg. 4.2.11 and 4.3.2), with bounds:
//! one violated variable after the other is driven to where it belongs, and those that are satisfied
//! stay so. Any matrix that is positive semidefinite or has positive principal minors.

mod drive;
mod start;

use super::scaled::Scaled;
use super::symmetric::{CONTRADICTION, pivot_limit};
use super::tableau::Tableau;
use super::{ActiveSetStatus, Outcome};
use drive::Drive;

/// Zero steps in a row after which ties are broken by the least index (CottleChang1992).
const PATIENCE: usize = 20;

/// Permission of pivots of two variables at once where the diagonal has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum TwoByTwo {
    #[default]
    Never,
    Allowed,
}

/// Workspace of principal pivoting. The *basic* variable of an index is z_i or w_i, the other one is
/// its complement; T gives the basic ones as functions of the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Principal {
    allowed: TwoByTwo,
    tableau: Tableau,
    /// The row of the basic variable of each index, and the column of its complement.
    row_of: Vec<u32>,
    column_of: Vec<u32>,
    /// True if z_i is the basic one.
    basic: Vec<bool>,
    pub(super) statuses: Vec<ActiveSetStatus>,
    pub(super) z: Vec<f64>,
    pub(super) w: Vec<f64>,
    ignored: Vec<bool>,
    row: Vec<f64>,
    column: Vec<f64>,
    size: f64,
    tolerance: f64,
    pivots: usize,
    /// True if the tableau was computed from the matrix since the last drive that ended well.
    is_fresh: bool,
    zero_steps: usize,
}

impl Principal {
    pub(super) fn new(allowed: TwoByTwo) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// Solves a scaled problem and writes the solution in the units of the problem.
    pub(super) fn solve(
        &mut self,
        problem: &Scaled,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
        certificate: &mut Vec<f64>,
    ) -> Outcome {
        self.start(problem, statuses);
        let outcome = self.pivot(problem, certificate);
        problem.write(&self.z, z);
        statuses.copy_from_slice(&self.statuses);
        outcome.if_finite(z)
    }

    fn pivot(&mut self, problem: &Scaled, certificate: &mut Vec<f64>) -> Outcome {
        loop {
            let Some(driven) = self.most_violated(problem) else {
                self.refine(problem);
                self.pivots += usize::from(self.most_violated(problem).is_some());
                if self.most_violated(problem).is_none() || self.is_exhausted() {
                    let residual = problem.residual(&self.z, &self.w);
                    return Outcome::finished(residual, self.pivots);
                }
                continue;
            };
            match self.drive(problem, driven) {
                Drive::Done => self.is_fresh = false,
                Drive::Ray if self.violation(problem, driven) <= CONTRADICTION * self.size => {
                    self.ignored[driven] = true;
                }
                Drive::Ray | Drive::Stuck if !(self.is_fresh || self.is_exhausted()) => {
                    self.renew(problem)
                }
                Drive::Ray if self.certify(problem, driven, certificate) => {
                    return Outcome::Ray { variable: driven, pivots: self.pivots };
                }
                Drive::Ray | Drive::Stuck => {
                    certificate.clear();
                    problem.calc_w(&self.z, &mut self.w);
                    let residual = problem.residual(&self.z, &self.w);
                    return Outcome::Limit { residual, pivots: self.pivots };
                }
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.pivots > pivot_limit(self.z.len()) || !self.tolerance.is_finite()
    }

    fn breaks_ties(&self) -> bool {
        self.zero_steps > PATIENCE
    }

    /// The index whose basic variable is farthest from where it may be; the first one of them while a
    /// cycle is to be broken.
    fn most_violated(&self, problem: &Scaled) -> Option<usize> {
        let mut most = (self.tolerance, None);
        for i in (0..self.z.len()).filter(|&i| !self.ignored[i]) {
            let wrong = self.violation(problem, i);
            if wrong > most.0 {
                most = (wrong, Some(i));
                if self.breaks_ties() {
                    break;
                }
            }
        }
        most.1
    }

    /// Distance of the basic variable of i from its permitted range.
    fn violation(&self, problem: &Scaled, i: usize) -> f64 {
        self.gap(problem, i).abs()
    }

    /// Change that takes the basic variable of i to the nearest permitted value.
    fn gap(&self, problem: &Scaled, i: usize) -> f64 {
        let value = self.value(i);
        let (lower, upper) = self.limits(problem, i);
        value.max(lower).min(upper) - value
    }

    /// The value of the basic variable of i.
    fn value(&self, i: usize) -> f64 {
        if self.basic[i] { self.z[i] } else { self.w[i] }
    }

    /// Between which values the basic variable of i may be.
    fn limits(&self, problem: &Scaled, i: usize) -> (f64, f64) {
        if self.basic[i] {
            (problem.lower[i], problem.upper[i])
        } else if problem.lower[i] == problem.upper[i] {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else if problem.is_free(i) {
            (0.0, 0.0)
        } else if self.statuses[i] == ActiveSetStatus::Upper {
            (f64::NEG_INFINITY, 0.0)
        } else {
            (0.0, f64::INFINITY)
        }
    }
}
