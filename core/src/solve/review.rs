//! The automatic choice of conjugate gradients, looked at again by what they take. The cost of a solve is reckoned before any is
//! made, for tissue that is easy; where volumes hardly change, or shapes are thin, it takes several times as many
//! iterations, which are counted here: counts decide, not clocks, so that a run repeats bit for bit.

use crate::linalg::BlockPattern;

/// Solves that are averaged: the first has no guess, and one step may be unlike others.
const SOLVES: usize = 4;
/// Predicted cost of a step with a factor over that of conjugate gradients, above which the choice stands [-]: tissue of Poisson's
/// ratio 0.49 takes four times the iterations of a beam at most.
const CLEAR: f64 = 10.0;
/// Cost of the hierarchy of a new matrix, in products with it: 5.9 and 6.6 on the tongue of 740 and of 5,920 hexahedra, 6.2 on a beam
/// of 3,000 tetrahedra.
const HIERARCHY: f64 = 6.5;
/// Cost of an iteration under multigrid, in products: 1.9 on the tongue of 5,920 hexahedra, 1.3 and 1.2 on the others, whose matrices
/// stay in the caches.
const CYCLE: f64 = 1.9;
/// Cost of an iteration under block-Jacobi, in products.
const JACOBI: f64 = 1.3;

/// A choice between conjugate gradients and a factor.
pub(super) struct Review {
    /// Cost of a step with the factor [s], as predicted.
    factor_cost: f64,
    /// Cost of a solve without iterations, and of each iteration [s].
    costs: [f64; 2],
    /// Costs of the latest solves [s].
    latest: [f64; SOLVES],
    /// Solves so far.
    solves: usize,
}

impl Review {
    /// A choice that was made by the predicted cost of conjugate gradients, `predicted` [s]; `None` where it is clear.
    pub(super) fn new(
        pattern: &BlockPattern,
        is_multigrid: bool,
        [factor_cost, predicted]: [f64; 2],
    ) -> Option<Self> {
        let [fixed, each] = if is_multigrid { [HIERARCHY, CYCLE] } else { [0.0, JACOBI] };
        let product = product_seconds(pattern);
        let costs = [fixed * product, each * product];
        let is_close = factor_cost < CLEAR * predicted;
        is_close.then_some(Self { factor_cost, costs, latest: [0.0; SOLVES], solves: 0 })
    }

    /// Takes the iterations of a solve; true if the factor is the cheaper way from here on.
    pub(super) fn prefers_factor(&mut self, iterations: usize) -> bool {
        let [fixed, each] = self.costs;
        self.latest[self.solves % SOLVES] = fixed + each * iterations as f64;
        self.solves += 1;
        let mean = self.latest.iter().sum::<f64>() / SOLVES as f64;
        self.solves >= SOLVES && mean > self.factor_cost
    }

    /// Forgets all solves.
    pub(super) fn forget(&mut self) {
        self.solves = 0;
    }
}

/// Predicted time of a product with a matrix [s]. It reads 76 bytes a block, at 10 GB/s a thread. One thread is reckoned with,
/// whatever there are: the method, and with it the last digits of a step, must not depend on their number.
pub(super) fn product_seconds(pattern: &BlockPattern) -> f64 {
    pattern.block_count() as f64 * 76.0 / 1e10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_preferred_once_the_latest_solves_cost_more_and_not_before() {
        let pattern = BlockPattern::from_neighbours(10, |_| &[]);
        let product = product_seconds(&pattern);
        let predicted = 30.0 * product;
        let factor = (HIERARCHY + 20.0 * CYCLE) * product;
        let mut review = Review::new(&pattern, true, [factor, predicted]).expect("a close choice");
        let mut taken = |iterations: &[usize]| -> Vec<bool> {
            iterations.iter().map(|&k| review.prefers_factor(k)).collect()
        };
        // The first takes many iterations, those that follow are few.
        assert_eq!(taken(&[40, 12, 10, 10, 10]), [false; 5]);
        assert_eq!(taken(&[25, 25, 25, 25]), [false, false, true, true]);
        review.forget();
        assert!(!review.prefers_factor(100));
        assert!(Review::new(&pattern, true, [CLEAR * predicted, predicted]).is_none());
    }
}
