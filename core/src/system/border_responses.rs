//! Responses of velocities at the border of tissue to impulses on rows, and the impulses by which rows are met then.

use crate::Vec3;
use crate::lcp::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel,
};

/// Shares of its response that each row yields, so that redundant rows split their impulses; the next one is tried where the
/// problem is not solved. The first is ten times what solves for the responses leave; iterations remove what it lets through.
const YIELDS: [f64; 3] = [1e-5, 1e-3, 1e-1];

/// An iteration that leaves more than this share of the error of the rows asks for new responses [-].
const CONTRACTION: f64 = 0.25;

/// A row in an iterate.
pub(super) struct RowState {
    /// Velocity beyond what is asked for [m/s], [rad/s].
    pub(super) excess: f64,
    /// Velocity per impulse that compliance adds [1/kg].
    pub(super) compliance: f64,
    /// Impulse [N s].
    pub(super) impulse: f64,
    pub(super) bound: Bound,
}

/// Velocities that block rows gain by impulses on rows.
pub(super) struct Responses {
    /// Block rows with vectors of rows, rising.
    bases: Vec<u32>,
    /// Those of an impulse of 1 N s, by row, then by base.
    velocities: Vec<Vec3>,
    /// Velocities of the bases in the iterate.
    base: Vec<Vec3>,
    /// By row, the length of the steps that its responses are for [s]; 0 before there are any.
    lengths: Vec<f64>,
    /// By row, true if they were found in the step under way.
    fresh: Vec<bool>,
    /// Error of the rows when they were last corrected in this step; infinite before the second correction: the first one also changes
    /// what bodies turn by, of which responses say nothing.
    corrected: f64,
    corrections: usize,
    solver: ContactSolver,
}

impl Responses {
    /// Nothing known, for so many rows with vectors at these block rows.
    pub(super) fn new(mut bases: Vec<u32>, count: usize) -> Self {
        bases.sort_unstable();
        bases.dedup();
        Self {
            velocities: vec![Vec3::zeros(); count * bases.len()],
            base: Vec::new(),
            bases,
            lengths: vec![0.0; count],
            fresh: vec![false; count],
            corrected: f64::INFINITY,
            corrections: 0,
            solver: ContactSolver::default(),
        }
    }

    pub(super) fn bases(&self) -> &[u32] {
        &self.bases
    }

    pub(super) fn begin_step(&mut self) {
        self.fresh.fill(false);
        (self.corrected, self.corrections) = (f64::INFINITY, 0);
    }

    /// Takes the velocities of the bases in an iterate.
    pub(super) fn begin_iterate(&mut self, base: Vec<Vec3>) {
        self.base = base;
    }

    pub(super) fn forget(&mut self) {
        self.lengths.fill(0.0);
    }

    /// True if the responses to a row are known for steps of `h` [s].
    pub(super) fn is_known(&self, row: usize, h: f64) -> bool {
        self.lengths[row] == h
    }

    /// True if they are not known, or so old that the last correction left much of the error.
    pub(super) fn asks(&self, row: usize, (h, error): (f64, f64)) -> bool {
        let slow = error > CONTRACTION * self.corrected;
        !self.is_known(row, h) || (slow && !self.fresh[row])
    }

    /// Notes that rows with this error are corrected by what is known.
    pub(super) fn note_correction(&mut self, error: f64) {
        if self.corrections > 0 {
            self.corrected = error;
        }
        self.corrections += 1;
    }

    /// Takes the velocities of the bases under one more impulse [N s] on a row, in a step of `h` [s].
    pub(super) fn set(&mut self, row: usize, (impulse, h): (f64, f64), velocities: &[Vec3]) {
        let count = self.bases.len();
        let gained = &mut self.velocities[row * count..(row + 1) * count];
        for ((gained, now), before) in gained.iter_mut().zip(velocities).zip(&self.base) {
            *gained = (now - before) / impulse;
        }
        (self.lengths[row], self.fresh[row]) = (h, true);
    }

    /// Velocity of a block row by an impulse of 1 N s on a row [1/kg].
    pub(super) fn of(&self, row: usize, block: u32) -> Vec3 {
        let base = self.bases.binary_search(&block).expect("rows have vectors at bases");
        self.velocities[row * self.bases.len() + base]
    }

    /// Impulses that meet rows with this matrix of responses to each other; `None` where there are none.
    pub(super) fn solve(&mut self, matrix: &[f64], rows: &[RowState]) -> Option<Vec<f64>> {
        let count = rows.len();
        let bounds: Vec<Bound> = rows.iter().map(|row| row.bound).collect();
        YIELDS.iter().find_map(|share| {
            let (mut matrix, mut q) = (matrix.to_vec(), Vec::with_capacity(count));
            for (k, row) in rows.iter().enumerate() {
                let own = &mut matrix[k * count + k];
                // A row that nothing responds to keeps its impulse.
                let responds = *own > 0.0;
                *own = if responds { *own * (1.0 + share) + row.compliance } else { 1.0 };
                q.push(if responds { row.excess } else { 0.0 });
            }
            for (q, own) in q.iter_mut().zip(matrix.chunks_exact(count)) {
                *q -= own.iter().zip(rows).map(|(a, row)| a * row.impulse).sum::<f64>();
            }
            let model = FrictionModel::Box;
            let problem = ContactProblem { matrix: &matrix, q: &q, bounds: &bounds, model };
            let mut statuses = vec![ActiveSetStatus::default(); count];
            let mut impulses = vec![0.0; count];
            match self.solver.solve(&problem, &mut statuses, &mut impulses) {
                ContactOutcome::Solved { .. } | ContactOutcome::Unsettled { .. } => Some(impulses),
                ContactOutcome::Failed(_) => None,
            }
        })
    }
}
