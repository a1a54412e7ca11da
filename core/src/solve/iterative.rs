//! The preconditioners of conjugate gradients that need no factor of the whole matrix, and the cost
//! of a solve with them.

use std::sync::Arc;

use super::settings::{Integrator, Preconditioning, SolverSettings};
use crate::Vec3;
use crate::linalg::{
    BlockJacobi, BlockMatrix, BlockPattern, Definiteness, FactorError, Multigrid, Preconditioner,
};

/// Block rows from which multigrid is taken. On damped beams of hexahedra at h = 10 ms, the kindest
/// case for block-Jacobi, both take the same time at 1,200 rows; at 2,700 multigrid takes three
/// quarters of the time of block-Jacobi, at 6,500 half of it.
const MULTIGRID_FROM: usize = 2_000;
/// Cost of a solve to 1e-5 with multigrid, set-up included, in products with the matrix: 40 to 70
/// measured on beams at h = 10 ms, half as many again at equilibrium; twice as many at nu = 0.49.
const MULTIGRID_PRODUCTS: f64 = 70.0;

/// Preconditioner of conjugate gradients without a factor.
pub(super) enum Iterative {
    BlockJacobi(BlockJacobi),
    Multigrid(Box<Multigrid>),
}

impl Iterative {
    pub(super) fn new(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        settings: &SolverSettings,
    ) -> Result<Self, FactorError> {
        if takes_multigrid(pattern, settings.preconditioner) {
            Ok(Self::Multigrid(Box::new(Multigrid::new(pattern, fixed)?)))
        } else {
            Ok(Self::BlockJacobi(BlockJacobi::new(pattern.size())))
        }
    }

    /// Takes `matrix`, and the positions `q` [m] for its rigid motions.
    pub(super) fn update(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        q: &[Vec3],
    ) -> Result<Definiteness, FactorError> {
        match self {
            Self::BlockJacobi(jacobi) => {
                jacobi.update(matrix, fixed);
                Ok(Definiteness::Positive)
            }
            Self::Multigrid(multigrid) => multigrid.update(matrix, q),
        }
    }

    pub(super) fn as_dyn(&mut self) -> &mut dyn Preconditioner {
        match self {
            Self::BlockJacobi(jacobi) => jacobi,
            Self::Multigrid(multigrid) => &mut **multigrid,
        }
    }
}

fn takes_multigrid(pattern: &BlockPattern, preconditioning: Preconditioning) -> bool {
    match preconditioning {
        Preconditioning::Auto => pattern.size() >= MULTIGRID_FROM,
        Preconditioning::BlockJacobi => false,
        Preconditioning::Multigrid => true,
    }
}

/// Predicted time of one solve by conjugate gradients [s]. A product reads 76 bytes a block, at
/// 10 GB/s a thread. One thread is reckoned with, whatever there are: the method, and with it the
/// last digits of a step, must not depend on their number.
pub(super) fn cg_seconds(pattern: &BlockPattern, settings: &SolverSettings) -> f64 {
    let is_static = matches!(settings.integrator, Integrator::Static(_));
    // As many iterations for every digit.
    let digits = -settings.solve_tolerance().log10().min(-1.0) / 5.0;
    let products = digits
        * if takes_multigrid(pattern, settings.preconditioner) {
            MULTIGRID_PRODUCTS * if is_static { 1.5 } else { 1.0 }
        } else {
            // Measured with block-Jacobi on soft solids at h = 10 ms: 20 to 24 n^(1/3) iterations to
            // 1e-5 for n = 2,160 to 177,594; equilibrium has no mass on the diagonal and takes some
            // four times that.
            22.0 * (3.0 * pattern.size() as f64).cbrt() * if is_static { 4.0 } else { 1.0 }
        };
    products * pattern.block_count() as f64 * 76.0 / 1e10
}
