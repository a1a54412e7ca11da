//! The unsymmetric matrix of an iteration, columns of the rows at the mean and rows at the end: the derivative of
//! the equations, which leads through singular positions of mechanisms where the symmetric one does not
//! (docs/theory/rigid.md). Rare, so its factor is made from nothing each time.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Lu;
use faer::sparse::{SparseColMat, Triplet};

use crate::Vec3;
use crate::constraint::Placement;
use crate::linalg::BlockMatrix;
use crate::solve::constrained::{Parts, StepContext};
use crate::solve::failure::Failure;
use crate::solve::linear::LinearError;
use crate::system::Multibody;

/// A factor, and where its unknowns are.
pub(super) struct Unsymmetric {
    factor: Lu<usize, f64>,
    /// Number of each scalar of a velocity among the unknowns, three a row; none where it is held.
    numbers: Vec<[Option<usize>; 3]>,
    velocities: usize,
}

/// [S -Gm^T; G1 R] with the compliances of `parts.linear.compliance`.
pub(in crate::solve) fn factor_unsymmetric(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let mut velocities = 0;
    let number = |held: &bool| {
        velocities += usize::from(!held);
        (!held).then(|| velocities - 1)
    };
    let scalars: Vec<Option<usize>> = parts.reduction.held.iter().flatten().map(number).collect();
    let numbers: Vec<[Option<usize>; 3]> = scalars.as_chunks().0.to_vec();
    let mut entries = Vec::new();
    let mut add = |row: Option<usize>, column: Option<usize>, value: f64| {
        if let (Some(row), Some(column)) = (row, column) {
            entries.push(Triplet::new(row, column, value));
        }
    };
    let pattern = system.pattern();
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let (column, block) = (pattern.columns()[slot] as usize, matrix.block(slot));
            for (i, &row) in numbers[row].iter().enumerate() {
                for (j, &column) in numbers[column].iter().enumerate() {
                    add(row, column, block[(i, j)]);
                }
            }
        }
    }
    let last = rows_at_the_end(parts, multibody);
    let rows = parts.reduction.rows.pattern();
    for row in 0..rows.count() {
        let multiplier = Some(velocities + row);
        add(multiplier, multiplier, parts.linear.compliance[row]);
        for entry in rows.entries(row) {
            for (axis, &scalar) in numbers[rows.blocks()[entry] as usize].iter().enumerate() {
                add(scalar, multiplier, -parts.trial.reduced[entry][axis]);
                add(multiplier, scalar, last[entry][axis]);
            }
        }
    }
    let size = velocities + rows.count();
    let singular = |detail: String| Failure::Linear(LinearError::Singular(detail));
    let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries)
        .map_err(|error| singular(format!("{error:?}")))?;
    let factor = sparse.sp_lu().map_err(|error| singular(format!("{error:?}")))?;
    parts.unsymmetric = Some(Unsymmetric { factor, numbers, velocities });
    Ok(())
}

/// Vectors of the reduced rows at the end of the step.
fn rows_at_the_end(parts: &Parts, multibody: &Multibody) -> Vec<Vec3> {
    let mut full = vec![Vec3::zeros(); parts.trial.coefficients.len()];
    let mut reduced = vec![Vec3::zeros(); parts.trial.reduced.len()];
    let Parts { trial, start, .. } = parts;
    let end =
        Placement { q: &trial.q, turns: &trial.bodies.turns, coordinates: &start.coordinates };
    for row in 0..multibody.rows.count() {
        let entries =
            parts.reduction.offsets[row] as usize..parts.reduction.offsets[row + 1] as usize;
        multibody.rows.coefficients(row, end, &mut full[entries]);
    }
    parts.reduction.rows.reduce(&parts.reduction.attachments, &full, &mut reduced);
    reduced
}

/// Corrections of velocities and impulses by the unsymmetric factor, from `parts.linear.right` and
/// `parts.linear.row_right`.
pub(in crate::solve) fn solve_unsymmetric(parts: &mut Parts) {
    let Some(Unsymmetric { factor, numbers, velocities }) = &parts.unsymmetric else { return };
    let mut x = faer::Col::<f64>::zeros(velocities + parts.linear.row_right.len());
    for (right, numbers) in parts.linear.right.iter().zip(numbers) {
        for (axis, number) in numbers.iter().enumerate() {
            number.iter().for_each(|&n| x[n] = right[axis]);
        }
    }
    for (row, right) in parts.linear.row_right.iter().enumerate() {
        x[velocities + row] = *right;
    }
    let x = factor.solve(&x);
    for (step, numbers) in parts.linear.step.iter_mut().zip(numbers) {
        for (axis, number) in numbers.iter().enumerate() {
            step[axis] = number.map_or(0.0, |n| x[n]);
        }
    }
    for (row, step) in parts.linear.row_step.iter_mut().enumerate() {
        *step = x[velocities + row];
    }
}
