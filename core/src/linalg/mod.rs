//! Sparse linear algebra over 3 x 3 blocks: pattern, matrix, factorization, conjugate gradients.
//! Symbolic work happens once for a pattern; numeric work allocates nothing.

mod block_matrix;
mod cholesky;
mod conjugate_gradients;
pub mod kkt;
mod multigrid;
mod ordering;
mod pattern;
mod vector;

pub use block_matrix::BlockMatrix;
pub(crate) use block_matrix::{BLOCK, add_block};
pub use cholesky::{Definiteness, FactorError, SparseCholesky};
pub(crate) use conjugate_gradients::clear_held;
pub use conjugate_gradients::{BlockJacobi, CgLimits, CgOutcome, CgWorkspace, Preconditioner};
pub use multigrid::{Multigrid, aggregation};
pub use pattern::BlockPattern;
pub use vector::{dot, norm};
