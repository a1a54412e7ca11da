//! Residuals of a solution, one for each part of its problem.

use crate::Vec3;
use crate::linalg::clear_fixed;
use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::{MixedProblem, MixedResidual, MixedSolution};

/// Work space of residuals.
pub(super) struct Measure {
    left: Vec<Vec3>,
    product: Vec<Vec3>,
}

impl Measure {
    pub(super) fn new(size: usize) -> Self {
        Self { left: vec![Vec3::zeros(); size], product: vec![Vec3::zeros(); size] }
    }

    /// The residual of `solution`; `own` are responses of the unilateral rows to their own impulses.
    pub(super) fn of(
        &mut self,
        problem: &MixedProblem,
        solution: &MixedSolution,
        (fixed, rows, own): (&[[bool; 3]], &ConstraintPattern, &[f64]),
    ) -> MixedResidual {
        let (bilateral, unilateral) = (&problem.bilateral, &problem.unilateral);
        let Self { left, product } = self;
        left.copy_from_slice(problem.b);
        rows.add_transposed(bilateral.values, solution.lambda, left);
        for (row, (z, start)) in solution.z.iter().zip(unilateral.start).enumerate() {
            unilateral.push(row, z - start, left);
        }
        problem.s.mul(solution.u, product);
        clear_fixed(left, fixed);
        clear_fixed(product, fixed);
        let largest = |v: &[Vec3]| v.iter().fold(0f64, |most, v| most.max(v.amax()));
        let scale = largest(left).max(largest(product)).max(f64::MIN_POSITIVE);
        left.iter_mut().zip(&*product).for_each(|(left, su)| *left -= su);
        let second = bilateral.end_values.unwrap_or(bilateral.values);
        let missed = |row: usize| {
            let velocity = rows.velocity(row, second, solution.u);
            (velocity + bilateral.compliance[row] * solution.lambda[row] - bilateral.target[row])
                .abs()
        };
        MixedResidual {
            balance: largest(left) / scale,
            rows: (0..rows.count()).map(missed).fold(0.0, f64::max),
            cones: missed_cones(problem, solution.u, solution.z, own),
        }
    }
}

/// Largest error of the unilateral rows at velocities `u` and impulses `z` [m/s]; NaN where a
/// number is none.
pub(super) fn missed_cones(problem: &MixedProblem, u: &[Vec3], z: &[f64], own: &[f64]) -> f64 {
    let rows = &problem.unilateral;
    let mut largest = 0f64;
    for (row, own) in own.iter().enumerate() {
        let [lower, upper] = rows.limits(row, z);
        let excess = rows.excess(row, u, z[row]);
        let error = ((z[row] - excess / own).clamp(lower, upper) - z[row]).abs() * own;
        largest = if error <= largest { largest } else { error };
    }
    largest
}
