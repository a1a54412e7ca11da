//! Few unilateral rows: their response to each other by one back-solve each, and the complementarity problem on it.

use crate::Vec3;
use crate::lcp::{ContactOutcome, ContactProblem, ContactSolver, FrictionModel};
use crate::mixed::tuning::{LIMIT_ITERATIONS, LIMIT_TOLERANCE, PASSES, REGULARIZATION};
use crate::mixed::{ConeMethod, MixedError, MixedOutcome, MixedProblem, MixedSolution};

/// The unilateral rows on the response of the matrix at hand.
#[derive(Default)]
pub(super) struct DenseResponse {
    /// Responses of velocities and multipliers to a unit impulse on each row.
    pub(super) velocities: Vec<Vec3>,
    pub(super) multipliers: Vec<f64>,
    /// Response of the rows to each other, with their compliance, and of each to itself without.
    response: Vec<f64>,
    own: Vec<f64>,
    /// Velocities above targets without impulses.
    constant: Vec<f64>,
    /// Impulses before a pass.
    before_pass: Vec<f64>,
    solver: ContactSolver,
    /// The matrix and the number of rows that the response is of.
    current: Option<[usize; 2]>,
}

impl DenseResponse {
    /// True if the response is that of matrix number `matrix` and `count` rows.
    pub(super) fn is_of(&self, matrix: usize, count: usize) -> bool {
        self.current == Some([matrix, count])
    }

    /// Takes memory for the responses of `count` rows.
    pub(super) fn resize(&mut self, count: usize, size: usize, bilateral: usize) {
        self.current = None;
        self.velocities.resize(size * count, Vec3::zeros());
        self.multipliers.resize(bilateral * count, 0.0);
    }

    /// N S^-1 N^T and the compliance of soft rows, symmetric, from the responses of velocities.
    pub(super) fn update(&mut self, problem: &MixedProblem, matrix: usize) {
        let (rows, n, size) = (&problem.unilateral, problem.unilateral.count(), problem.b.len());
        self.response.resize(n * n, 0.0);
        for (j, velocities) in self.velocities.chunks_exact(size.max(1)).take(n).enumerate() {
            for i in 0..n {
                self.response[i * n + j] = rows.pattern.velocity(i, rows.values, velocities);
            }
        }
        self.own.resize(n, 0.0);
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.response[i * n + j] + self.response[j * n + i]);
                (self.response[i * n + j], self.response[j * n + i]) = (mean, mean);
            }
            self.own[i] = self.response[i * n + i];
            self.response[i * n + i] += REGULARIZATION * self.own[i] + rows.compliance[i];
        }
        self.current = Some([matrix, n]);
    }

    /// Responses of the rows to their own impulses [1/kg].
    pub(super) fn own(&self) -> &[f64] {
        &self.own
    }

    /// New impulses, and velocities and multipliers with them; `solution` holds those without.
    pub(super) fn solve(
        &mut self,
        problem: &MixedProblem,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        let (rows, n) = (&problem.unilateral, problem.unilateral.count());
        self.constant.clear();
        for i in 0..n {
            // What the compliance of a row takes is in the response.
            let excess = rows.excess(i, solution.u, rows.start[i]);
            let response = &self.response[i * n..(i + 1) * n];
            let known: f64 = response.iter().zip(rows.start).map(|(a, z)| a * z).sum();
            self.constant.push(excess - known);
        }
        self.before_pass.clear();
        self.before_pass.extend_from_slice(rows.start);
        // Cones are solved from no guess each time.
        let passes = if problem.friction == FrictionModel::Box { PASSES } else { 1 };
        for _ in 0..passes {
            self.solve_pass(problem, solution, outcome)?;
            // What is added to the diagonal multiplies the change of this pass alone.
            for i in 0..n {
                let change = solution.z[i] - self.before_pass[i];
                self.constant[i] -= REGULARIZATION * self.own[i] * change;
            }
            self.before_pass.copy_from_slice(solution.z);
        }
        outcome.method = ConeMethod::Dense;
        self.add_responses(rows.start, solution);
        Ok(())
    }

    /// One solution of the complementarity problem as it stands.
    fn solve_pass(
        &mut self,
        problem: &MixedProblem,
        solution: &mut MixedSolution,
        outcome: &mut MixedOutcome,
    ) -> Result<(), MixedError> {
        let contact = ContactProblem {
            matrix: &self.response,
            q: &self.constant,
            bounds: problem.unilateral.bounds,
            model: problem.friction,
        };
        if problem.friction != FrictionModel::Box {
            let solved = self.solver.solve(&contact, solution.statuses, solution.z);
            return accept(solved, outcome);
        }
        let mut solved = self.solver.iterate(&contact, solution.statuses, solution.z);
        for _ in 1..LIMIT_ITERATIONS {
            match solved {
                ContactOutcome::Unsettled { change, pivots, .. } if change > LIMIT_TOLERANCE => {
                    outcome.pivots += pivots;
                    solved = self.solver.iterate(&contact, solution.statuses, solution.z);
                }
                _ => break,
            }
        }
        accept(solved, outcome)
    }

    /// Adds the changes of velocities and multipliers by the changes of the impulses from `start`.
    fn add_responses(&self, start: &[f64], solution: &mut MixedSolution) {
        let (size, bilateral) = (solution.u.len(), solution.lambda.len());
        for (row, (z, start)) in solution.z.iter().zip(start).enumerate() {
            let change = z - start;
            if change == 0.0 {
                continue;
            }
            let velocities = &self.velocities[row * size..][..size];
            solution.u.iter_mut().zip(velocities).for_each(|(u, v)| *u += v * change);
            let multipliers = &self.multipliers[row * bilateral..][..bilateral];
            let lambda = solution.lambda.iter_mut().zip(multipliers);
            lambda.for_each(|(lambda, l)| *lambda += l * change);
        }
    }
}

/// Counts a solution; what is left of the limits of friction is for the next problem.
fn accept(solved: ContactOutcome, outcome: &mut MixedOutcome) -> Result<(), MixedError> {
    match solved {
        ContactOutcome::Solved { model, pivots, .. }
        | ContactOutcome::Unsettled { model, pivots, .. } => {
            outcome.pivots += pivots;
            outcome.friction = model;
            Ok(())
        }
        ContactOutcome::Failed(_) => Err(MixedError::Cones(solved)),
    }
}
