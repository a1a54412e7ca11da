//! Redundant and conflicting rows: they run, and what they give is what dense least squares give.

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::helpers::{Case, Numbers, case, masses, positive_definite, random_rows};
use crate::Vec3;
use crate::kkt::redundant_rows;

/// Multipliers without effect are found to rounding over the regularization, 1e-8, where constraints
/// outnumber the scalars that they meet first in the elimination.
const LEAST: f64 = 1e-7;

/// u of the nearest right side that can be met, and the multipliers of least scaled square, in the
/// metric of the solver, by dense pseudo-inverses. No fixed scalars.
fn least_squares(case: &Case) -> (DVector<f64>, DVector<f64>) {
    let (s, g) = case.dense();
    let (n, m) = (s.nrows(), g.nrows());
    let scale = DVector::from_fn(m, |i, _| {
        let c: f64 = (0..n).map(|k| g[(i, k)].powi(2) / s[(k, k)]).sum();
        1.0 / c.sqrt()
    });
    let scaled = DMatrix::from_diagonal(&scale) * &g;
    let b = DVector::from_iterator(n, case.b.iter().flat_map(|b| [b.x, b.y, b.z]));
    let b_g = scale.component_mul(&DVector::from_column_slice(&case.b_g));
    let inverse = s.try_inverse().unwrap();
    let r = DMatrix::from_diagonal(
        &DVector::from_column_slice(&case.r).component_mul(&scale).component_mul(&scale),
    );
    let schur = &scaled * &inverse * scaled.transpose() + r;
    // nalgebra's pseudo-inverse is good to 1e-4 only on some of these.
    let modes = schur.symmetric_eigen();
    let inverted = modes.eigenvalues.map(|e| if e > 1e-9 { 1.0 / e } else { 0.0 });
    let right = modes.eigenvectors.tr_mul(&(b_g - &scaled * &inverse * &b));
    let mu = &modes.eigenvectors * inverted.component_mul(&right);
    let u = inverse * (b + scaled.transpose() * &mu);
    (u, scale.component_mul(&mu))
}

fn check_against_least_squares(case: &Case, tolerances: [f64; 2]) {
    let solved = case.solve().unwrap();
    let (u, lambda) = least_squares(case);
    let flat = DVector::from_iterator(u.len(), solved.u.iter().flat_map(|u| [u.x, u.y, u.z]));
    let errors = [
        (flat - &u).amax() / u.amax(),
        (DVector::from_column_slice(&solved.lambda) - &lambda).amax() / lambda.amax().max(1e-300),
    ];
    assert!(
        errors[0] < tolerances[0] && errors[1] < tolerances[1],
        "{errors:?} {:?}\n{:?}\n{lambda}",
        solved.report,
        solved.lambda
    );
}

/// Right sides that some motion satisfies.
fn make_consistent(case: &mut Case, numbers: &mut Numbers) {
    let u: Vec<Vec3> = (0..case.b.len()).map(|_| numbers.vector()).collect();
    case.rows.mul(&case.g, &u, &mut case.b_g);
}

