//! Keller's principal pivoting (Keller1973; Lacoursiere2007; CottlePangStone1992, alg. 4.3.2).

use super::principal::{Principal, TwoByTwo};
use super::scaled::Scaled;
use super::symmetric::{Rule, Symmetric};
use super::{ActiveSetStatus, Lcp, LcpSolver, Outcome};

/// Keller's principal pivoting with 1 x 1 and 2 x 2 pivots: for positive semidefinite matrices,
/// redundant and degenerate ones. Symmetric ones go by the factor of the basic block, starting from what
/// satisfies all bounds and keeping to them; others, and those with positive principal minors, by a
/// tableau. Where rows contradict each other it ends in a ray.
#[derive(Clone, Debug)]
pub struct Keller {
    scaled: Scaled,
    symmetric: Symmetric,
    general: Principal,
    certificate: Vec<f64>,
}

impl Default for Keller {
    fn default() -> Self {
        Self {
            scaled: Scaled::default(),
            symmetric: Symmetric::new(Rule::Keller),
            general: Principal::new(TwoByTwo::Allowed),
            certificate: Vec::new(),
        }
    }
}

impl LcpSolver for Keller {
    fn name(&self) -> &'static str {
        "Keller"
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
            self.symmetric.solve(&self.scaled, statuses, z, &mut self.certificate)
        } else {
            self.general.solve(&self.scaled, statuses, z, &mut self.certificate)
        }
    }

    fn certificate(&self) -> &[f64] {
        &self.certificate
    }
}
