//! Saddle-point systems by conjugate gradients under a constraint preconditioner (DollarGouldSchildersWathen2006):
//!
//! M^-1 z - G^T v = r, G z + R v = 0, with M an approximate inverse of S.
//!
//! Every direction satisfies its second line, so that rows are met from the first iterate on, rigid and compliant
//! ones alike, and the iteration is that of S on the motions that the rows allow. docs/theory/constraints.md.

use super::{ConstraintPattern, KktSystem};
use crate::Vec3;
use crate::conjugate_gradients::{add_scaled, is_not_positive, update};
use crate::vector::{chunk_count, dot_with};
use crate::{Preconditioner, clear_fixed, norm};

/// A pivot of G M G^T + R below this share of its diagonal is that of a redundant row: the rows before it stand
/// for it. M rounds in single precision, 6e-8, over some hundred operations.
const REDUNDANT: f64 = 1e-5;

/// Share of r . M r below which r . z is rounding, and its sign means nothing [-]: M rounds in single precision.
const NOISE: f64 = 1e-6;

/// Limits at which an iteration ends: at the larger of both tolerances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstrainedCgLimits {
    /// Norm of the residual over that of the first iterate [-].
    pub relative: f64,
    /// Norm of the residual.
    pub absolute: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

/// Report of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstrainedCgReport {
    /// Iterations made.
    pub iterations: usize,
    /// Norms of the residual r at the first iterate and at the last: the root of r M r, which is the error in the
    /// energy norm of S but for the quality of M.
    pub norms: [f64; 2],
}

/// Errors of constrained conjugate gradients.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConstrainedCgError {
    /// The last iteration allowed was made.
    #[error("{iterations} iterations left {residual:.1e} of the residual")]
    IterationLimit {
        /// Iterations made.
        iterations: usize,
        /// Norm of the residual over that of the first iterate [-].
        residual: f64,
    },
    /// S or its preconditioner is not positive definite on the motions that the rows allow.
    #[error("negative curvature at iteration {iteration}")]
    Indefinite {
        /// Iteration at which it showed.
        iteration: usize,
    },
}

/// Solver of saddle-point systems with `rows` constraint rows without a factor. Memory is taken once.
pub struct ConstrainedCg {
    rows: ConstraintPattern,
    fixed: Vec<[bool; 3]>,
    /// M G^T, one column after the other.
    responses: Vec<Vec3>,
    schur: DenseCholesky,
    r: Vec<Vec3>,
    z: Vec<Vec3>,
    p: Vec<Vec3>,
    product: Vec<Vec3>,
    row_z: Vec<f64>,
    row_p: Vec<f64>,
    partial: Vec<f64>,
}

impl ConstrainedCg {
    /// For block rows without the scalars that are `fixed`, under rows of this pattern.
    pub fn new(fixed: &[[bool; 3]], rows: ConstraintPattern) -> Self {
        let (size, count) = (fixed.len(), rows.count());
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        Self {
            fixed: fixed.to_vec(),
            responses: vec![Vec3::zeros(); size * count],
            schur: DenseCholesky::new(count),
            r: vectors(),
            z: vectors(),
            p: vectors(),
            product: vectors(),
            row_z: scalars(),
            row_p: scalars(),
            partial: vec![0.0; chunk_count(size)],
            rows,
        }
    }

    /// Takes the rows of `system` under a preconditioner of its S: one application of it for each row that has a vector
    /// other than zero.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the pattern.
    pub fn update(&mut self, system: KktSystem, preconditioner: &mut dyn Preconditioner) {
        let (size, count) = (self.fixed.len(), self.rows.count());
        assert_eq!([system.g.len(), system.r.len()], [self.rows.entry_count(), count]);
        for row in 0..count {
            self.update_response(row, system, preconditioner);
        }
        let Self { rows, responses, schur, .. } = self;
        schur.fill(|i, j| {
            let velocity = |i: usize, j: usize| {
                rows.row_velocity(i, system.g, &responses[j * size..][..size]).0
            };
            // Rounding in M leaves a little of asymmetry.
            let mean = 0.5 * (velocity(i, j) + velocity(j, i));
            if i == j { mean + system.r[i] } else { mean }
        });
        schur.factor();
    }

