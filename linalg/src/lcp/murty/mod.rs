//! Murty's principal pivoting in blocks (Murty1974; JudicePires1994).

mod pivot;

use super::basis::Basis;
use super::principal::Principal;
use super::scaled::Scaled;
use super::symmetric::{Symmetric, pivot_limit, tolerance};
use super::{ActiveSetStatus, Lcp, LcpSolver, Outcome};

/// Block pivots that may pass without fewer violations before single pivots take over.
/// A choice after JudicePires1994: no other number was tried.
const PATIENCE: usize = 10;

/// Block principal pivoting: all violated variables change places at once, and only the last one of
/// them where that has not helped for ten iterations, which cannot cycle where principal minors are
/// positive. The fastest one for large positive definite matrices. Rows that depend on the basic ones
/// are left out: a symmetric semidefinite problem that this cannot solve is finished by Keller's pivots, and any other
/// ends in [`Outcome::Limit`].
#[derive(Clone, Debug, Default)]
pub struct Murty {
    scaled: Scaled,
    basis: Basis,
    general: Principal,
    keller: Symmetric,
    certificate: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    z: Vec<f64>,
    w: Vec<f64>,
    right: Vec<f64>,
    wrong: Vec<u32>,
    /// Basic variables that stay, while the factor is made anew.
    kept: Vec<u32>,
    tolerance: f64,
    pivots: usize,
}

impl LcpSolver for Murty {
    fn name(&self) -> &'static str {
        "Murty"
    }

    fn solve(&mut self, problem: &Lcp, statuses: &mut [ActiveSetStatus], z: &mut [f64]) -> Outcome {
        if let Err(refusal) = self.scaled.update(problem) {
            return Outcome::Refused(refusal);
        }
        assert!(
            statuses.len() == z.len() && z.len() == self.scaled.len(),
            "arrays differ in length"
        );
        self.start(statuses);
        let outcome = self.pivot();
        self.scaled.write(&self.z, z);
        statuses.copy_from_slice(&self.statuses);
        match outcome {
            Outcome::Limit { pivots, .. } if self.scaled.symmetric => {
                self.finish(statuses, z, pivots).unwrap_or(outcome).if_finite(z)
            }
            _ => outcome.if_finite(z),
        }
    }

    fn certificate(&self) -> &[f64] {
        &[]
    }
}

impl Murty {
    /// Goes on by Keller's pivots, which semidefinite matrices need; nothing is written where these find no
    /// solution.
    fn finish(
        &mut self,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
        before: usize,
    ) -> Option<Outcome> {
        let Self { keller, scaled, certificate, statuses: own, z: found, .. } = self;
        certificate.clear();
        certificate.reserve(z.len());
        let outcome = keller.solve(scaled, own, found, certificate);
        outcome.solved()?;
        z.copy_from_slice(found);
        statuses.copy_from_slice(own);
        Some(outcome.after(before))
    }

    fn start(&mut self, statuses: &[ActiveSetStatus]) {
        let n = self.scaled.len();
        self.pivots = 0;
        self.statuses.clear();
        self.statuses.extend_from_slice(statuses);
        for values in [&mut self.z, &mut self.w] {
            values.clear();
            values.resize(n, 0.0);
        }
        for list in [&mut self.wrong, &mut self.kept] {
            list.clear();
            list.reserve(n);
        }
        self.right.clear();
        self.right.reserve(n);
        for i in 0..n {
            let fixed = self.scaled.lower[i] == self.scaled.upper[i];
            let wanted = self.statuses[i] == ActiveSetStatus::Basic || self.scaled.is_free(i);
            self.statuses[i] =
                if wanted && !fixed { ActiveSetStatus::Basic } else { self.statuses[i] };
        }
        self.make_basis();
    }

    fn pivot(&mut self) -> Outcome {
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..pivot_limit(self.scaled.len()) {
            self.evaluate();
            self.find_wrong();
            if self.wrong.is_empty() {
                break;
            }
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            } else {
                let last = self.wrong.len() - 1;
                self.wrong.drain(..last);
            }
            let changed = self.pivot_wrong();
            self.pivots += changed;
            if changed == 0 {
                break;
            }
        }
        self.evaluate();
        Outcome::finished(self.scaled.residual(&self.z, &self.w), self.pivots)
    }

    fn find_wrong(&mut self) {
        self.tolerance = tolerance(self.scaled.len()) * self.scaled.size(&self.z);
        self.wrong.clear();
        for i in 0..self.scaled.len() {
            if self.violation(i) > self.tolerance {
                self.wrong.push(i as u32);
            }
        }
    }

    /// Distance of z_i from its bounds if it is basic, else of w_i from its right side.
    fn violation(&self, i: usize) -> f64 {
        let (lower, upper) = (self.scaled.lower[i], self.scaled.upper[i]);
        match self.statuses[i] {
            ActiveSetStatus::Basic => (self.z[i] - self.scaled.clamp(i, self.z[i])).abs(),
            _ if self.scaled.is_free(i) => self.w[i].abs(),
            _ if lower == upper => 0.0,
            ActiveSetStatus::Upper => self.w[i],
            ActiveSetStatus::Lower => -self.w[i],
        }
    }
}
