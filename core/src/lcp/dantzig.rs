//! Dantzig's simple principal pivoting (CottlePangStone1992, alg. 4.2.11; Baraff1994 for contacts).

use super::principal::{Principal, TwoByTwo};
use super::scaled::Scaled;
use super::{Lcp, LcpSolver, Outcome, Place};

/// Simple principal pivoting, 1 x 1 pivots only: one violated variable after the other is driven to
/// zero, satisfied ones stay satisfied. For positive principal minors, and symmetric positive
/// semidefinite matrices; where a diagonal pivot is missing it ends in [`Outcome::Limit`].
#[derive(Clone, Debug, Default)]
pub struct Dantzig {
    scaled: Scaled,
    principal: Principal,
    certificate: Vec<f64>,
}

impl LcpSolver for Dantzig {
    fn name(&self) -> &'static str {
        "Dantzig"
    }

    fn solve(&mut self, problem: &Lcp, places: &mut [Place], z: &mut [f64]) -> Outcome {
        self.certificate.clear();
        if let Err(refusal) = self.scaled.update(problem) {
            return Outcome::Refused(refusal);
        }
        assert!(places.len() == z.len() && z.len() == self.scaled.len(), "arrays differ in length");
        self.certificate.reserve(z.len());
        let allowed = TwoByTwo::Never;
        self.principal.solve(&self.scaled, places, z, allowed, &mut self.certificate)
    }

    fn certificate(&self) -> &[f64] {
        &self.certificate
    }
}