    /// Takes M G^T of a row. A preconditioner that solves begins at the response under the matrix before.
    fn update_response(
        &mut self,
        row: usize,
        system: KktSystem,
        preconditioner: &mut dyn Preconditioner,
    ) {
        let size = self.fixed.len();
        let Self { rows, fixed, responses, r, z, product, .. } = self;
        let response = &mut responses[row * size..][..size];
        if system.g[rows.entries(row)].iter().all(|g| *g == Vec3::zeros()) {
            response.fill(Vec3::zeros());
            return;
        }
        r.fill(Vec3::zeros());
        for entry in rows.entries(row) {
            r[rows.blocks()[entry] as usize] += system.g[entry];
        }
        clear_fixed(r, fixed);
        let Some(accuracy) = preconditioner.accuracy() else {
            preconditioner.apply(r, response);
            return;
        };
        let whole = norm(r);
        z.copy_from_slice(r);
        system.s.mul(response, product);
        r.iter_mut().zip(&*product).for_each(|(r, su)| *r -= su);
        clear_fixed(r, fixed);
        let mut left = norm(r);
        if left.is_nan() || left > whole {
            response.fill(Vec3::zeros());
            r.copy_from_slice(z);
            left = whole;
        }
        let share = accuracy * whole / left;
        if share < 1.0 {
            preconditioner.apply_to(r, z, share);
            response.iter_mut().zip(&*z).for_each(|(u, z)| *u += z);
        }
    }

    /// Drops responses to the rows under matrices before, at which solvers begin.
    pub fn forget(&mut self) {
        self.responses.fill(Vec3::zeros());
    }

    /// Takes S p - G^T row_p, zero where fixed, into `product`; its curvature p . product.
    fn update_product(&mut self, system: KktSystem) -> f64 {
        let Self { rows, fixed, p, product, row_p, partial, .. } = self;
        system.s.mul(p, product);
        row_p.iter_mut().for_each(|v| *v = -*v);
        rows.add_transposed(system.g, row_p, product);
        row_p.iter_mut().for_each(|v| *v = -*v);
        clear_fixed(product, fixed);
        dot_with(p, product, partial)
    }

    /// Preconditions the residual, and takes the result as the direction.
    fn first_direction(
        &mut self,
        system: KktSystem,
        preconditioner: &mut dyn Preconditioner,
    ) -> [f64; 2] {
        let products = self.precondition(system, preconditioner);
        self.p.copy_from_slice(&self.z);
        self.row_p.copy_from_slice(&self.row_z);
        products
    }

    /// Goes on by alpha along the direction.
    fn advance(&mut self, (u, lambda): (&mut [Vec3], &mut [f64]), alpha: f64) {
        update(u, &mut self.r, (&self.p, &self.product), alpha);
        lambda.iter_mut().zip(&self.row_p).for_each(|(l, v)| *l += v * alpha);
    }

    /// The next direction: z + beta p, of the rows too.
    fn turn_direction(&mut self, beta: f64) {
        add_scaled(&mut self.p, &self.z, beta);
        for (p, z) in self.row_p.iter_mut().zip(&self.row_z) {
            *p = z + *p * beta;
        }
    }

    /// Solves S u - G^T lambda = b, G u + R lambda = b_g for the free scalars of `u`, the fixed ones being zero, and for
    /// `lambda`, from (0, 0).
    ///
    /// # Errors
    /// [`ConstrainedCgError`]; `u` and `lambda` then hold the last iterate.
    ///
    /// # Panics
    /// When the lengths of the arrays are not those of the pattern.
    pub fn solve(
        &mut self,
        system: KktSystem,
        preconditioner: &mut dyn Preconditioner,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
        limits: ConstrainedCgLimits,
    ) -> Result<ConstrainedCgReport, ConstrainedCgError> {
        self.start(system, (b, b_g), (u, lambda));
        let [mut rz, mut whole] = self.first_direction(system, preconditioner);
        let first = rz.max(0.0).sqrt();
        let tolerance = limits.absolute.max(limits.relative * first);
        let mut iterations = 0;
        loop {
            // Below the tolerance a negative sign is that of rounding errors, as where one iteration left nothing.
            if rz.is_nan() || rz < -(NOISE * whole).max(tolerance * tolerance) {
                return Err(ConstrainedCgError::Indefinite { iteration: iterations });
            }
            let now = rz.max(0.0).sqrt();
            if now <= tolerance {
                self.take_what_is_left((u, lambda));
                return Ok(ConstrainedCgReport { iterations, norms: [first, now] });
            }
            if iterations >= limits.max_iterations {
                let residual = now / first;
                return Err(ConstrainedCgError::IterationLimit { iterations, residual });
            }
            iterations += 1;
            let curvature = self.update_product(system);
            if is_not_positive(curvature) {
                return Err(ConstrainedCgError::Indefinite { iteration: iterations });
            }
            let alpha = rz / curvature;
            self.advance((&mut *u, &mut *lambda), alpha);
            let before = rz;
            [rz, whole] = self.precondition(system, preconditioner);
            self.turn_direction(rz / before);
        }
    }

    /// One step without a factor, along the last (z, row_z). Of a residual -G^T v, which moves nothing, r . z sees
    /// nothing, so that the iteration ends with it: here the multipliers take it (GouldHribarNocedal2001, section 5).
    fn take_what_is_left(&self, (u, lambda): (&mut [Vec3], &mut [f64])) {
        u.iter_mut().zip(&self.z).for_each(|(u, z)| *u += z);
        lambda.iter_mut().zip(&self.row_z).for_each(|(l, v)| *l += v);
    }

