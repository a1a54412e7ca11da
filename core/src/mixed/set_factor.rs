//! Cholesky factor of the active rows of a dense response.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{Mat, MatMut, Par, Spec};

use crate::lcp::ActiveSetStatus;
use crate::mixed::tuning::REGULARIZATION;

/// The factor of one choice of sets, and its right side.
#[derive(Default)]
pub(super) struct SetFactor {
    active: Vec<usize>,
    factor: Option<Mat<f64>>,
    memory: Option<MemBuffer>,
    /// The sets that it is of, where there is one.
    sets: Vec<ActiveSetStatus>,
    is_made: bool,
    right: Vec<f64>,
}

impl SetFactor {
    /// The response is another.
    pub(super) fn forget(&mut self) {
        self.is_made = false;
    }

    /// True if it is the factor of these sets.
    pub(super) fn is_of(&self, statuses: &[ActiveSetStatus]) -> bool {
        self.is_made && self.sets == statuses
    }

    /// Factors the square of the active rows of `matrix`, with a share of the responses `own` of the rows to themselves
    /// added. False where that is not positive definite.
    pub(super) fn factor(
        &mut self,
        statuses: &[ActiveSetStatus],
        matrix: &[f64],
        own: &[f64],
    ) -> bool {
        self.is_made = false;
        let n = statuses.len();
        self.active.clear();
        self.active.extend((0..n).filter(|&row| statuses[row] == ActiveSetStatus::Basic));
        let count = self.active.len();
        if self.factor.as_ref().is_none_or(|factor| factor.nrows() < n) {
            self.factor = Some(Mat::zeros(n, n));
            let memory =
                llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default());
            self.memory = Some(MemBuffer::new(memory));
        }
        let factor = self.factor.as_mut().expect("it was made");
        for (j, &column) in self.active.iter().enumerate() {
            for (i, &row) in self.active.iter().enumerate().skip(j) {
                factor[(i, j)] = matrix[column * n + row];
            }
            factor[(j, j)] += REGULARIZATION * own[column];
        }
        let memory = MemStack::new(self.memory.as_mut().expect("it was taken"));
        let square = factor.as_mut().submatrix_mut(0, 0, count, count);
        let (shift, spec) = (Default::default(), Spec::default());
        let factored = llt::factor::cholesky_in_place(square, shift, Par::Seq, memory, spec);
        if factored.is_err() {
            return false;
        }
        self.sets.clear();
        self.sets.extend_from_slice(statuses);
        self.is_made = true;
        true
    }

    /// Begins a right side of `part` of each active row.
    pub(super) fn start_right(&mut self, part: impl Fn(usize) -> f64) {
        self.right.clear();
        self.right.extend(self.active.iter().map(|&row| part(row)));
    }

    /// Takes the `excess` of the active rows off the right side, and solves for their `change`.
    pub(super) fn solve(&mut self, excess: &[f64], change: &mut [f64]) {
        for (right, &row) in self.right.iter_mut().zip(&self.active) {
            *right -= excess[row];
        }
        let count = self.active.len();
        let right = MatMut::from_column_major_slice_mut(&mut self.right, count, 1);
        let mut memory = MemBuffer::new(faer::dyn_stack::StackReq::EMPTY);
        let factor = self.factor.as_ref().expect("it was made").submatrix(0, 0, count, count);
        llt::solve::solve_in_place(factor, right, Par::Seq, MemStack::new(&mut memory));
        for (&row, right) in self.active.iter().zip(&self.right) {
            change[row] = *right;
        }
    }
}
