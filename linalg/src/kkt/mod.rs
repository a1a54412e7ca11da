//! Saddle-point systems: block rows of velocities under linear constraints with multipliers.
//! Factored once per matrix as a quasi-definite system (Vanderbei1995), refined on the true one;
//! redundant and conflicting constraint rows run. docs/theory/constraints.md has the equations.

mod columns;
mod constrained_cg;
mod constraint_pattern;
mod error;
mod factor;
mod last;
mod order;
mod redundancy;
mod refine;
mod scales;
mod system;
mod upper;
mod workspace;

#[cfg(test)]
mod tests;

pub use columns::SchurColumns;
pub use constrained_cg::{
    ConstrainedCg, ConstrainedCgError, ConstrainedCgLimits, ConstrainedCgReport,
};
pub use constraint_pattern::ConstraintPattern;
pub use error::{KktError, Unknown};
pub use last::LastResponse;
pub use redundancy::redundant_rows;
pub use refine::{Conflict, KktReport};
pub use system::KktSystem;

use super::{BlockMatrix, BlockPattern, Definiteness, FactorError, SparseCholesky};
use crate::Vec3;
use factor::SaddleFactor;
use scales::Scales;
use workspace::Workspace;

/// Solver of saddle-point systems of one pattern. The symbolic part, index maps and memory are made
/// once; the first factorization takes the memory of the factor, later ones and solutions nothing.
/// (From 25,000 unknowns on a factorization runs in parallel, and its tasks take memory.)
///
/// S need not be definite where constraints allow no motion. Scalars that are fixed belong to neither
/// equation: their velocities are given.
pub struct KktSolver {
    rows: ConstraintPattern,
    fixed: Vec<[bool; 3]>,
    factor: Factor,
    scales: Scales,
    workspace: Workspace,
}

/// Without constraint rows there is no saddle point.
enum Factor {
    Plain(Box<SparseCholesky>),
    Saddle(Box<SaddleFactor>),
}

impl KktSolver {
    /// Symbolic factorization for block rows of `pattern` without the scalars that are `fixed`, under
    /// constraints of the pattern `rows`.
    ///
    /// # Errors
    /// [`KktError::BlockRow`], [`KktError::OutOfMemory`].
    pub fn new(
        pattern: &BlockPattern,
        fixed: &[[bool; 3]],
        rows: ConstraintPattern,
    ) -> Result<Self, KktError> {
        Self::ending_with(pattern, fixed, rows, &[])
    }

    /// The same with the block rows `last`, which rise, eliminated last where nested dissection is built in: for
    /// [`Self::response_of_last`].
    ///
    /// # Errors
    /// [`KktError::BlockRow`], [`KktError::OutOfMemory`].
    pub fn ending_with(
        pattern: &BlockPattern,
        fixed: &[[bool; 3]],
        rows: ConstraintPattern,
        last: &[u32],
    ) -> Result<Self, KktError> {
        let size = pattern.size();
        for row in 0..rows.count() {
            let mut blocks = rows.blocks()[rows.entries(row)].iter();
            if let Some(&block) = blocks.find(|&&b| b as usize >= size) {
                return Err(KktError::BlockRow { row, block, size });
            }
        }
        let factor = if rows.count() == 0 && last.is_empty() {
            let unknowns = fixed.iter().flatten().filter(|h| !**h).count();
            let factor = SparseCholesky::new(pattern, fixed)
                .map_err(|_| KktError::OutOfMemory { unknowns })?;
            Factor::Plain(Box::new(factor))
        } else {
            Factor::Saddle(Box::new(SaddleFactor::new(pattern, fixed, &rows, last)?))
        };
        Ok(Self {
            scales: Scales::new(size, &rows),
            workspace: Workspace::new(size, rows.count()),
            fixed: fixed.to_vec(),
            rows,
            factor,
        })
    }

    /// Pattern of the constraints.
    pub fn rows(&self) -> &ConstraintPattern {
        &self.rows
    }

