//! The matrix of an iteration of the interior point method on the dense response of the rows, and its Cholesky factor.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt;
use faer::{Mat, MatMut, Par, Spec};

use crate::mixed::MixedError;
use crate::mixed::interior::barrier::{Barrier, Side};
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{RAISES, REGULARIZATION};

/// Response of the rows with the stiffness of their limits, factored.
#[derive(Default)]
pub(in crate::mixed) struct BarrierMatrix {
    /// Square of at least so many rows as there are.
    factor: Option<Mat<f64>>,
    memory: Option<MemBuffer>,
    diagonal: Vec<f64>,
}

impl BarrierMatrix {
    /// Factors T W T^T + D: W the response `matrix` of the rows without their compliance, T the shares of friction that are
    /// taken off normals, D the stiffness of the limits.
    pub(super) fn factor(
        &mut self,
        stage: Stage,
        matrix: &[f64],
        inner: &mut Barrier,
    ) -> Result<(), MixedError> {
        // Slopes are exact whatever the factor, so that a raised diagonal shortens changes and no more.
        for share in RAISES {
            self.fill((stage, share), matrix, inner);
            if self.factor_in_place(stage.problem.unilateral.count()) {
                return Ok(());
            }
        }
        Err(MixedError::Indefinite { rows: stage.problem.unilateral.count() })
    }

    /// Fills the square that is to be factored, `share` of the responses of rows to themselves added to its diagonal.
    fn fill(&mut self, (stage, share): (Stage, f64), matrix: &[f64], inner: &mut Barrier) {
        let rows = &stage.problem.unilateral;
        let compliance = |row: usize| rows.compliance[row] + REGULARIZATION * stage.own[row];
        let n = rows.count();
        self.resize(n);
        inner.set_stiffness(&mut self.diagonal, compliance);
        let square = self.factor.as_mut().expect("it was made");
        let mut factor = square.as_mut().submatrix_mut(0, 0, n, n);
        for (j, column) in matrix.chunks_exact(n.max(1)).enumerate() {
            for (i, value) in column.iter().enumerate() {
                factor[(i, j)] = *value;
            }
            factor[(j, j)] -= rows.compliance[j];
        }
        for row in (0..n).filter(|&row| !inner.is_free(row)) {
            for other in 0..n {
                (factor[(row, other)], factor[(other, row)]) = (0.0, 0.0);
            }
        }
        take_shares(factor.as_mut(), inner);
        for (row, stiffness) in self.diagonal.iter().enumerate() {
            factor[(row, row)] += stiffness + share * stage.own[row];
        }
    }

    /// True if the square of `n` rows is positive definite, and factored.
    fn factor_in_place(&mut self, n: usize) -> bool {
        let square = self.factor.as_mut().expect("it was made");
        let factor = square.as_mut().submatrix_mut(0, 0, n, n);
        let memory = MemStack::new(self.memory.as_mut().expect("it was taken"));
        let (shift, spec) = (Default::default(), Spec::default());
        llt::factor::cholesky_in_place(factor, shift, Par::Seq, memory, spec).is_ok()
    }

    fn resize(&mut self, n: usize) {
        self.diagonal.clear();
        self.diagonal.resize(n, 1.0);
        if self.factor.as_ref().is_none_or(|factor| factor.nrows() < n) {
            self.factor = Some(Mat::zeros(n, n));
            let memory =
                llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default());
            self.memory = Some(MemBuffer::new(memory));
        }
    }

    /// Solves for a right side in place.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let n = right.len();
        let factor = self.factor.as_ref().expect("it was made").submatrix(0, 0, n, n);
        let right = MatMut::from_column_major_slice_mut(right, n, 1);
        let mut memory = MemBuffer::new(StackReq::EMPTY);
        llt::solve::solve_in_place(factor, right, Par::Seq, MemStack::new(&mut memory));
    }
}

/// Takes the shares of friction off the rows and columns of normals.
fn take_shares(mut matrix: MatMut<'_, f64>, inner: &Barrier) {
    let n = matrix.nrows();
    for (row, side) in inner.sides.iter().enumerate() {
        let Side::Cone { normal, .. } = *side else { continue };
        let share = inner.share[row];
        for other in 0..n {
            matrix[(other, normal)] -= share * matrix[(other, row)];
        }
        for other in 0..n {
            matrix[(normal, other)] -= share * matrix[(row, other)];
        }
    }
}
