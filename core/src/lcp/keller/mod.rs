//! Keller's principal pivoting (Keller1973; Lacoursiere2007; CottlePangStone1992, sec. 4.3). A
//! symmetric positive semidefinite matrix goes by the factor of its basic block; any other goes by a
//! tableau (`principal.rs`).

mod drive;
mod start;

use super::basis::Basis;
use super::principal::{Principal, TwoByTwo};
use super::scaled::Scaled;
use super::{Lcp, LcpSolver, Outcome, Place, Refusal};
use drive::Drive;
pub(super) use start::rest;

/// Zero steps in a row after which ties are broken by the least index, which cannot cycle
/// (CottleChang1992). Steps of zero that end by themselves are rarely longer in contact problems.
const PATIENCE: usize = 20;

/// A contradiction below this part of the size is that of rounding in q: redundant rows of mechanical
/// problems differ by 1e-15 to 1e-12. It is left in the residual.
pub(super) const CONTRADICTION: f64 = 0.9e-9;

/// w and z below this part of the problem's size count as zero; 4 roundings a term beside it.
pub(super) fn tolerance(variables: usize) -> f64 {
    1e-12 + 4.0 * f64::EPSILON * variables as f64
}

/// Pivots after which a solver gives up. Principal pivoting takes 1 to 3 for each basic variable of
/// mechanical problems (docs/theory/lcp.md); there are problems that would take 2^n.
pub(super) fn pivot_limit(variables: usize) -> usize {
    1000 + 50 * variables
}

/// Keller's principal pivoting with 1 x 1 and 2 x 2 pivots: for positive semidefinite matrices,
/// redundant and degenerate ones, symmetric or not. Starts from what satisfies all bounds and keeps to
/// them; every step lowers z.(M z / 2 + q). Where rows contradict each other it ends in a ray.
#[derive(Clone, Debug, Default)]
pub struct Keller {
    scaled: Scaled,
    basis: Basis,
    general: Principal,
    places: Vec<Place>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// How basic variables move while one is driven, and where z was before.
    direction: Vec<f64>,
    before: Vec<f64>,
    /// Rows whose contradiction is that of rounding.
    ignored: Vec<bool>,
    certificate: Vec<f64>,
    /// Of z and q, and the part of it that counts as zero; in scaled units.
    size: f64,
    tolerance: f64,
    pivots: usize,
    zero_steps: usize,
}

impl LcpSolver for Keller {
    fn name(&self) -> &'static str {
        "Keller"
    }

    fn solve(&mut self, problem: &Lcp, places: &mut [Place], z: &mut [f64]) -> Outcome {
        self.certificate.clear();
        if let Err(refusal) = self.scaled.update(problem) {
            return Outcome::Refused(refusal);
        }
        assert!(places.len() == z.len() && z.len() == self.scaled.len(), "arrays differ in length");
        if !self.scaled.symmetric {
            let allowed = TwoByTwo::Allowed;
            let certificate = &mut self.certificate;
            return self.general.solve(&self.scaled, places, z, allowed, certificate);
        }
        self.start(places);
        let outcome = self.pivot();
        self.scaled.write(&self.z, z);
        places.copy_from_slice(&self.places);
        outcome.if_finite(z)
    }

    fn certificate(&self) -> &[f64] {
        &self.certificate
    }
}

impl Keller {
    fn pivot(&mut self) -> Outcome {
        loop {
            let Some(driven) = self.most_violated() else {
                if self.polish() {
                    let residual = self.scaled.residual(&self.z, &self.w);
                    return Outcome::finished(residual, self.pivots);
                }
                self.pivots += 1;
                if self.is_exhausted() {
                    return self.limit();
                }
                continue;
            };
            match self.drive(driven) {
                Drive::Done => {}
                Drive::Indefinite => {
                    return Outcome::Refused(Refusal::Indefinite { variable: driven });
                }
                Drive::Ray if self.w[driven].abs() <= CONTRADICTION * self.size => {
                    self.ignored[driven] = true;
                }
                Drive::Ray => {
                    self.certify(driven);
                    return Outcome::Ray { variable: driven, pivots: self.pivots };
                }
                Drive::Exhausted => return self.limit(),
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.pivots > pivot_limit(self.scaled.len()) || !self.tolerance.is_finite()
    }

    fn limit(&mut self) -> Outcome {
        self.scaled.calc_w(&self.z, &mut self.w);
        let residual = self.scaled.residual(&self.z, &self.w);
        Outcome::Limit { residual, pivots: self.pivots }
    }

    /// The variable that is not basic whose w is wrong by most; the first one that is wrong while a
    /// cycle is to be broken.
    fn most_violated(&self) -> Option<usize> {
        let mut most = (self.tolerance, None);
        for i in 0..self.scaled.len() {
            let wrong = self.violation(i);
            if wrong > most.0 {
                most = (wrong, Some(i));
                if self.breaks_ties() {
                    break;
                }
            }
        }
        most.1
    }

    /// How far w_i is on the wrong side.
    fn violation(&self, i: usize) -> f64 {
        if self.basis.contains(i) || self.ignored[i] {
            return 0.0;
        }
        let (lower, upper) = (self.scaled.lower[i], self.scaled.upper[i]);
        match self.places[i] {
            _ if self.scaled.is_free(i) => self.w[i].abs(),
            _ if lower == upper => 0.0,
            Place::Upper => self.w[i],
            _ => -self.w[i],
        }
    }

    fn breaks_ties(&self) -> bool {
        self.zero_steps > PATIENCE
    }
}
