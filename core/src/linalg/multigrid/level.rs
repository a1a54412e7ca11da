//! The matrix of one level as the smoother reads it, and the sweeps over it: each reads the matrix
//! once, row by row, and writes the entries of its own row alone.

use std::sync::Arc;

use rayon::prelude::*;

use super::lanes::{self, Lanes};
use crate::linalg::block_matrix::BLOCK;
use crate::linalg::vector::{CHUNK, chunk_count};
use crate::linalg::{BlockMatrix, BlockPattern};
use crate::{Mat3, Vec3};

/// Scalars that a product reads past the last block: a column is read as four lanes.
const PADDING: usize = 3;

/// Matrix, inverse diagonal and work vectors of one level, in single precision.
///
/// A sweep is bound by reading, a preconditioner need not be exact, and rounding keeps the matrix
/// symmetric. The numbers come scaled to about 1, so that none over- or underflows.
pub(super) struct Level {
    pattern: Arc<BlockPattern>,
    values: Vec<f32>,
    /// Inverse diagonal blocks; zero in the rows and columns of held scalars, which keeps these out.
    inverse: Vec<[Lanes; 3]>,
    /// Right side, then residual.
    pub(super) r: Vec<Lanes>,
    /// Solution.
    pub(super) x: Vec<Lanes>,
    /// The latest change of the solution.
    pub(super) d: Vec<Lanes>,
    next: Vec<Lanes>,
    partial: Vec<f64>,
}

impl Level {
    pub(super) fn new(pattern: Arc<BlockPattern>) -> Self {
        let zeros = || vec![lanes::ZERO; pattern.size()];
        Self {
            values: vec![0.0; BLOCK * pattern.block_count() + PADDING],
            inverse: vec![[lanes::ZERO; 3]; pattern.size()],
            r: zeros(),
            x: zeros(),
            d: zeros(),
            next: zeros(),
            partial: vec![0.0; chunk_count(pattern.size())],
            pattern,
        }
    }

