//! Dantzig's simple principal pivoting (CottlePangStone1992, alg. 4.2.11; Baraff1994 for contacts).

use super::principal::{Principal, TwoByTwo};
use super::scaled::Scaled;
use super::symmetric::{Rule, Symmetric};
use super::{ActiveSetStatus, Lcp, LcpSolver, Outcome};

/// Residual above which w that are wrong by little were left for want of a pivot, and not by rounding [-]: solutions
/// of 300 variables of rank 60 have 1e-13 otherwise.
const UNCLEAN: f64 = 1e-11;

/// Simple principal pivoting, 1 x 1 pivots only: one wrong variable after the other is driven to
/// where it belongs, and right ones stay right. For positive principal minors, and symmetric positive
/// semidefinite matrices; where a diagonal pivot is missing it ends in [`Outcome::Limit`], or, where what is
/// wrong is small and the matrix symmetric, by Keller's pivots.
#[derive(Clone, Debug)]
pub struct Dantzig {
    scaled: Scaled,
    symmetric: Symmetric,
    /// Solver that goes on where diagonal pivots were missing.
    keller: Symmetric,
    general: Principal,
    certificate: Vec<f64>,
}

impl Default for Dantzig {
    fn default() -> Self {
        Self {
            scaled: Scaled::default(),
            symmetric: Symmetric::new(Rule::Dantzig),
            keller: Symmetric::new(Rule::Keller),
            general: Principal::new(TwoByTwo::Never),
            certificate: Vec::new(),
        }
    }
}

impl LcpSolver for Dantzig {
    fn name(&self) -> &'static str {
        "Dantzig"
    }

    fn solve(&mut self, problem: &Lcp, statuses: &mut [ActiveSetStatus], z: &mut [f64]) -> Outcome {
        self.certificate.clear();
        if let Err(refusal) = self.scaled.update(problem) {
            return Outcome::Refused(refusal);
        }
        assert!(
            statuses.len() == z.len() && z.len() == self.scaled.len(),
            "arrays differ in length"
        );
        self.certificate.reserve(z.len());
        if self.scaled.symmetric {
            let outcome = self.symmetric.solve(&self.scaled, statuses, z, &mut self.certificate);
            match outcome {
                Outcome::Solved { residual, pivots } if residual > UNCLEAN => {
                    let rest = self.keller.solve(&self.scaled, statuses, z, &mut self.certificate);
                    rest.after(pivots)
                }
                _ => outcome,
            }
        } else {
            self.general.solve(&self.scaled, statuses, z, &mut self.certificate)
        }
    }

    fn certificate(&self) -> &[f64] {
        &self.certificate
    }
}
