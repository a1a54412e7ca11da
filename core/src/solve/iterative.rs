//! The preconditioners of conjugate gradients that need no factor of the whole matrix, and the cost
//! of a solve with them.

use std::sync::Arc;

use super::review::product_seconds;
use super::settings::{Integrator, Preconditioning, SolverSettings};
use crate::Vec3;
use crate::linalg::{
    BlockJacobi, BlockMatrix, BlockPattern, Definiteness, FactorError, Multigrid, Preconditioner,
};

/// Block rows from which multigrid is taken: from there on it is the faster of the two on beams of tetrahedra and hexahedra at
/// h = 10 ms, to a relative residual of 1e-5 (docs/theory/benchmarks.md, "Which solver").
const MULTIGRID_FROM: usize = 400;
/// Cost of a solve to 1e-5 with multigrid, set-up included, in products with the matrix: 30 on beams at h = 10 ms, half as
/// many again at equilibrium. What takes more is found by counting (`review.rs`).
const MULTIGRID_PRODUCTS: f64 = 30.0;

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

pub(super) fn takes_multigrid(pattern: &BlockPattern, preconditioning: Preconditioning) -> bool {
    match preconditioning {
        Preconditioning::Auto => pattern.size() >= MULTIGRID_FROM,
        Preconditioning::BlockJacobi => false,
        Preconditioning::Multigrid => true,
    }
}

/// Predicted time of one solve by conjugate gradients [s].
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
    products * product_seconds(pattern)
}
