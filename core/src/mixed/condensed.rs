//! Many rows on few block rows of a large system, as of a tissue that rests on a plate: the response of the rows to
//! each other on these block rows alone, which are eliminated last, and pivoting on that dense matrix. One sparse
//! factorization serves all sets of a matrix.

use crate::Vec3;
use crate::lcp::ActiveSetStatus;
use crate::linalg::kkt::{KktSolver, LastResponse};
use crate::mixed::interior::barrier_matrix::BarrierMatrix;
use crate::mixed::set_factor::SetFactor;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{CONDENSED_BLOCKS, CONDENSED_ROWS, CONDENSED_SHARE, REGULARIZATION};
use crate::mixed::{MixedError, MixedOutcome, MixedSolution};

/// The responses of the rows, and the factor of the active ones.
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
    /// The matrix and the number of rows that they are of.
    factored: Option<[usize; 2]>,
    sets: SetFactor,
    barrier: BarrierMatrix,
    /// Velocities above their targets without a change of impulses.
    constant: Vec<f64>,
    change: Vec<f64>,
    /// Right side with the impulses found.
    pushed: Vec<Vec3>,
}

impl Condensed {
    /// Takes the rows of an iteration, where this way serves them: the responses by the matrix at hand, and the velocities
    /// with the impulses as they are. Whether it does.
    pub(super) fn begin(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<bool, MixedError> {
        if !self.serves(stage) {
            return Ok(false);
        }
        if self.kkt.is_none() || self.touched.iter().any(|b| self.last.binary_search(b).is_err()) {
            self.extend();
            let (pattern, rows) = (stage.problem.s.pattern(), stage.rows.clone());
            self.kkt = Some(KktSolver::ending_with(pattern, stage.fixed, rows, &self.last)?);
            self.factored = None;
        }
        let wanted = Some([stage.matrix, stage.problem.unilateral.count()]);
        if self.factored != wanted {
            self.factored = None;
            let kkt = self.kkt.as_mut().expect("it was made");
            kkt.factor(stage.problem.kkt())?;
            outcome.factorizations += 1;
            if !kkt.response_of_last(&self.last, &mut self.response) {
                return Ok(false);
            }
            self.fill_matrix(stage);
            self.factored = wanted;
            self.sets.forget();
        }
        self.set_constant(stage, solution);
        Ok(true)
    }

    /// True if many rows touch few block rows, few enough for a dense matrix.
    fn serves(&mut self, stage: Stage) -> bool {
        let rows = &stage.problem.unilateral;
        if rows.count() > CONDENSED_ROWS {
            return false;
        }
        self.touched.clear();
        self.touched.extend_from_slice(rows.pattern.blocks());
        self.touched.sort_unstable();
        self.touched.dedup();
        let size = stage.problem.b.len();
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
    fn fill_matrix(&mut self, stage: Stage) {
        let rows = &stage.problem.unilateral;
        let n = rows.count();
        self.matrix.resize(n * n, 0.0);
        let number = |block: u32| self.last.binary_search(&block).expect("it is among the last");
        let numbers: Vec<usize> = rows.pattern.blocks().iter().map(|&b| number(b)).collect();
        for j in 0..n {
            self.velocities.clear();
            self.velocities.resize(self.last.len(), Vec3::zeros());
            for entry in rows.pattern.entries(j) {
                let push = &rows.values[entry];
                for (i, velocity) in self.velocities.iter_mut().enumerate() {
                    *velocity += self.response.velocity(i, numbers[entry], push);
                }
            }
            for i in 0..n {
                let along = |entry: usize| rows.values[entry].dot(&self.velocities[numbers[entry]]);
                self.matrix[j * n + i] = rows.pattern.entries(i).map(along).sum();
            }
            self.matrix[j * n + j] += rows.compliance[j];
        }
    }

    /// Velocities above their targets with the impulses at the start.
    fn set_constant(&mut self, stage: Stage, solution: &mut MixedSolution) {
        let (rows, sides) = (&stage.problem.unilateral, stage.problem.sides());
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.solve_once(sides, (solution.u, solution.lambda));
        let u = &*solution.u;
        self.constant.clear();
        self.constant.extend((0..rows.count()).map(|row| rows.excess(row, u, rows.start[row])));
        self.change.clear();
        self.change.resize(rows.count(), 0.0);
    }

    /// Velocities and multipliers with the impulses found.
    pub(super) fn correct(&mut self, stage: Stage, solution: &mut MixedSolution) {
        let (rows, (b, b_g)) = (&stage.problem.unilateral, stage.problem.sides());
        self.pushed.clear();
        self.pushed.extend_from_slice(b);
        for (row, z) in solution.z.iter().enumerate() {
            rows.push(row, z - rows.start[row], &mut self.pushed);
        }
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.solve_once((&self.pushed, b_g), (solution.u, solution.lambda));
    }

    /// True if the factor is that of the sets `statuses`.
    pub(super) fn has_sets(&self, statuses: &[ActiveSetStatus]) -> bool {
        self.sets.is_of(statuses)
    }

    /// Impulses of the active rows for those of the others at their limits, and the velocities of all above their
    /// targets into `excess`. `settle` takes off what the share added to the diagonal lets through. False where the
    /// active rows have no factor.
    pub(super) fn solve(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        (limits, excess): (&[[f64; 2]], &mut Vec<f64>),
        settle: bool,
    ) -> bool {
        let (statuses, start) = (&*solution.statuses, stage.problem.unilateral.start);
        if !self.sets.is_of(statuses) && !self.sets.factor(statuses, &self.matrix, stage.own) {
            return false;
        }
        let left = |row: usize| match settle {
            true => REGULARIZATION * stage.own[row] * self.change[row],
            false => 0.0,
        };
        self.sets.start_right(left);
        for (row, &[lower, upper]) in limits.iter().enumerate() {
            self.change[row] = match statuses[row] {
                ActiveSetStatus::Basic => 0.0,
                ActiveSetStatus::Lower => lower - start[row],
                ActiveSetStatus::Upper => upper - start[row],
            };
        }
        self.set_excess(excess);
        self.sets.solve(excess, &mut self.change);
        for (z, (start, change)) in solution.z.iter_mut().zip(start.iter().zip(&self.change)) {
            *z = start + change;
        }
        self.set_excess(excess);
        true
    }

    /// `excess` = constant + matrix times change.
    fn set_excess(&self, excess: &mut Vec<f64>) {
        excess.clone_from(&self.constant);
        self.add_response(&self.change, excess);
    }

    /// Velocities above their targets with impulses `z` in place of those at the start.
    pub(super) fn set_excess_at(&mut self, start: &[f64], z: &[f64], excess: &mut Vec<f64>) {
        self.change.clear();
        self.change.extend(z.iter().zip(start).map(|(z, start)| z - start));
        self.set_excess(excess);
    }

    /// Velocities of the rows by impulses on them, with their compliance.
    pub(super) fn respond(&self, impulses: &[f64], speed: &mut [f64]) {
        speed.fill(0.0);
        self.add_response(impulses, speed);
    }

    fn add_response(&self, impulses: &[f64], speed: &mut [f64]) {
        for (z, column) in impulses.iter().zip(self.matrix.chunks_exact(impulses.len().max(1))) {
            if *z != 0.0 {
                speed.iter_mut().zip(column).for_each(|(speed, a)| *speed += a * z);
            }
        }
    }

    /// Responses of the rows to their own impulses. Those by the diagonal of S alone may be many times too small, where
    /// tissue is stiff and its neighbours move along: what is added to the diagonal would then drown in rounding errors.
    pub(super) fn set_own_responses(&self, own: &mut [f64]) {
        let n = own.len();
        for (row, own) in own.iter_mut().enumerate() {
            *own = own.max(self.matrix[row * n + row]);
        }
    }

    /// Responses of rows to rows, with their compliance, and the factor of these with barriers.
    pub(super) fn response_and_barrier(&mut self) -> (&[f64], &mut BarrierMatrix) {
        (&self.matrix, &mut self.barrier)
    }
}
