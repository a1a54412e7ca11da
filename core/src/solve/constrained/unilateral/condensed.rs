//! Many rows on few block rows of a large system, as of a tissue that rests on a plate: the response of the rows to
//! each other on these block rows alone, which are eliminated last, and exchanges of rows on that dense matrix. One
//! sparse factorization serves all exchanges of a matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{Mat, MatMut, Par, Spec};

use crate::Vec3;
use crate::lcp::Place;
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{KktSolver, KktSystem, LastResponse};
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{
    CONDENSED_BLOCKS, CONDENSED_ROWS, CONDENSED_SHARE, REGULARIZATION,
};
use crate::solve::constrained::unilateral::StepRows;
use crate::solve::failure::Failure;
use crate::system::MechSystem;

/// The responses of the rows, and the factors of the sets.
#[derive(Default)]
pub(super) struct Condensed {
    kkt: Option<KktSolver>,
    /// Block rows that are eliminated last, rising: all that were touched of late.
    last: Vec<u32>,
    touched: Vec<u32>,
    response: LastResponse,
    /// Velocities of the block rows by one row.
    velocities: Vec<Vec3>,
    /// Responses of rows to rows, with their compliance, column by column [1/kg].
    matrix: Vec<f64>,
    /// Which matrix they are of.
    factored: Option<usize>,
    /// Rows that carry, the factor of their square, and its sets.
    active_rows: Vec<usize>,
    factor: Option<Mat<f64>>,
    sets: Option<Vec<Place>>,
    memory: Option<MemBuffer>,
    /// Velocities above their targets without a change of impulses, and with it.
    constant: Vec<f64>,
    pub(super) room: Vec<f64>,
    change: Vec<f64>,
    right: Vec<f64>,
    /// Whether this way is taken in this iteration.
    pub(super) active: bool,
}

impl Condensed {
    /// Takes the rows of an iteration, where this way serves them: the responses by the matrix at hand, and the velocities
    /// with the impulses as they are.
    pub(super) fn begin(
        &mut self,
        system: &dyn MechSystem,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
    ) -> Result<(), Failure> {
        self.active = self.serves(rows, parts.linear.right.len());
        if !self.active {
            return Ok(());
        }
        if self.kkt.is_none() || self.touched.iter().any(|b| self.last.binary_search(b).is_err()) {
            self.extend();
            let (pattern, held) = (system.pattern(), &parts.reduction.held);
            let rows = parts.reduction.rows.pattern().clone();
            self.kkt = Some(KktSolver::ending_with(pattern, held, rows, &self.last)?);
            self.factored = None;
        }
        if self.factored != Some(rows.status.matrices) {
            self.factored = None;
            let kkt = self.kkt.as_mut().expect("it was made");
            kkt.factor(KktSystem {
                s: matrix,
                g: &parts.trial.reduced,
                r: &parts.linear.compliance,
            })?;
            self.active = kkt.response_of_last(&self.last, &mut self.response);
            if !self.active {
                return Ok(());
            }
            self.fill_matrix(rows);
            (self.factored, self.sets) = (Some(rows.status.matrices), None);
        }
        self.set_constant(parts, rows);
        Ok(())
    }

    /// Whether few block rows are touched by many rows, and with friction, so that there are exchanges.
    fn serves(&mut self, rows: &StepRows, size: usize) -> bool {
        if !rows.status.directed || rows.status.pivoting_failed || rows.set.count() > CONDENSED_ROWS
        {
            return false;
        }
        self.touched.clear();
        self.touched.extend_from_slice(rows.set.pattern.blocks());
        self.touched.sort_unstable();
        self.touched.dedup();
        self.touched.len() <= CONDENSED_BLOCKS && CONDENSED_SHARE * self.touched.len() <= size
    }

    /// Block rows eliminated last: those touched and those before, where these are not too many.
    fn extend(&mut self) {
        if self.last.len() + self.touched.len() > CONDENSED_BLOCKS {
            self.last.clear();
        }
        self.last.extend_from_slice(&self.touched);
        self.last.sort_unstable();
        self.last.dedup();
    }

    /// N S^-1 N^T and the compliance of soft rows.
    fn fill_matrix(&mut self, rows: &StepRows) {
        let n = rows.set.count();
        self.matrix.resize(n * n, 0.0);
        let number = |block: u32| self.last.binary_search(&block).expect("it is among the last");
        let numbers: Vec<usize> = rows.set.pattern.blocks().iter().map(|&b| number(b)).collect();
        for j in 0..n {
            self.velocities.clear();
            self.velocities.resize(self.last.len(), Vec3::zeros());
            for entry in rows.set.pattern.entries(j) {
                let push = &rows.set.half[entry];
                for (i, velocity) in self.velocities.iter_mut().enumerate() {
                    *velocity += self.response.velocity(i, numbers[entry], push);
                }
            }
            for i in 0..n {
                let along =
                    |entry: usize| rows.set.half[entry].dot(&self.velocities[numbers[entry]]);
                self.matrix[j * n + i] = rows.set.pattern.entries(i).map(along).sum();
            }
            self.matrix[j * n + j] += rows.set.rows[j].compliance;
        }
    }