/// Rows, some of which are repeated or combinations of others.
fn dependent_rows(size: usize, numbers: &mut Numbers) -> (Vec<Vec<(u32, Vec3)>>, Vec<usize>) {
    let mut lists = random_rows(size, 4, numbers);
    lists.push(lists[1].clone());
    lists.push(lists[0].iter().map(|&(i, c)| (i, c * -30.0)).collect());
    let sum = lists[2].iter().map(|&(i, c)| (i, c * 0.3)).chain(lists[3].iter().copied());
    lists.push(sum.collect());
    lists.extend(random_rows(size, 1, numbers));
    (lists, vec![4, 5, 6])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn redundant_rows_give_the_motion_and_the_least_multipliers(seed in any::<u64>(), size in 5usize..12) {
        let mut numbers = Numbers(seed);
        let s = positive_definite(size, &mut numbers);
        let (lists, expected) = dependent_rows(size, &mut numbers);
        let mut case = case(s, &lists, &mut numbers);
        make_consistent(&mut case, &mut numbers);
        let redundant = redundant_rows(case.system(), &case.rows, &case.fixed);
        prop_assert_eq!(redundant, expected);
        check_against_least_squares(&case, [1e-10, LEAST]);
        prop_assert_eq!(case.solve().unwrap().report.conflict, None);
    }

    #[test]
    fn conflicting_rows_give_the_least_squares_compromise(seed in any::<u64>(), size in 5usize..12) {
        let mut numbers = Numbers(seed);
        let s = positive_definite(size, &mut numbers);
        let (lists, _) = dependent_rows(size, &mut numbers);
        let case = case(s, &lists, &mut numbers);
        check_against_least_squares(&case, [1e-9, LEAST]);
        prop_assert!(case.solve().unwrap().report.conflict.is_some());
    }

    #[test]
    fn compliant_rows_beside_redundant_ones_keep_their_own_multipliers(seed in any::<u64>()) {
        let mut numbers = Numbers(seed);
        let s = positive_definite(6, &mut numbers);
        let (lists, _) = dependent_rows(6, &mut numbers);
        let mut case = case(s, &lists, &mut numbers);
        // A compliant copy of row 1 is not redundant, nor is that of row 0.
        (case.r[4], case.r[5]) = (0.5, 2.0);
        make_consistent(&mut case, &mut numbers);
        case.b_g[4] += 0.3;
        let redundant = redundant_rows(case.system(), &case.rows, &case.fixed);
        prop_assert_eq!(redundant, vec![6]);
        check_against_least_squares(&case, [1e-10, LEAST]);
        prop_assert_eq!(case.solve().unwrap().report.conflict, None);
    }
}

#[test]
fn equal_rows_share_their_impulse_equally() {
    let row = vec![(0, Vec3::new(1.0, 2.0, 0.5)), (1, Vec3::new(-1.0, 0.3, 0.0))];
    let mut case =
        case(masses(&[1.0, 3.0, 1.0]), &[row.clone(), row.clone(), row.clone()], &mut Numbers(5));
    case.b_g.fill(0.25);
    let three = case.solve().unwrap();
    case.rows = crate::kkt::ConstraintPattern::from_lists(&[[0u32, 1]], 3).unwrap();
    case.g.truncate(2);
    case.r.truncate(1);
    case.b_g.truncate(1);
    let one = case.solve().unwrap();
    let sum: f64 = three.lambda.iter().sum();
    assert!((sum / one.lambda[0] - 1.0).abs() < 1e-13);
    for lambda in &three.lambda {
        assert!((lambda * 3.0 / sum - 1.0).abs() < 1e-13, "{:?}", three.lambda);
    }
    for (a, b) in three.u.iter().zip(&one.u) {
        assert!((a - b).norm() < 1e-13);
    }
}

#[test]
fn equal_rows_that_want_different_velocities_get_their_mean() {
    let row = |scale: f64| vec![(0, Vec3::x() * scale), (1, -Vec3::x() * scale)];
    // The second row is written in other units: 100 times the same.
    let mut case = case(masses(&[1.0, 3.0]), &[row(1.0), row(100.0)], &mut Numbers(5));
    case.b_g.copy_from_slice(&[0.2, 40.0]);
    let solved = case.solve().unwrap();
    let velocity = solved.u[0].x - solved.u[1].x;
    assert!((velocity - 0.3).abs() < 1e-12, "{velocity}");
    let conflict = solved.report.conflict.unwrap();
    let missing = if conflict.row == 0 { -0.1 } else { 10.0 };
    assert!((conflict.violation / missing - 1.0).abs() < 1e-9, "{conflict:?}");
    // Equal impulses in one unit.
    assert!((solved.lambda[0] / (100.0 * solved.lambda[1]) - 1.0).abs() < 1e-9);
}

