//! The matrix of one level as the smoother reads it: in the order of its [`Ordering`], the blocks
//! below the diagonal apart from those above it.

use rayon::prelude::*;

use super::lanes::{self, Lanes};
use super::ordering::Ordering;
use super::triangle::Triangle;
use crate::vector::CHUNK;
use crate::{BlockMatrix, BlockPattern};
use crate::{Mat3, Vec3};

/// Matrix, inverse diagonal and vectors of one level, in single precision; vectors stand in the
/// order of the sweeps.
///
/// A sweep is bound by reading, a preconditioner need not be exact, and rounding keeps the matrix
/// symmetric. The numbers come scaled to about 1, so that none over- or underflows.
pub(super) struct Level {
    pub(super) ordering: Ordering,
    /// Blocks before the diagonal in the order of the sweeps, and blocks after it.
    pub(super) lower: Triangle,
    pub(super) upper: Triangle,
    diagonal: Vec<[Lanes; 3]>,
    /// Inverse diagonal blocks; zero in the rows and columns of fixed scalars, which keeps these out.
    pub(super) inverse: Vec<[Lanes; 3]>,
    /// Right side.
    pub(super) b: Vec<Lanes>,
    /// Solution.
    pub(super) x: Vec<Lanes>,
    /// Residual.
    pub(super) r: Vec<Lanes>,
    /// Solution of the first of two visits.
    first: Vec<Lanes>,
}

impl Level {
    pub(super) fn new(pattern: &BlockPattern) -> Self {
        let ordering = Ordering::new(pattern);
        let zeros = || vec![lanes::ZERO; pattern.size()];
        let (mut lower, mut upper) = (Triangle::new(), Triangle::new());
        let mut list: Vec<(u32, u32)> = Vec::new();
        for colour in ordering.colours.windows(2) {
            for place in colour[0]..colour[1] {
                let slots = pattern.row(ordering.rows[place as usize] as usize);
                let of = |slot| ordering.places[pattern.columns()[slot] as usize];
                list.clear();
                list.extend(slots.map(|slot| (of(slot), slot as u32)));
                list.sort_unstable();
                let diagonal = list.partition_point(|&(column, _)| column < place);
                lower.add_row(&list[..diagonal], colour[0]);
                upper.add_row(&list[diagonal + 1..], colour[1]);
            }
        }
        Self {
            ordering,
            lower,
            upper,
            diagonal: vec![[lanes::ZERO; 3]; pattern.size()],
            inverse: vec![[lanes::ZERO; 3]; pattern.size()],
            b: zeros(),
            x: zeros(),
            r: zeros(),
            first: zeros(),
        }
    }

    /// Takes `matrix` times `scale`; `fixed` names scalars that are to be left out.
    pub(super) fn update(
        &mut self,
        matrix: &BlockMatrix,
        scale: f64,
        fixed: &(impl Fn(usize) -> [bool; 3] + Sync),
    ) {
        self.lower.update(matrix, scale);
        self.upper.update(matrix, scale);
        let chunks = (
            self.diagonal.par_chunks_mut(CHUNK),
            self.inverse.par_chunks_mut(CHUNK),
            self.ordering.rows.par_chunks(CHUNK),
        );
        chunks.into_par_iter().for_each(|(diagonal, inverse, rows)| {
            for ((diagonal, inverse), &row) in diagonal.iter_mut().zip(inverse).zip(rows) {
                let row = row as usize;
                let block = matrix.block(matrix.pattern().diagonal(row)) * scale;
                *diagonal = lanes::round_columns(&block);
                *inverse = lanes::round_columns(&invert(block, fixed(row)));
            }
        });
    }

    /// `b` = `right_side`, which is in the order of the matrix, times `scale`.
    pub(super) fn take(&mut self, right_side: &[Vec3], scale: f64) {
        let chunks = (self.b.par_chunks_mut(CHUNK), self.ordering.rows.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(b, rows)| {
            for (b, &row) in b.iter_mut().zip(rows) {
                *b = lanes::round(&right_side[row as usize], scale);
            }
        });
    }

    /// `solution`, in the order of the matrix, = `x` times `scale`.
    pub(super) fn copy_solution(&self, solution: &mut [Vec3], scale: f64) {
        let chunks = (solution.par_chunks_mut(CHUNK), self.ordering.places.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(solution, places)| {
            for (z, &place) in solution.iter_mut().zip(places) {
                *z = lanes::widen(self.x[place as usize]) * scale;
            }
        });
    }

    /// The same as [`Self::take`] from a level.
    pub(super) fn take_lanes(&mut self, right_side: &[Lanes]) {
        for (b, &row) in self.b.iter_mut().zip(&self.ordering.rows) {
            *b = right_side[row as usize];
        }
    }

    /// The same as [`Self::copy_solution`] to a level.
    pub(super) fn copy_lanes(&self, solution: &mut [Lanes]) {
        for (z, &place) in solution.iter_mut().zip(&self.ordering.places) {
            *z = self.x[place as usize];
        }
    }

    /// Puts the solution of a first visit by and leaves its residual as the right side of a second.
    pub(super) fn begin_second_visit(&mut self) {
        std::mem::swap(&mut self.first, &mut self.x);
        let mut b = std::mem::take(&mut self.b);
        b.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, b)| {
            for (i, b) in b.iter_mut().enumerate() {
                let place = chunk * CHUNK + i;
                *b -= self.lower.product(self.lower.row(place), &self.first, 0)
                    + lanes::product(self.diagonal[place], self.first[place])
                    + self.upper.product(self.upper.row(place), &self.first, 0);
            }
        });
        self.b = b;
    }

    /// Adds the solution of the first visit.
    pub(super) fn end_second_visit(&mut self) {
        self.x.iter_mut().zip(&self.first).for_each(|(x, first)| *x += *first);
    }
}

/// Inverse of a symmetric block over the scalars that are not fixed; zero where there is none.
fn invert(mut block: Mat3, fixed: [bool; 3]) -> Mat3 {
    for axis in (0..3).filter(|&a| fixed[a]) {
        block.row_mut(axis).fill(0.0);
        block.column_mut(axis).fill(0.0);
        block[(axis, axis)] = 1.0;
    }
    let mut inverse = block.try_inverse().unwrap_or_else(Mat3::zeros);
    for axis in (0..3).filter(|&a| fixed[a]) {
        inverse[(axis, axis)] = 0.0;
    }
    (inverse + inverse.transpose()) * 0.5
}
