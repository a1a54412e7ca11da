//! Conjugate gradients under a constraint preconditioner give what dense algebra gives.

use proptest::prelude::*;

use super::helpers::{Case, Numbers, Solved, case, positive_definite, random_rows};
use crate::BlockJacobi;
use crate::Vec3;
use crate::kkt::{
    ConstrainedCg, ConstrainedCgError, ConstrainedCgLimits, ConstrainedCgReport, redundant_rows,
};

const LIMITS: ConstrainedCgLimits =
    ConstrainedCgLimits { relative: 1e-12, absolute: 0.0, max_iterations: 1_000 };

/// Fixed scalars at zero, half of the rows compliant.
fn random_case(seed: u64, size: usize, count: usize) -> Case {
    let mut numbers = Numbers(seed);
    let s = positive_definite(size, &mut numbers);
    let lists = random_rows(size, count, &mut numbers);
    let mut case = case(s, &lists, &mut numbers);
    for fixed in &mut case.fixed {
        *fixed = [numbers.next() > 0.8, numbers.next() > 0.8, numbers.next() > 0.8];
    }
    for r in case.r.iter_mut().skip(count / 2) {
        *r = numbers.next().max(0.0);
    }
    case
}

fn solve(
    case: &Case,
    limits: ConstrainedCgLimits,
) -> (Solved, Result<ConstrainedCgReport, ConstrainedCgError>) {
    let mut jacobi = BlockJacobi::new(case.fixed.len());
    jacobi.update(&case.s, &case.fixed);
    let mut cg = ConstrainedCg::new(&case.fixed, case.rows.clone());
    cg.update(case.system(), &mut jacobi);
    let (mut u, mut lambda) = (vec![Vec3::zeros(); case.fixed.len()], vec![0.0; case.r.len()]);
    let sides = (&case.b[..], &case.b_g[..]);
    let report = cg.solve(case.system(), &mut jacobi, sides, (&mut u, &mut lambda), limits);
    (Solved { u, lambda, report: Default::default() }, report)
}

/// Largest error of the rows G u + R lambda = b_g.
fn row_error(case: &Case, solved: &Solved) -> f64 {
    let mut velocities = vec![0.0; case.r.len()];
    case.rows.mul(&case.g, &solved.u, &mut velocities);
    let errors = velocities.iter().zip(&case.r).zip(&solved.lambda).zip(&case.b_g);
    errors.map(|(((v, r), l), b)| (v + r * l - b).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn iterations_reach_the_solution_of_dense_lu(
        seed in any::<u64>(), size in 4usize..30, share in 0.0f64..0.6,
    ) {
        let case = random_case(seed, size, (share * size as f64) as usize);
        prop_assume!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
        let (solved, report) = solve(&case, LIMITS);
        prop_assert!(report.is_ok(), "{report:?}");
        let errors = case.errors(&solved, &case.dense_solution());
        // Pivots of rows go down to 1e-5 of their scale before a row counts as redundant.
        prop_assert!(errors[0] < 1e-8 && errors[1] < 1e-6, "{errors:?} {report:?}");
    }

    /// Also after a single iteration: rows are met by every iterate.
    #[test]
    fn every_iterate_meets_the_rows(seed in any::<u64>(), size in 6usize..30) {
        let case = random_case(seed, size, size / 3);
        prop_assume!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
        let (solved, _) = solve(&case, ConstrainedCgLimits { max_iterations: 1, ..LIMITS });
        let scale = case.b_g.iter().fold(1.0, |most: f64, b| most.max(b.abs()));
        let error = row_error(&case, &solved);
        prop_assert!(error < 1e-9 * scale, "{error}");
    }
}

/// The first residual is all but forces of rows, which move nothing: the multipliers must take them.
#[test]
fn a_residual_of_row_forces_alone_goes_to_the_multipliers() {
    for (seed, size, count) in
        [(17_513_102_203_682_583_138, 4, 2), (6_348_570_912_359_985_601, 5, 2)]
    {
        let case = random_case(seed, size, count);
        let (solved, report) = solve(&case, LIMITS);
        assert!(report.is_ok(), "{report:?}");
        let errors = case.errors(&solved, &case.dense_solution());
        assert!(errors[0] < 1e-8 && errors[1] < 1e-6, "{errors:?} {report:?}");
    }
}

#[test]
fn equal_rows_that_agree_count_once() {
    let mut numbers = Numbers(5);
    let s = positive_definite(12, &mut numbers);
    let mut lists = random_rows(12, 3, &mut numbers);
    lists.push(lists[1].clone());
    let mut case = case(s, &lists, &mut numbers);
    case.b_g[3] = case.b_g[1];
    let (solved, report) = solve(&case, LIMITS);
    assert!(report.is_ok(), "{report:?}");
    let error = row_error(&case, &solved);
    assert!(error < 1e-10, "{error}");
}

#[test]
fn an_indefinite_matrix_is_told() {
    let mut numbers = Numbers(9);
    let s = positive_definite(10, &mut numbers);
    let lists = random_rows(10, 2, &mut numbers);
    let mut case = case(s, &lists, &mut numbers);
    case.s.values_mut().iter_mut().for_each(|v| *v = -*v);
    assert!(matches!(solve(&case, LIMITS).1, Err(ConstrainedCgError::Indefinite { .. })));
}
