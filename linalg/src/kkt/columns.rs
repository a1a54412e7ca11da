//! Responses of a constrained system to further rows, and their Schur complement: the data of a
//! complementarity problem for unilateral rows.

use super::factor::BATCH;
use super::refine::REFINE_ABOVE;
use super::{ConstraintPattern, Factor, KktError, KktSolver, KktSystem, Unknown};
use crate::{Vec3, clear_fixed};

/// Iterations of refinement of a batch, at most.
const ITERATIONS: usize = 3;

/// Responses u_j, lambda_j to a unit impulse on each row j of N,
///
/// S u_j - G^T lambda_j = N_j^T, G u_j + R lambda_j = 0,
///
/// and the matrix N A^-1 N^T of the velocities of the rows in them. Kept by the caller; its arrays
/// grow to the largest number of rows so far.
#[derive(Clone, Debug, Default)]
pub struct SchurColumns {
    size: usize,
    row_count: usize,
    count: usize,
    velocities: Vec<Vec3>,
    multipliers: Vec<f64>,
    schur: Vec<f64>,
    residual: Vec<Vec3>,
    row_residual: Vec<f64>,
}

impl SchurColumns {
    /// Number of rows of N.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Velocities that a unit impulse on row `j` causes; zero where fixed. \[1/kg\] for a row of
    /// velocity.
    pub fn velocities(&self, j: usize) -> &[Vec3] {
        &self.velocities[j * self.size..(j + 1) * self.size]
    }

    /// Multipliers that a unit impulse on row `j` causes.
    pub fn multipliers(&self, j: usize) -> &[f64] {
        &self.multipliers[j * self.row_count..(j + 1) * self.row_count]
    }

    /// N A^-1 N^T, symmetric, `count()` x `count()`: entry (i, j) at i * count() + j.
    pub fn schur(&self) -> &[f64] {
        &self.schur
    }

    fn resize(&mut self, size: usize, row_count: usize, count: usize) {
        (self.size, self.row_count, self.count) = (size, row_count, count);
        self.velocities.resize(size * count, Vec3::zeros());
        self.multipliers.resize(row_count * count, 0.0);
        self.schur.resize(count * count, 0.0);
        self.residual.resize(size, Vec3::zeros());
        self.row_residual.resize(row_count, 0.0);
        self.velocities.fill(Vec3::zeros());
        self.multipliers.fill(0.0);
    }
}

impl KktSolver {
    /// Responses to the rows N (`pattern`, vectors `values`) and their Schur complement, by the factor
    /// at hand. Allocates only where `out` has to grow.
    ///
    /// # Errors
    /// [`KktError::BlockRow`], [`KktError::NotFinite`].
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn columns(
        &mut self,
        system: KktSystem,
        (pattern, values): (&ConstraintPattern, &[Vec3]),
        out: &mut SchurColumns,
    ) -> Result<(), KktError> {
        assert_eq!(values.len(), pattern.entry_count());
        let size = self.fixed.len();
        check_blocks(pattern, size)?;
        out.resize(size, self.rows.count(), pattern.count());
        for begin in (0..pattern.count()).step_by(BATCH) {
            let batch = begin..(begin + BATCH).min(pattern.count());
            let mut done = false;
            for _ in 0..=ITERATIONS {
                done = self.correct_batch(system, (pattern, values), batch.clone(), out);
                if done {
                    break;
                }
            }
            if !done {
                batch
                    .clone()
                    .try_for_each(|j| self.solve_column(system, (pattern, values), j, out))?;
            }
        }
        let SchurColumns { schur, velocities, count, .. } = out;
        for (j, velocities) in velocities.chunks_exact(size.max(1)).enumerate() {
            for i in 0..*count {
                schur[i * *count + j] = pattern.row_velocity(i, values, velocities).0;
            }
        }
        symmetrize(schur, *count);
        match schur.iter().position(|v| !v.is_finite()) {
            Some(k) => Err(KktError::NotFinite(Unknown::Multiplier { row: k / *count })),
            None => Ok(()),
        }
    }