    /// Stored scalars of the factor.
    pub fn factor_nnz(&self) -> usize {
        match &self.factor {
            Factor::Plain(factor) => factor.factor_nnz(),
            Factor::Saddle(factor) => factor.factor_nnz(),
        }
    }

    /// True if constraint rows of the last matrix may depend on others: next to nothing is left of one beside those before it.
    pub fn has_dependent_rows(&self) -> bool {
        matches!(&self.factor, Factor::Saddle(factor) if factor.suspects > 0)
    }

    /// Free scalars and multipliers.
    pub fn unknown_count(&self) -> usize {
        match &self.factor {
            Factor::Plain(factor) => factor.unknown_count(),
            Factor::Saddle(factor) => factor.unknown_count(),
        }
    }

    /// Numeric factorization. The result says whether S is positive definite for motions that the
    /// rigid constraints allow; with compliant ones, whether S + G^T R^-1 G is.
    ///
    /// # Errors
    /// [`KktError::Compliance`], [`KktError::Singular`], [`KktError::NotFinite`], and the first time
    /// [`KktError::OutOfMemory`].
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn factor(&mut self, system: KktSystem) -> Result<Definiteness, KktError> {
        assert_eq!([system.g.len(), system.r.len()], [self.rows.entry_count(), self.rows.count()]);
        let bad = system.r.iter().position(|r| !(r.is_finite() && *r >= 0.0));
        if let Some(row) = bad {
            return Err(KktError::Compliance { row, value: system.r[row] });
        }
        self.scales.update(system, &self.fixed, &self.rows);
        match &mut self.factor {
            Factor::Plain(factor) => factor_plain(factor, system.s),
            Factor::Saddle(factor) => factor.factor(system, &self.scales),
        }
    }

    /// One solution by the factor alone, of the matrix with its regularization: for callers that
    /// correct it themselves. Fixed scalars of `u` become zero.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn solve_once(
        &mut self,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) {
        let Workspace { step, row_step, residual, .. } = &mut self.workspace;
        step.copy_from_slice(b);
        residual.copy_from_slice(b);
        row_step.copy_from_slice(b_g);
        self.apply_factor();
        u.copy_from_slice(&self.workspace.step);
        lambda.copy_from_slice(&self.workspace.row_step);
        for (u, fixed) in u.iter_mut().zip(&self.fixed) {
            (0..3).filter(|&axis| fixed[axis]).for_each(|axis| u[axis] = 0.0);
        }
    }

    /// Solves for the free scalars of `u` and for `lambda`, given `(b, b_g)` and the fixed scalars of
    /// `u`. `system` is the one last factored, or one close to it: refinement is on `system`.
    ///
    /// Where rows are redundant, of all lambda the one with the least sum of c_i lambda_i^2, with
    /// c_i = g_i diag(S)^-1 g_i^T over the free scalars, the inverse mass that row i moves. Where they
    /// conflict, u is that of the right side nearest to b_g that can be met, by the sum of squared
    /// differences over c_i; scaling a row and its right side changes neither.
    ///
    /// # Errors
    /// [`KktError::NotFinite`], [`KktError::NotConverged`]; `u` and `lambda` are then of no use.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn solve(
        &mut self,
        system: KktSystem,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) -> Result<KktReport, KktError> {
        assert_eq!([b.len(), u.len()], [self.fixed.len(); 2]);
        assert_eq!([b_g.len(), lambda.len()], [self.rows.count(); 2]);
        self.solve_refined(system, (b, b_g), (u, lambda))
    }
}

fn factor_plain(
    factor: &mut SparseCholesky,
    matrix: &BlockMatrix,
) -> Result<Definiteness, KktError> {
    factor.factor(matrix).map_err(|error| match error {
        FactorError::OutOfMemory { unknowns } => KktError::OutOfMemory { unknowns },
        FactorError::ZeroPivot(pivot) => {
            let (row, axis) = factor.scalar_of_pivot(pivot);
            match matrix.values().iter().all(|v| v.is_finite()) {
                true => KktError::Singular(Unknown::Velocity { row, axis }),
                false => KktError::NotFinite(Unknown::Velocity { row, axis }),
            }
        }
    })
}