    /// Takes `matrix` times `scale`; `held` names scalars that are to be left out.
    pub(super) fn update(
        &mut self,
        matrix: &BlockMatrix,
        scale: f64,
        held: &(impl Fn(usize) -> [bool; 3] + Sync),
    ) {
        let chunks =
            (self.values.par_chunks_mut(BLOCK * CHUNK), matrix.values().par_chunks(BLOCK * CHUNK));
        chunks.into_par_iter().for_each(|(rounded, values)| {
            for (rounded, &value) in rounded.iter_mut().zip(values) {
                *rounded = (value * scale) as f32;
            }
        });
        self.inverse.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, inverse)| {
            for (i, inverse) in inverse.iter_mut().enumerate() {
                let row = chunk * CHUNK + i;
                let block = matrix.block(matrix.pattern().diagonal(row)) * scale;
                *inverse = lanes::round_columns(&invert(block, held(row)));
            }
        });
    }

    /// `r` = `r` times `scale`.
    pub(super) fn take_right_side(&mut self, r: &[Vec3], scale: f64) {
        let chunks = (self.r.par_chunks_mut(CHUNK), r.par_chunks(CHUNK)).into_par_iter();
        chunks.for_each(|(own, r)| {
            own.iter_mut().zip(r).for_each(|(own, r)| *own = lanes::round(r, scale));
        });
    }

    /// `z` = `x` times `scale`.
    pub(super) fn give_solution(&self, z: &mut [Vec3], scale: f64) {
        let chunks = (z.par_chunks_mut(CHUNK), self.x.par_chunks(CHUNK)).into_par_iter();
        chunks.for_each(|(z, x)| {
            z.iter_mut().zip(x).for_each(|(z, x)| *z = lanes::widen(*x) * scale);
        });
    }

    /// `d` = `c` D^-1 r, `x` = d.
    pub(super) fn start(&mut self, c: f32) {
        let chunks = (
            self.d.par_chunks_mut(CHUNK),
            self.x.par_chunks_mut(CHUNK),
            self.r.par_chunks(CHUNK),
            self.inverse.par_chunks(CHUNK),
        );
        chunks.into_par_iter().for_each(|(d, x, r, inverse)| {
            for (((d, x), r), inverse) in d.iter_mut().zip(x).zip(r).zip(inverse) {
                *d = lanes::scale(lanes::product(*inverse, *r), c);
                *x = *d;
            }
        });
    }

    /// `r` -= A d, `d` = `c_old` d + `c_new` D^-1 r, `x` += d.
    pub(super) fn sweep(&mut self, c_old: f32, c_new: f32) {
        let Self { pattern, values, inverse, r, x, d, next, .. } = self;
        let chunks = (
            next.par_chunks_mut(CHUNK),
            x.par_chunks_mut(CHUNK),
            r.par_chunks_mut(CHUNK),
            inverse.par_chunks(CHUNK),
        );
        chunks.into_par_iter().enumerate().for_each(|(chunk, (next, x, r, inverse))| {
            let rows = next.iter_mut().zip(x).zip(r).zip(inverse).enumerate();
            for (i, (((next, x), r), inverse)) in rows {
                let row = chunk * CHUNK + i;
                *r -= row_product(pattern, values, row, d);
                let change = lanes::product(*inverse, *r);
                *next = lanes::scale(d[row], c_old) + lanes::scale(change, c_new);
                *x += *next;
            }
        });
        std::mem::swap(d, next);
    }

    /// `r` -= A d.
    pub(super) fn update_residual(&mut self) {
        let Self { pattern, values, r, d, .. } = self;
        r.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, r)| {
            for (i, r) in r.iter_mut().enumerate() {
                *r -= row_product(pattern, values, chunk * CHUNK + i, d);
            }
        });
    }

    /// `r` = b - A `x`.
    pub(super) fn start_residual(&mut self, b: &[Lanes], x: &[Lanes]) {
        let Self { pattern, values, r, .. } = self;
        let chunks = (r.par_chunks_mut(CHUNK), b.par_chunks(CHUNK)).into_par_iter();
        chunks.enumerate().for_each(|(chunk, (r, b))| {
            for (i, (r, b)) in r.iter_mut().zip(b).enumerate() {
                *r = *b - row_product(pattern, values, chunk * CHUNK + i, x);
            }
        });
    }

    /// One step of conjugate gradients with D^-1 from the state in `r` (residual), `d` (direction)
    /// and `rz` = r . D^-1 r; returns the step length and the new `rz`, and leaves `d` for the next
    /// step. Held scalars are zero in `d` and count nowhere. `None` when the matrix is not positive
    /// along `d`.
    pub(super) fn conjugate_step(&mut self, rz: f64) -> Option<(f64, f64)> {
        let Self { pattern, values, inverse, r, d, next, partial, .. } = self;
        next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
            for (i, next) in next.iter_mut().enumerate() {
                *next = row_product(pattern, values, chunk * CHUNK + i, d);
            }
        });
        let curvature = dot_with(d, next, partial);
        if curvature.is_nan() || curvature <= 0.0 {
            return None;
        }
        let alpha = rz / curvature;
        let chunks =
            (r.par_chunks_mut(CHUNK), next.par_chunks_mut(CHUNK), inverse.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(r, next, inverse)| {
            for ((r, next), inverse) in r.iter_mut().zip(next).zip(inverse) {
                *r -= lanes::scale(*next, alpha as f32);
                *next = lanes::product(*inverse, *r);
            }
        });
        let rz_next = dot_with(r, next, partial);
        let beta = rz_next / rz;
        (d.par_chunks_mut(CHUNK), next.par_chunks(CHUNK)).into_par_iter().for_each(|(d, z)| {
            for (d, z) in d.iter_mut().zip(z) {
                *d = *z + lanes::scale(*d, beta as f32);
            }
        });
        Some((alpha, rz_next))
    }

    /// r . d.
    pub(super) fn residual_times_change(&mut self) -> f64 {
        dot_with(&self.r, &self.d, &mut self.partial)
    }
}

/// Inner product in the fixed order; `partial` is workspace of one entry a chunk.
fn dot_with(a: &[Lanes], b: &[Lanes], partial: &mut [f64]) -> f64 {
    (a.par_chunks(CHUNK), b.par_chunks(CHUNK), partial.par_iter_mut())
        .into_par_iter()
        .for_each(|(a, b, sum)| *sum = a.iter().zip(b).map(|(a, b)| lanes::dot(*a, *b)).sum());
    partial.iter().sum()
}

/// Row `row` of A v. The fourth lane sums what follows each column.
#[inline(always)]
fn row_product(pattern: &BlockPattern, values: &[f32], row: usize, v: &[Lanes]) -> Lanes {
    let slots = pattern.row(row);
    let blocks = &values[BLOCK * slots.start..BLOCK * slots.end + PADDING];
    let mut sum = lanes::ZERO;
    for (&column, start) in pattern.columns()[slots].iter().zip((0..).step_by(BLOCK)) {
        let block = &blocks[start..start + BLOCK + PADDING];
        sum += lanes::product_of_block(block, v[column as usize]);
    }
    sum
}

/// Inverse of a symmetric block over the scalars that are not held; zero where there is none.
fn invert(mut block: Mat3, held: [bool; 3]) -> Mat3 {
    for axis in (0..3).filter(|&a| held[a]) {
        block.row_mut(axis).fill(0.0);
        block.column_mut(axis).fill(0.0);
        block[(axis, axis)] = 1.0;
    }
    let mut inverse = block.try_inverse().unwrap_or_else(Mat3::zeros);
    for axis in (0..3).filter(|&a| held[a]) {
        inverse[(axis, axis)] = 0.0;
    }
    (inverse + inverse.transpose()) * 0.5
}
