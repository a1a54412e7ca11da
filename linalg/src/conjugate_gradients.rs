//! Preconditioned conjugate gradients on a block matrix, in f64, with the fixed scalars left alone.
//! (Hestenes and Stiefel 1952; Saad 2003, alg. 9.1.)

use rayon::prelude::*;

use super::BlockMatrix;
use super::vector::{CHUNK, chunk_count, dot_with};
use crate::{Mat3, Vec3};

/// Times the iteration starts anew because rounding parted its residual from the true one.
const MAX_RESTARTS: usize = 5;

/// An approximate inverse that conjugate gradients apply to the residual.
pub trait Preconditioner {
    /// `z` = approximate solution of A z = r; fixed scalars of `r` are zero and stay zero in `z`.
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]);

    /// Share of |r| that an application leaves, of a preconditioner which solves as far as it is asked to [-]; `None` for
    /// a fixed sum of operations.
    fn accuracy(&self) -> Option<f64> {
        None
    }

    /// As [`Self::apply`], until no more than `share` of |r| is left where there is an [accuracy](Self::accuracy).
    fn apply_to(&mut self, r: &[Vec3], z: &mut [Vec3], share: f64) {
        let _ = share;
        self.apply(r, z);
    }
}

/// Inverses of the diagonal blocks.
#[derive(Clone, Debug)]
pub struct BlockJacobi {
    inverse: Vec<Mat3>,
}

impl BlockJacobi {
    /// For a matrix of `size` block rows; [`Self::update`] fills it.
    pub fn new(size: usize) -> Self {
        Self { inverse: vec![Mat3::identity(); size] }
    }

    /// Takes the diagonal of `matrix`, the rows and columns of `fixed` scalars left out.
    pub fn update(&mut self, matrix: &BlockMatrix, fixed: &[[bool; 3]]) {
        for (i, inverse) in self.inverse.iter_mut().enumerate() {
            let mut block = matrix.block(matrix.pattern().diagonal(i));
            for axis in (0..3).filter(|&a| fixed[i][a]) {
                block.row_mut(axis).fill(0.0);
                block.column_mut(axis).fill(0.0);
                block[(axis, axis)] = 1.0;
            }
            *inverse = block.try_inverse().unwrap_or_else(Mat3::identity);
        }
    }
}

impl Preconditioner for BlockJacobi {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        (z.par_chunks_mut(CHUNK), r.par_chunks(CHUNK), self.inverse.par_chunks(CHUNK))
            .into_par_iter()
            .for_each(|(z, r, inverse)| {
                for ((z, r), inverse) in z.iter_mut().zip(r).zip(inverse) {
                    *z = inverse * r;
                }
            });
    }
}

/// End of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CgOutcome {
    /// The tolerance is met.
    Converged {
        /// Iterations made.
        iterations: usize,
        /// True relative residual [-].
        residual: f64,
    },
    /// The last iteration allowed was made.
    IterationLimit {
        /// Relative residual reached [-].
        residual: f64,
    },
    /// A direction of negative curvature: the matrix, or the preconditioner made from it, is not
    /// positive definite.
    Indefinite {
        /// Iteration at which it showed.
        iteration: usize,
    },
}

/// Work vectors of the iteration.
#[derive(Clone, Debug, Default)]
pub struct CgWorkspace {
    r: Vec<Vec3>,
    z: Vec<Vec3>,
    p: Vec<Vec3>,
    ap: Vec<Vec3>,
    partial: Vec<f64>,
}

/// Limits at which the iteration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgLimits {
    /// Residual over right side [-].
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

impl CgWorkspace {
    /// Vectors for `size` block rows.
    pub fn new(size: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self {
            r: zeros(),
            z: zeros(),
            p: zeros(),
            ap: zeros(),
            partial: vec![0.0; chunk_count(size)],
        }
    }

    /// Improves `x` until |b - A x| <= tolerance |b - A x_fixed| over the scalars that are not `fixed`,
    /// x_fixed being what the fixed ones contribute.
    pub fn solve(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        preconditioner: &mut dyn Preconditioner,
        b: &[Vec3],
        x: &mut [Vec3],
        limits: CgLimits,
    ) -> CgOutcome {
        let scale = self.right_side((matrix, fixed), b, x);
        if scale == 0.0 {
            x.iter_mut().zip(fixed).for_each(|(x, fixed)| *x = fixed_part(x, fixed));
            return CgOutcome::Converged { iterations: 0, residual: 0.0 };
        }
        let target = limits.tolerance * scale;
        let mut iterations = 0;
        for restart in 0..=MAX_RESTARTS {
            let residual = self.true_residual((matrix, fixed), b, x);
            if residual <= target {
                return CgOutcome::Converged { iterations, residual: residual / scale };
            }
            if iterations >= limits.max_iterations || restart == MAX_RESTARTS {
                return CgOutcome::IterationLimit { residual: residual / scale };
            }
            // Aims a little lower, so that the true residual seldom asks for a restart.
            let stopping = (0.9 * target, limits.max_iterations);
            match self.iterate((matrix, fixed), preconditioner, x, stopping, iterations) {
                Ok(made) => iterations = made,
                Err(iteration) => return CgOutcome::Indefinite { iteration },
            }
        }
        unreachable!("the loop returns at the last restart")
    }