    /// The iterate M G^T w that meets the rows, and its residual.
    fn start(
        &mut self,
        system: KktSystem,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) {
        let Self { rows, fixed, responses, schur, r, product, .. } = self;
        u.fill(Vec3::zeros());
        lambda.copy_from_slice(b_g);
        r.copy_from_slice(b);
        if lambda.iter().any(|l| *l != 0.0) {
            schur.solve(lambda);
            add_columns(responses, lambda, u);
            system.s.mul(u, product);
            r.iter_mut().zip(&*product).for_each(|(r, su)| *r -= su);
            rows.add_transposed(system.g, lambda, r);
        }
        clear_fixed(r, fixed);
    }

    /// `(z, row_z)` of the residual under the constraint preconditioner; returns r . z, and |r . M r|, of which r . z is
    /// what the rows leave.
    fn precondition(
        &mut self,
        system: KktSystem,
        preconditioner: &mut dyn Preconditioner,
    ) -> [f64; 2] {
        let Self { rows, responses, schur, r, z, row_z, partial, .. } = self;
        preconditioner.apply(r, z);
        let whole = dot_with(r, z, partial);
        if row_z.is_empty() {
            return [whole, whole.max(0.0)];
        }
        // By G z and not by the responses to r, which M rounds in single precision: that would part the
        // iterates from the rows.
        for (row, v) in row_z.iter_mut().enumerate() {
            *v = -rows.row_velocity(row, system.g, z).0;
        }
        schur.solve(row_z);
        add_columns(responses, row_z, z);
        [dot_with(r, z, partial), whole.max(0.0)]
    }
}

/// `u += columns v`.
fn add_columns(columns: &[Vec3], v: &[f64], u: &mut [Vec3]) {
    for (column, &v) in columns.chunks_exact(u.len().max(1)).zip(v) {
        u.iter_mut().zip(column).for_each(|(u, c)| *u += c * v);
    }
}

/// L L^T of a small symmetric matrix that may be semidefinite: rows that depend on those before are left out.
struct DenseCholesky {
    size: usize,
    lower: Vec<f64>,
}

impl DenseCholesky {
    fn new(size: usize) -> Self {
        Self { size, lower: vec![0.0; size * size] }
    }

    /// Sets the entries of the lower triangle.
    fn fill(&mut self, entry: impl Fn(usize, usize) -> f64) {
        for i in 0..self.size {
            for j in 0..=i {
                self.lower[i * self.size + j] = entry(i, j);
            }
        }
    }

    fn factor(&mut self) {
        let n = self.size;
        for j in 0..n {
            let diagonal = self.lower[j * n + j];
            let known: f64 = self.lower[j * n..j * n + j].iter().map(|l| l * l).sum();
            let pivot = diagonal - known;
            // Zero marks a row that is left out.
            let root = if pivot > REDUNDANT * diagonal { pivot.sqrt() } else { 0.0 };
            self.lower[j * n + j] = root;
            for i in j + 1..n {
                let known: f64 =
                    (0..j).map(|k| self.lower[i * n + k] * self.lower[j * n + k]).sum();
                let value = self.lower[i * n + j] - known;
                self.lower[i * n + j] = if root > 0.0 { value / root } else { 0.0 };
            }
        }
    }

    /// Solves in place; unknowns of rows that are left out become zero.
    fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for i in 0..n {
            let known: f64 = (0..i).map(|k| self.lower[i * n + k] * x[k]).sum();
            let root = self.lower[i * n + i];
            x[i] = if root > 0.0 { (x[i] - known) / root } else { 0.0 };
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.lower[k * n + i] * x[k]).sum();
            let root = self.lower[i * n + i];
            x[i] = if root > 0.0 { (x[i] - known) / root } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DenseCholesky;

    #[test]
    fn a_row_that_depends_on_others_is_left_out_of_the_dense_factor() {
        // Rows a, b and a + b.
        let g = [[1.0, 2.0], [-1.0, 0.5], [0.0, 2.5]];
        let entry = |i: usize, j: usize| g[i][0] * g[j][0] + g[i][1] * g[j][1];
        let mut factor = DenseCholesky::new(3);
        factor.fill(entry);
        factor.factor();
        let right = [3.0, -1.0, 2.0];
        let mut x = right;
        factor.solve(&mut x);
        assert_eq!(x[2], 0.0);
        for (i, right) in right.iter().enumerate() {
            let left: f64 = (0..3).map(|j| entry(i, j) * x[j]).sum();
            assert!((left - right).abs() < 1e-12, "row {i}: {left} for {right}");
        }
    }
}