#[test]
fn rows_on_fixed_scalars_have_no_impulses() {
    let lists = vec![
        vec![(0, Vec3::new(1.0, 2.0, 3.0))],
        vec![(1, Vec3::x()), (2, Vec3::y())],
        vec![(0, Vec3::y()), (1, Vec3::z())],
        vec![],
    ];
    let mut case = case(masses(&[1.0, 2.0, 1e-6]), &lists, &mut Numbers(8));
    case.fixed = vec![[true; 3], [false, false, true], [false; 3]];
    case.given[0] = Vec3::new(0.1, -0.1, 0.2);
    case.given[1].z = 0.4;
    case.b_g.copy_from_slice(&[0.5, 0.1, 0.3, 0.0]);
    assert_eq!(redundant_rows(case.system(), &case.rows, &case.fixed), [0, 2, 3]);
    let solved = case.solve().unwrap();
    assert_eq!(solved.report.conflict, None, "0.1 - 0.2 + 0.6 = 0.5 and 0.4 - 0.1 = 0.3");
    let scale = solved.lambda[1].abs();
    assert!([0, 2, 3].iter().all(|&i| solved.lambda[i].abs() < 1e-12 * scale));
    assert!((solved.u[1].x + solved.u[2].y - 0.1).abs() < 1e-14);
    // A fixed body that is told otherwise is in conflict; nothing else changes.
    case.b_g[0] = 0.7;
    let told = case.solve().unwrap();
    let conflict = told.report.conflict.unwrap();
    assert_eq!(conflict.row, 0);
    assert!((conflict.violation - 0.2).abs() < 1e-12, "{conflict:?}");
    assert!((told.lambda[1] / solved.lambda[1] - 1.0).abs() < 1e-12);
    assert!(told.lambda[0].abs() < 1e-9 * scale, "{:?}", told.lambda);
}

/// Four bars in a plane, closed to a ring by hinges about z with 5 rows each, the first bar fixed to
/// the ground by 6: 26 rows, of which 23 are independent.
fn four_bar() -> Case {
    let corners =
        [(0.0, 0.0), (0.0, 1.0), (2.0, 1.3), (2.0, 0.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let centre = |k: usize| (corners[k] + corners[(k + 1) % 4]) / 2.0;
    let mut lists = Vec::new();
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    // Velocity of a point of body k along e: e . (v + w x r) = e . v + (r x e) . w.
    let point = |k: usize, p: Vec3, e: Vec3| {
        [(2 * k as u32, e), (2 * k as u32 + 1, (p - centre(k)).cross(&e))]
    };
    for e in axes {
        lists.push(point(0, centre(0), e).to_vec());
        lists.push(vec![(1, e)]);
    }
    for k in 0..4 {
        let (next, p) = ((k + 1) % 4, corners[(k + 1) % 4]);
        for e in axes {
            let other = point(next, p, e).map(|(i, c)| (i, -c));
            lists.push([point(k, p, e), other].concat());
        }
        for e in [Vec3::x(), Vec3::y()] {
            lists.push(vec![(2 * k as u32 + 1, e), (2 * next as u32 + 1, -e)]);
        }
    }
    let mut numbers = Numbers(12);
    let mut case =
        case(masses(&[1.0, 0.01, 2.0, 0.02, 1.0, 0.01, 0.5, 0.002]), &lists, &mut numbers);
    case.b_g.fill(0.0);
    case
}

#[test]
fn a_closed_loop_of_hinges_moves_and_names_its_three_redundant_rows() {
    let case = four_bar();
    let redundant = redundant_rows(case.system(), &case.rows, &case.fixed);
    // Of the hinge that closes the ring: along its axis, and the two against tilting.
    assert_eq!(redundant, [23, 24, 25]);
    check_against_least_squares(&case, [1e-11, LEAST]);
    let solved = case.solve().unwrap();
    assert_eq!(solved.report.conflict, None);
    let angular_velocity = solved.u[3].z;
    assert!(angular_velocity.abs() > 1e-2, "the ring has one freedom left");
}

#[test]
fn redundant_rows_of_very_different_masses_still_share() {
    let mut numbers = Numbers(31);
    let row = vec![(0, Vec3::x()), (1, -Vec3::x())];
    let heavy = vec![(1, Vec3::y()), (2, -Vec3::y())];
    let lists = [row.clone(), heavy.clone(), row, heavy];
    let mut case = case(masses(&[1e-6, 1e3, 1.0]), &lists, &mut numbers);
    case.b_g.fill(0.0);
    case.b[0] *= 1e-6;
    case.b[1] *= 1e3;
    assert_eq!(redundant_rows(case.system(), &case.rows, &case.fixed), [2, 3]);
    let solved = case.solve().unwrap();
    for pair in [[0, 2], [1, 3]] {
        let [a, b] = pair.map(|i| solved.lambda[i]);
        assert!((a / b - 1.0).abs() < 1e-9, "{:?}", solved.lambda);
    }
    assert!((solved.u[0].x / solved.u[1].x - 1.0).abs() < 1e-12, "{:?}", solved.u);
}
