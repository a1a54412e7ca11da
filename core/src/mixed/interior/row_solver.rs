//! Solvers of the linear systems of the interior point method: the sparse saddle point of all rows, or, where the rows touch few
//! block rows, their dense response, on which an iteration takes no sparse factorization.

use crate::Vec3;
use crate::mixed::condensed::Condensed;
use crate::mixed::interior::barrier::{Barrier, Side};
use crate::mixed::row_system::RowSystem;
use crate::mixed::saddle::SaddleSolver;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::REGULARIZATION;
use crate::mixed::{MixedError, MixedSolution};

/// Solver of the rows of an iteration.
pub(in crate::mixed) enum RowSolver<'a> {
    /// S with the bilateral rows, factored, and with all rows.
    Sparse(&'a mut SaddleSolver, &'a mut RowSystem),
    /// The response of the rows to each other.
    Condensed(&'a mut Condensed),
}

impl RowSolver<'_> {
    /// Sparse factorizations of an iteration.
    pub(super) fn factorizations(&self) -> usize {
        match self {
            Self::Sparse(..) => 1,
            Self::Condensed(_) => 0,
        }
    }

    /// Velocities of the rows above their targets under impulses `z`, into `excess`.
    pub(super) fn set_excess(
        &mut self,
        stage: Stage,
        solution: &mut MixedSolution,
        z: &[f64],
        excess: &mut Vec<f64>,
    ) {
        let rows = &stage.problem.unilateral;
        match self {
            Self::Condensed(condensed) => condensed.set_excess_at(rows.start, z, excess),
            Self::Sparse(saddle, system) => {
                let u = (&mut *solution.u, &mut *solution.lambda);
                solve_sparse(stage, (saddle, system), z, u);
                excess.clear();
                let of_row = |(row, z): (usize, &f64)| rows.excess(row, solution.u, *z);
                excess.extend(z.iter().enumerate().map(of_row));
            }
        }
    }

    /// Velocities and multipliers with the impulses of `solution`.
    pub(in crate::mixed) fn solve_with(&mut self, stage: Stage, solution: &mut MixedSolution) {
        match self {
            Self::Condensed(condensed) => condensed.correct(stage, solution),
            Self::Sparse(saddle, system) => {
                let u = (&mut *solution.u, &mut *solution.lambda);
                solve_sparse(stage, (saddle, system), solution.z, u);
            }
        }
    }

    /// Factors the matrix with the stiffness of the limits on the diagonal of the rows. Those of friction couple a
    /// normal with its tangents; with the shares of these taken off the normal the stiffness is diagonal.
    pub(super) fn factor(&mut self, stage: Stage, inner: &mut Barrier) -> Result<(), MixedError> {
        match self {
            Self::Sparse(_, system) => factor_sparse(stage, system, inner),
            Self::Condensed(condensed) => {
                let (matrix, factor) = condensed.response_and_barrier();
                factor.factor(stage, matrix, inner)
            }
        }
    }

    /// Impulses for right sides of the rows, in place, and the velocities of the rows that they change; `u` is work space.
    pub(super) fn solve_rows(
        &mut self,
        stage: Stage,
        u: &mut [Vec3],
        inner: &Barrier,
        (impulses, speed): (&mut [f64], &mut [f64]),
    ) {
        let rows = &stage.problem.unilateral;
        inner.make_diagonal(impulses);
        match self {
            Self::Sparse(_, system) => {
                let bilateral = stage.rows.count();
                system.right.fill(Vec3::zeros());
                system.row_right[..bilateral].fill(0.0);
                system.row_right[bilateral..].copy_from_slice(impulses);
                impulses.copy_from_slice(&system.solve_once(u)[bilateral..]);
                inner.undo_diagonal(impulses);
                for (row, (speed, z)) in speed.iter_mut().zip(&*impulses).enumerate() {
                    *speed = rows.pattern.velocity(row, rows.values, u) + rows.compliance[row] * z;
                }
            }
            Self::Condensed(condensed) => {
                condensed.response_and_barrier().1.solve(impulses);
                inner.undo_diagonal(impulses);
                condensed.respond(impulses, speed);
            }
        }
        for (row, (speed, z)) in speed.iter_mut().zip(&*impulses).enumerate() {
            *speed += REGULARIZATION * stage.own[row] * z;
        }
    }
}

/// Velocities and multipliers with impulses `z`, by the factor of S.
fn solve_sparse(
    stage: Stage,
    (saddle, system): (&mut SaddleSolver, &mut RowSystem),
    z: &[f64],
    u: (&mut [Vec3], &mut [f64]),
) {
    let (rows, (b, b_g)) = (&stage.problem.unilateral, stage.problem.sides());
    system.pushed.clear();
    system.pushed.extend_from_slice(b);
    for (row, z) in z.iter().enumerate() {
        rows.push(row, z - rows.start[row], &mut system.pushed);
    }
    saddle.solve_factored((&system.pushed, b_g), u);
}

fn factor_sparse(
    stage: Stage,
    system: &mut RowSystem,
    inner: &mut Barrier,
) -> Result<(), MixedError> {
    let (rows, bilateral) = (&stage.problem.unilateral, stage.rows.count());
    let entries = stage.rows.entry_count();
    system.values[..entries].copy_from_slice(stage.problem.bilateral.values);
    system.values[entries..].copy_from_slice(rows.values);
    let compliance = |row: usize| rows.compliance[row] + REGULARIZATION * stage.own[row];
    inner.set_stiffness(&mut system.compliance[bilateral..], compliance);
    for (row, side) in inner.sides.iter().enumerate() {
        let range = rows.pattern.entries(row);
        match *side {
            Side::Fixed([lower, upper]) if lower >= upper => {
                system.values[entries + range.start..entries + range.end].fill(Vec3::zeros());
            }
            Side::Fixed(_) => {}
            Side::Cone { normal, .. } => {
                let along = rows.pattern.entries(normal);
                for (to, from) in along.zip(range) {
                    system.values[entries + to] -= rows.values[from] * inner.share[row];
                }
            }
        }
    }
    system.factor(stage)
}
