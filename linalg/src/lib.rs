//! Sparse linear algebra over 3 x 3 blocks: pattern, matrix, factorization, conjugate gradients, multigrid;
//! saddle-point systems ([`kkt`]), those of trees ([`tree`]), and linear complementarity problems ([`lcp`]). Symbolic work happens once
//! for a pattern; numeric work allocates nothing. Not here: models, elements, steps.
#![forbid(unsafe_code)]

mod block_matrix;
mod cholesky;
mod conjugate_gradients;
mod corrector;
pub mod kkt;
pub mod lcp;
mod minimal_residuals;
mod multigrid;
mod ordering;
mod pattern;
pub mod tree;
mod vector;

pub use block_matrix::{BLOCK, BlockMatrix, add_block};
pub use cholesky::{Definiteness, FactorError, SparseCholesky};
pub use conjugate_gradients::{
    BlockJacobi, CgLimits, CgOutcome, CgWorkspace, Preconditioner, clear_fixed,
};
pub use corrector::{Corrector, CorrectorError};
pub use minimal_residuals::{ResidualLimits, solve_by_minimal_residuals};
pub use multigrid::{Multigrid, aggregation};
pub use pattern::BlockPattern;
pub use vector::{dot, norm};

/// A vector in space, f64. The unit stands with each use.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 x 3 matrix, f64.
pub type Mat3 = nalgebra::Matrix3<f64>;