    /// Norm of b - A x_fixed over the free scalars: of the right side that they see.
    fn right_side(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &[Vec3],
    ) -> f64 {
        let Self { r, z, ap, partial, .. } = self;
        z.iter_mut().zip(x).zip(fixed).for_each(|((z, x), fixed)| *z = fixed_part(x, fixed));
        r.copy_from_slice(b);
        if z.iter().any(|z| *z != Vec3::zeros()) {
            matrix.mul(z, ap);
            r.iter_mut().zip(ap.iter()).for_each(|(r, az)| *r -= az);
        }
        clear_fixed(r, fixed);
        dot_with(r, r, partial).sqrt()
    }

    /// `r` = b - A x over the free scalars; returns its norm.
    fn true_residual(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        b: &[Vec3],
        x: &[Vec3],
    ) -> f64 {
        let Self { r, ap, partial, .. } = self;
        matrix.mul(x, ap);
        for ((r, b), ax) in r.iter_mut().zip(b).zip(ap.iter()) {
            *r = b - ax;
        }
        clear_fixed(r, fixed);
        dot_with(r, r, partial).sqrt()
    }

    /// Iterates from the residual in `r` until its recursion is below the tolerance; returns the count
    /// of iterations, or that at which a curvature was not positive.
    fn iterate(
        &mut self,
        (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
        preconditioner: &mut dyn Preconditioner,
        x: &mut [Vec3],
        (target, max_iterations): (f64, usize),
        mut iterations: usize,
    ) -> Result<usize, usize> {
        let Self { r, z, p, ap, partial } = self;
        preconditioner.apply(r, z);
        p.copy_from_slice(z);
        let mut rz = dot_with(r, z, partial);
        if is_not_positive(rz) {
            return Err(iterations);
        }
        while iterations < max_iterations {
            iterations += 1;
            matrix.mul(p, ap);
            clear_fixed(ap, fixed);
            let curvature = dot_with(p, ap, partial);
            if is_not_positive(curvature) {
                return Err(iterations);
            }
            let alpha = rz / curvature;
            update(x, r, (p, ap), alpha);
            if dot_with(r, r, partial).sqrt() <= target {
                break;
            }
            preconditioner.apply(r, z);
            let rz_next = dot_with(r, z, partial);
            if is_not_positive(rz_next) {
                return Err(iterations);
            }
            add_scaled(p, z, rz_next / rz);
            rz = rz_next;
        }
        Ok(iterations)
    }
}

/// `x` with its free scalars set to zero.
fn fixed_part(x: &Vec3, fixed: &[bool; 3]) -> Vec3 {
    Vec3::from_fn(|axis, _| if fixed[axis] { x[axis] } else { 0.0 })
}

/// NaN counts as well.
pub(super) fn is_not_positive(x: f64) -> bool {
    x.is_nan() || x <= 0.0
}

/// Sets the fixed scalars to zero.
pub fn clear_fixed(v: &mut [Vec3], fixed: &[[bool; 3]]) {
    for (v, fixed) in v.iter_mut().zip(fixed) {
        for axis in 0..3 {
            if fixed[axis] {
                v[axis] = 0.0;
            }
        }
    }
}

/// `x += alpha p`, `r -= alpha ap`.
pub(super) fn update(x: &mut [Vec3], r: &mut [Vec3], (p, ap): (&[Vec3], &[Vec3]), alpha: f64) {
    (x.par_chunks_mut(CHUNK), r.par_chunks_mut(CHUNK), p.par_chunks(CHUNK), ap.par_chunks(CHUNK))
        .into_par_iter()
        .for_each(|(x, r, p, ap)| {
            for (((x, r), p), ap) in x.iter_mut().zip(r).zip(p).zip(ap) {
                *x += p * alpha;
                *r -= ap * alpha;
            }
        });
}

/// `p = z + beta p`.
pub(super) fn add_scaled(p: &mut [Vec3], z: &[Vec3], beta: f64) {
    (p.par_chunks_mut(CHUNK), z.par_chunks(CHUNK)).into_par_iter().for_each(|(p, z)| {
        for (p, z) in p.iter_mut().zip(z) {
            *p = z + *p * beta;
        }
    });
}