    /// Velocities above their targets, and corrections, with the impulses of before.
    fn set_constant(&mut self, parts: &mut Parts, rows: &StepRows) {
        self.correct(parts, rows, None);
        let n = rows.set.count();
        self.constant.clear();
        for row in 0..n {
            let velocity = rows.set.pattern.velocity(row, &rows.set.values, &parts.trial.y)
                + rows.set.pattern.velocity(row, &rows.set.half, &parts.linear.step);
            let compliance = rows.set.rows[row].compliance * rows.set.before[row];
            self.constant.push(velocity - rows.set.rows[row].target + compliance);
        }
        self.change.clear();
        self.change.resize(n, 0.0);
        self.room.resize(n, 0.0);
    }

    /// `parts.linear.step` and `parts.linear.row_step` by the factor, with changes of impulses where context.
    pub(super) fn correct(&mut self, parts: &mut Parts, rows: &StepRows, impulses: Option<&[f64]>) {
        for (row, z) in impulses.unwrap_or(&[]).iter().enumerate() {
            for entry in rows.set.pattern.entries(row) {
                let block = rows.set.pattern.blocks()[entry] as usize;
                parts.linear.right[block] += rows.set.half[entry] * (z - rows.set.before[row]);
            }
        }
        let kkt = self.kkt.as_mut().expect("it was made");
        let sides = (&parts.linear.right[..], &parts.linear.row_right[..]);
        kkt.solve_once(sides, (&mut parts.linear.step, &mut parts.linear.row_step));
    }

    /// Whether the factor is of the sets at hand.
    pub(super) fn has_sets(&self, rows: &StepRows) -> bool {
        self.sets.as_ref() == Some(&rows.set.places)
    }

    /// Impulses of the active rows for those of the others at their limits, and velocities of all above their
    /// targets. `settle` takes off what the share added to the diagonal lets through. False where the active rows
    /// have no factor.
    pub(super) fn solve(&mut self, rows: &mut StepRows, limits: &[[f64; 2]], settle: bool) -> bool {
        if !self.has_sets(rows) && !self.factor_sets(rows) {
            return false;
        }
        self.right.clear();
        if settle {
            let left = |&row: &usize| REGULARIZATION * rows.set.own[row] * self.change[row];
            self.right.extend(self.active_rows.iter().map(left));
        } else {
            self.right.resize(self.active_rows.len(), 0.0);
        }
        for (row, &[lower, upper]) in limits.iter().enumerate() {
            let known = if rows.set.places[row] == Place::Upper { upper } else { lower };
            let carries = rows.set.places[row] == Place::Basic;
            self.change[row] = if carries { 0.0 } else { known - rows.set.before[row] };
        }
        self.set_room();
        for (right, &row) in self.right.iter_mut().zip(&self.active_rows) {
            *right -= self.room[row];
        }
        let count = self.active_rows.len();
        let right = MatMut::from_column_major_slice_mut(&mut self.right, count, 1);
        let mut memory = MemBuffer::new(faer::dyn_stack::StackReq::EMPTY);
        let factor = self.factor.as_ref().expect("it was made").submatrix(0, 0, count, count);
        llt::solve::solve_in_place(factor, right, Par::Seq, MemStack::new(&mut memory));
        for (&row, change) in self.active_rows.iter().zip(&self.right) {
            self.change[row] = *change;
        }
        for (z, (before, change)) in
            rows.set.impulses.iter_mut().zip(rows.set.before.iter().zip(&self.change))
        {
            *z = before + change;
        }
        self.set_room();
        true
    }

    /// `room` = constant + matrix times change.
    fn set_room(&mut self) {
        let n = self.change.len();
        self.room.copy_from_slice(&self.constant);
        for (change, column) in self.change.iter().zip(self.matrix.chunks_exact(n.max(1))) {
            if *change != 0.0 {
                self.room.iter_mut().zip(column).for_each(|(room, a)| *room += a * change);
            }
        }
    }

    /// Cholesky factor of the square of the active rows.
    fn factor_sets(&mut self, rows: &StepRows) -> bool {
        self.sets = None;
        let n = rows.set.count();
        self.active_rows.clear();
        self.active_rows.extend((0..n).filter(|&row| rows.set.places[row] == Place::Basic));
        let count = self.active_rows.len();
        if self.factor.as_ref().is_none_or(|factor| factor.nrows() < n) {
            self.factor = Some(Mat::zeros(n, n));
            let par = Par::Seq;
            let memory = llt::factor::cholesky_in_place_scratch::<f64>(n, par, Spec::default());
            self.memory = Some(MemBuffer::new(memory));
        }
        let factor = self.factor.as_mut().expect("it was made");
        for (j, &column) in self.active_rows.iter().enumerate() {
            for (i, &row) in self.active_rows.iter().enumerate().skip(j) {
                factor[(i, j)] = self.matrix[column * n + row];
            }
            factor[(j, j)] += REGULARIZATION * rows.set.own[column];
        }
        let memory = MemStack::new(self.memory.as_mut().expect("it was taken"));
        let square = factor.as_mut().submatrix_mut(0, 0, count, count);
        let factored = llt::factor::cholesky_in_place(
            square,
            Default::default(),
            Par::Seq,
            memory,
            Spec::default(),
        );
        if factored.is_err() {
            return false;
        }
        self.sets = Some(rows.set.places.clone());
        true
    }
}