    /// Velocities and multipliers by a unit impulse on each row N (`pattern`, vectors `values`), by
    /// the factor alone, without refinement: for callers that correct it themselves. Row j of the
    /// results is at j times their size.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn respond_once(
        &mut self,
        (pattern, values): (&ConstraintPattern, &[Vec3]),
        responses: (&mut [Vec3], &mut [f64]),
    ) {
        self.respond(pattern.count(), responses, |row, push| {
            push.fill(Vec3::zeros());
            for entry in pattern.entries(row) {
                push[pattern.blocks()[entry] as usize] += values[entry];
            }
        });
    }

    /// The same by impulses on all block rows: column j of them is at j times the number of block rows.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the patterns.
    pub fn respond_to(&mut self, impulses: &[Vec3], responses: (&mut [Vec3], &mut [f64])) {
        let size = self.fixed.len();
        assert_eq!(responses.0.len(), impulses.len());
        self.respond(impulses.len() / size.max(1), responses, |column, push| {
            push.copy_from_slice(&impulses[column * size..(column + 1) * size]);
        });
    }

    /// Responses to right sides that `push` writes, in batches.
    fn respond(
        &mut self,
        count: usize,
        (velocities, multipliers): (&mut [Vec3], &mut [f64]),
        push: impl Fn(usize, &mut [Vec3]),
    ) {
        let (size, row_count) = (self.fixed.len(), self.rows.count());
        assert_eq!(velocities.len(), count * size);
        assert_eq!(multipliers.len(), count * row_count);
        let Self { factor, workspace, .. } = self;
        workspace.row_residual.fill(0.0);
        for begin in (0..count).step_by(BATCH) {
            let batch = begin..(begin + BATCH).min(count);
            for j in batch.clone() {
                push(j, &mut workspace.residual);
                match factor {
                    Factor::Saddle(factor) => {
                        factor.load(j - begin, &workspace.residual, &workspace.row_residual);
                    }
                    Factor::Plain(factor) => {
                        let u = &mut velocities[j * size..(j + 1) * size];
                        factor.solve(&workspace.residual, u);
                    }
                }
            }
            if let Factor::Saddle(factor) = factor {
                factor.solve_loaded(batch.len());
                for j in batch {
                    let u = &mut velocities[j * size..(j + 1) * size];
                    let lambda = &mut multipliers[j * row_count..(j + 1) * row_count];
                    factor.unload(j - begin, u, lambda);
                }
            }
        }
        for velocities in velocities.chunks_exact_mut(size.max(1)) {
            clear_fixed(velocities, &self.fixed);
        }
    }

    /// One correction of the responses of a batch; true if none was needed.
    fn correct_batch(
        &mut self,
        system: KktSystem,
        (pattern, values): (&ConstraintPattern, &[Vec3]),
        batch: std::ops::Range<usize>,
        out: &mut SchurColumns,
    ) -> bool {
        let (size, row_count) = (out.size, out.row_count);
        let mut largest: f64 = 0.0;
        for j in batch.clone() {
            largest = largest.max(self.update_column_residual(system, (pattern, values), j, out));
            let SchurColumns { velocities, residual, row_residual, .. } = &mut *out;
            match &mut self.factor {
                Factor::Saddle(factor) => factor.load(j - batch.start, residual, row_residual),
                Factor::Plain(factor) => {
                    let u = &mut velocities[j * size..(j + 1) * size];
                    self.workspace.add_plain(factor, residual, u);
                }
            }
        }
        if largest <= REFINE_ABOVE {
            return true;
        }
        if let Factor::Saddle(factor) = &mut self.factor {
            factor.solve_loaded(batch.len());
            for j in batch.clone() {
                let SchurColumns { residual, row_residual, .. } = &mut *out;
                factor.unload(j - batch.start, residual, row_residual);
                let u = &mut out.velocities[j * size..(j + 1) * size];
                u.iter_mut().zip(&out.residual).for_each(|(u, d)| *u += d);
                let lambda = &mut out.multipliers[j * row_count..(j + 1) * row_count];
                lambda.iter_mut().zip(&out.row_residual).for_each(|(l, d)| *l += d);
            }
        }
        false
    }

    /// Residual of the equations of response `j`, relative to their largest term.
    fn update_column_residual(
        &self,
        system: KktSystem,
        (pattern, values): (&ConstraintPattern, &[Vec3]),
        j: usize,
        out: &mut SchurColumns,
    ) -> f64 {
        let SchurColumns { velocities, multipliers, residual, row_residual, .. } = out;
        let u = &velocities[j * out.size..(j + 1) * out.size];
        let lambda = &multipliers[j * out.row_count..(j + 1) * out.row_count];
        system.s.mul(u, residual);
        residual.iter_mut().for_each(|r| *r = -*r);
        let scale = self.scales.momentum_norm(u).max(self.scales.force_norm(residual));
        let scale = scale.max(self.scales.multiplier_norm(lambda));
        self.rows.add_transposed(system.g, lambda, residual);
        for entry in pattern.entries(j) {
            residual[pattern.blocks()[entry] as usize] += values[entry];
        }
        for (row, r) in row_residual.iter_mut().enumerate() {
            *r = -self.rows.row_velocity(row, system.g, u).0 - system.r[row] * lambda[row];
        }
        let norm = self.scales.force_norm(residual).max(self.scales.velocity_norm(row_residual));
        match (norm > 0.0, scale > 0.0) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => norm / scale,
        }
    }

    /// The response to row `j` alone, with all that refinement can do.
    fn solve_column(
        &mut self,
        system: KktSystem,
        (pattern, values): (&ConstraintPattern, &[Vec3]),
        j: usize,
        out: &mut SchurColumns,
    ) -> Result<(), KktError> {
        let (size, row_count) = (out.size, out.row_count);
        out.residual.fill(Vec3::zeros());
        out.row_residual.fill(0.0);
        for entry in pattern.entries(j) {
            out.residual[pattern.blocks()[entry] as usize] += values[entry];
        }
        let u = &mut out.velocities[j * size..(j + 1) * size];
        u.fill(Vec3::zeros());
        let lambda = &mut out.multipliers[j * row_count..(j + 1) * row_count];
        self.solve_refined(system, (&out.residual, &out.row_residual), (u, lambda))?;
        Ok(())
    }
}

/// Replaces a matrix by its symmetric part: rounding apart, it is that.
fn symmetrize(matrix: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
            (matrix[i * n + j], matrix[j * n + i]) = (mean, mean);
        }
    }
}

/// Refuses rows on blocks that a system of this size does not have.
fn check_blocks(pattern: &ConstraintPattern, size: usize) -> Result<(), KktError> {
    for row in 0..pattern.count() {
        let mut blocks = pattern.blocks()[pattern.entries(row)].iter();
        if let Some(&block) = blocks.find(|&&b| b as usize >= size) {
            return Err(KktError::BlockRow { row, block, size });
        }
    }
    Ok(())
}
