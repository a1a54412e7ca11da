//! The unsymmetric matrix [S -Gᵀ; G' R] of a problem whose second line has other vectors than its first. Rare, so its
//! factor is made from nothing each time.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Lu;
use faer::sparse::{SparseColMat, Triplet};

use crate::Vec3;
use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::{MixedError, MixedProblem};

/// A factor, and where its unknowns are.
pub(super) struct Unsymmetric {
    factor: Lu<usize, f64>,
    /// Number of each scalar of a velocity among the unknowns, three a row; none where it is fixed.
    numbers: Vec<[Option<usize>; 3]>,
    velocities: usize,
    /// Number of its matrix in the solver.
    pub(super) matrix: usize,
}

impl Unsymmetric {
    /// Factors matrix number `matrix`, which `problem` has.
    pub(super) fn new(
        problem: &MixedProblem,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        matrix: usize,
    ) -> Result<Self, MixedError> {
        let mut velocities = 0;
        let number = |fixed: &bool| {
            velocities += usize::from(!fixed);
            (!fixed).then(|| velocities - 1)
        };
        let scalars: Vec<Option<usize>> = fixed.iter().flatten().map(number).collect();
        let numbers: Vec<[Option<usize>; 3]> = scalars.as_chunks().0.to_vec();
        let entries = entries_of(problem, rows, &numbers, velocities);
        let size = velocities + rows.count();
        let singular = |detail: String| MixedError::Singular(detail);
        let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries)
            .map_err(|error| singular(format!("{error:?}")))?;
        let factor = sparse.sp_lu().map_err(|error| singular(format!("{error:?}")))?;
        Ok(Self { factor, numbers, velocities, matrix })
    }

    /// The solution for right sides `b` and `b_g`.
    pub(super) fn solve(
        &self,
        (b, b_g): (&[Vec3], &[f64]),
        (u, lambda): (&mut [Vec3], &mut [f64]),
    ) {
        let mut x = faer::Col::<f64>::zeros(self.velocities + b_g.len());
        for (b, numbers) in b.iter().zip(&self.numbers) {
            for (axis, number) in numbers.iter().enumerate() {
                number.iter().for_each(|&n| x[n] = b[axis]);
            }
        }
        for (row, b) in b_g.iter().enumerate() {
            x[self.velocities + row] = *b;
        }
        let x = self.factor.solve(&x);
        for (u, numbers) in u.iter_mut().zip(&self.numbers) {
            for (axis, number) in numbers.iter().enumerate() {
                u[axis] = number.map_or(0.0, |n| x[n]);
            }
        }
        for (row, lambda) in lambda.iter_mut().enumerate() {
            *lambda = x[self.velocities + row];
        }
    }
}

/// All entries of the matrix.
fn entries_of(
    problem: &MixedProblem,
    rows: &ConstraintPattern,
    numbers: &[[Option<usize>; 3]],
    velocities: usize,
) -> Vec<Triplet<usize, usize, f64>> {
    let mut entries = Vec::new();
    let mut add = |row: Option<usize>, column: Option<usize>, value: f64| {
        if let (Some(row), Some(column)) = (row, column) {
            entries.push(Triplet::new(row, column, value));
        }
    };
    let pattern = problem.s.pattern();
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let (column, block) = (pattern.columns()[slot] as usize, problem.s.block(slot));
            for (i, &row) in numbers[row].iter().enumerate() {
                for (j, &column) in numbers[column].iter().enumerate() {
                    add(row, column, block[(i, j)]);
                }
            }
        }
    }
    let first = problem.bilateral.values;
    let second = problem.bilateral.end_values.unwrap_or(first);
    for row in 0..rows.count() {
        let multiplier = Some(velocities + row);
        add(multiplier, multiplier, problem.bilateral.compliance[row]);
        for entry in rows.entries(row) {
            for (axis, &scalar) in numbers[rows.blocks()[entry] as usize].iter().enumerate() {
                add(scalar, multiplier, -first[entry][axis]);
                add(multiplier, scalar, second[entry][axis]);
            }
        }
    }
    entries
}
