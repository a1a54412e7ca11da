//! Predicted costs of linear solves, for choices that do not depend on clocks.

use crate::linalg::BlockPattern;

/// Cost of a solve to 1e-5 with multigrid, set-up included, in products with the matrix: 40 to 70
/// measured on beams at h = 10 ms.
const MULTIGRID_PRODUCTS: f64 = 70.0;

/// Predicted time of a factorization [s] on one thread. For a nested-dissection factor of a solid
/// the work grows as nnz^1.5; small fronts add a cost an entry. Fitted to beams, the tongue and the
/// femur: 12 ms for 0.6 M stored scalars, 20 for 1.0 M, 35 for 2.1 M, 500 for 17 M, 2,060 for 42 M,
/// 2,800 for 60 M; within 25 % of each.
pub(crate) fn factor_seconds(factor_nnz: usize) -> f64 {
    let nnz = factor_nnz as f64;
    nnz.powf(1.5) / 1.7e11 + 1.2e-8 * nnz
}

/// Predicted time of a solve with a factor [s] on one thread: it reads the factor twice, at 12 GB/s (0.045 s for 42.5 M
/// stored scalars).
pub(crate) fn factored_solve_seconds(factor_nnz: usize) -> f64 {
    16.0 * factor_nnz as f64 / 1.2e10
}

/// Predicted time of the solves of one step with `rows` constraint rows by iterations under multigrid [s]: twice that of a
/// beam, for tissue that is nearly incompressible and corrections that begin anew; each row takes
/// a cycle, of some four products. A product reads 76 bytes a block, at 10 GB/s a thread. One thread is reckoned with,
/// whatever there are: the method, and with it the last digits, must not depend on their number.
pub(super) fn constrained_cg_seconds(pattern: &BlockPattern, rows: usize) -> f64 {
    let products = 2.0 * MULTIGRID_PRODUCTS + 4.0 * rows as f64;
    products * pattern.block_count() as f64 * 76.0 / 1e10
}
