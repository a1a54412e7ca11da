//! Responses of the block rows that are eliminated last to impulses on them: the inverse of the last square of the
//! factor, which no other block row has a part in. Contacts of a surface need no more of a body than this.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::triangular_inverse::invert_unit_lower_triangular;
use faer::{Accum, Mat};

use super::{Factor, KktSolver};
use crate::Vec3;
use crate::cholesky::parallelism;

const FIXED: usize = usize::MAX;

/// Velocities of some block rows by unit impulses on them, under the rows of the constraints. Kept by the caller;
/// its arrays grow to the largest number of block rows so far.
pub struct LastResponse {
    /// Of every scalar of the block rows in `values`; [`FIXED`] for those that are fixed.
    positions: Vec<[usize; 3]>,
    /// L, its inverse, and that divided by D.
    lower: Mat<f64>,
    inverse: Mat<f64>,
    divided: Mat<f64>,
    /// The lower triangle of the responses \[1/kg\].
    values: Mat<f64>,
    /// Pivots.
    pivots: Vec<f64>,
}

impl Default for LastResponse {
    fn default() -> Self {
        let (positions, pivots) = (Vec::new(), Vec::new());
        let [lower, inverse, divided, values] = std::array::from_fn(|_| Mat::new());
        Self { positions, lower, inverse, divided, values, pivots }
    }
}

impl LastResponse {
    /// Velocities of block row number `i` of the last ones by the impulse `push` on number `j` [m/s].
    pub fn velocity(&self, i: usize, j: usize, push: &Vec3) -> Vec3 {
        let mut velocity = Vec3::zeros();
        for (axis, &row) in self.positions[i].iter().enumerate().filter(|(_, p)| **p != FIXED) {
            for (other, &column) in self.positions[j].iter().enumerate() {
                if column != FIXED {
                    let entry = self.values[(row.max(column), row.min(column))];
                    velocity[axis] += entry * push[other];
                }
            }
        }
        velocity
    }

    /// Takes memory for a square of so many scalars.
    fn resize(&mut self, size: usize) {
        self.pivots.resize(size, 0.0);
        if self.lower.nrows() != size {
            let square = || Mat::zeros(size, size);
            (self.lower, self.inverse) = (square(), square());
            (self.divided, self.values) = (square(), square());
        }
    }

    /// (L D L^T)^-1 = L^-T D^-1 L^-1.
    fn invert(&mut self) {
        let size = self.lower.nrows();
        let par = parallelism(size * size / 16);
        self.inverse.fill(0.0);
        invert_unit_lower_triangular(self.inverse.as_mut(), self.lower.as_ref(), par);
        for j in 0..size {
            self.inverse[(j, j)] = 1.0;
            for i in j..size {
                self.divided[(i, j)] = self.inverse[(i, j)] / self.pivots[i];
            }
        }
        matmul(
            self.values.as_mut(),
            BlockStructure::TriangularLower,
            Accum::Replace,
            self.inverse.transpose(),
            BlockStructure::TriangularUpper,
            self.divided.as_ref(),
            BlockStructure::TriangularLower,
            1.0,
            par,
        );
    }
}

impl KktSolver {
    /// Responses of the block rows `last` of [`KktSolver::ending_with`] to impulses on them, by the factor at hand.
    /// Whether there are any: not without nested dissection.
    pub fn response_of_last(&self, last: &[u32], out: &mut LastResponse) -> bool {
        let Factor::Saddle(factor) = &self.factor else { return false };
        let begin = last.iter().find_map(|&row| factor.position_of(row));
        let Some(begin) = begin else { return false };
        let unknowns = factor.unknowns_from(begin);
        out.resize(unknowns.len());
        out.positions.clear();
        for &row in last {
            let place = |axis| unknowns.iter().position(|&u| u == 3 * row + axis).unwrap_or(FIXED);
            out.positions.push([0, 1, 2].map(place));
        }
        out.lower.fill(0.0);
        let LastResponse { lower, pivots, .. } = out;
        factor.for_each_from(begin, |i, j, value| match i == j {
            true => pivots[i] = value,
            false => lower[(i, j)] = value,
        });
        out.invert();
        true
    }
}
