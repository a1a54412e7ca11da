//! Principal pivoting on a symmetric positive semidefinite matrix with the factor of its basic block
//! (Keller1973; Lacoursiere2007; CottlePangStone1992, sec. 4.2 and 4.3): one variable whose w is wrong
//! after the other is driven from its bound.

mod drive;
mod rates;
mod start;

use super::basis::Basis;
use super::scaled::Scaled;
use super::{ActiveSetStatus, Outcome, Refusal};
use drive::Drive;
pub(super) use start::rest;

/// Zero steps in a row after which ties are broken by the least index, which cannot cycle
/// (CottleChang1992). A choice: no other number was tried.
const PATIENCE: usize = 20;

/// A contradiction below this part of the size is that of rounding in q: it is left in the
/// residual, and is below what a solution may have there.
pub(super) const CONTRADICTION: f64 = 0.9e-9;

/// w and z below this part of the problem's size count as zero; 4 roundings a term beside it.
pub(super) fn tolerance(variables: usize) -> f64 {
    1e-12 + 4.0 * f64::EPSILON * variables as f64
}

/// Pivots after which pivoting has failed. The most that was measured is 17 for each variable, by
/// Dantzig's rule (docs/theory/lcp.md); there are problems that would take 2^n.
pub(super) fn pivot_limit(variables: usize) -> usize {
    1000 + 50 * variables
}

/// Rule for the stops of a driven variable besides itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Rule {
    /// Basic z at their bounds: every step lowers z.(M z / 2 + q). Pivots are 1 x 1 or 2 x 2.
    #[default]
    Keller,
    /// Those, and w that would turn wrong: ever fewer are. Pivots are 1 x 1.
    Dantzig,
}

/// Workspace of principal pivoting with a factor. All in scaled units.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetric {
    rule: Rule,
    basis: Basis,
    statuses: Vec<ActiveSetStatus>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Change of the basic variables while one is driven; beside it z before the drive.
    direction: Vec<f64>,
    before: Vec<f64>,
    /// Change of w, and variables whose w do not block the present drive; for Dantzig's rule.
    rates: Vec<f64>,
    passive: Vec<bool>,
    /// Rows whose contradiction is that of rounding.
    ignored: Vec<bool>,
    /// Of z and q, and the part of it that counts as zero.
    size: f64,
    tolerance: f64,
    pivots: usize,
    /// True if z and w were computed from the matrix since the last drive that ended well.
    is_fresh: bool,
    zero_steps: usize,
}

impl Symmetric {
    pub(super) fn new(rule: Rule) -> Self {
        Self { rule, ..Self::default() }
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
                if self.polish(problem) {
                    let residual = problem.residual(&self.z, &self.w);
                    return Outcome::finished(residual, self.pivots);
                }
                self.pivots += 1;
                if self.is_exhausted() {
                    return self.limit(problem);
                }
                continue;
            };
            match self.drive(problem, driven) {
                Drive::Done => self.is_fresh = false,
                Drive::Indefinite => {
                    return Outcome::Refused(Refusal::Indefinite { variable: driven });
                }
                Drive::Ray if self.w[driven].abs() <= CONTRADICTION * self.size => {
                    self.ignored[driven] = true;
                }
                // Rounding may have gathered in w.
                Drive::Ray if !self.is_fresh => self.settle(problem),
                Drive::Ray => {
                    self.certify(problem, driven, certificate);
                    return Outcome::Ray { variable: driven, pivots: self.pivots };
                }
                Drive::Exhausted => return self.limit(problem),
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.pivots > pivot_limit(self.z.len()) || !self.tolerance.is_finite()
    }

    fn limit(&mut self, problem: &Scaled) -> Outcome {
        problem.calc_w(&self.z, &mut self.w);
        let residual = problem.residual(&self.z, &self.w);
        Outcome::Limit { residual, pivots: self.pivots }
    }

    /// The variable that is not basic whose w is wrong by most; the first one that is wrong while a
    /// cycle is to be broken.
    fn most_violated(&self, problem: &Scaled) -> Option<usize> {
        let mut most = (self.tolerance, None);
        for i in 0..problem.len() {
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

    /// Distance of w_i on the wrong side.
    fn violation(&self, problem: &Scaled, i: usize) -> f64 {
        if self.basis.contains(i) || self.ignored[i] {
            return 0.0;
        }
        let (lower, upper) = (problem.lower[i], problem.upper[i]);
        match self.statuses[i] {
            _ if problem.is_free(i) => self.w[i].abs(),
            _ if lower == upper => 0.0,
            ActiveSetStatus::Upper => self.w[i],
            _ => -self.w[i],
        }
    }

    fn breaks_ties(&self) -> bool {
        self.zero_steps > PATIENCE
    }
}
