//! Settings of the solution of mixed problems.

use crate::mixed::tuning::MANY;

/// Solver for S with the bilateral rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearMethod {
    /// The one of the smaller predicted cost.
    #[default]
    Auto,
    /// A sparse factor.
    Factor,
    /// Conjugate gradients under multigrid.
    Iterations,
}

/// Settings of a solver of mixed problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixedSettings {
    /// Solver for S.
    pub linear: LinearMethod,
    /// Relative residual at which conjugate gradients end [-].
    pub tolerance: f64,
    /// Most iterations of conjugate gradients in one solve.
    pub max_iterations: usize,
    /// Right sides that each matrix serves beside its own.
    pub responses: usize,
    /// Unilateral rows up to which they are solved for on their dense response.
    pub dense_rows: usize,
    /// True if outcomes have residuals, for a product with S each.
    pub measures: bool,
}

impl Default for MixedSettings {
    fn default() -> Self {
        Self {
            linear: LinearMethod::Auto,
            tolerance: 1e-8,
            max_iterations: 20_000,
            responses: 0,
            dense_rows: MANY,
            measures: true,
        }
    }
}
