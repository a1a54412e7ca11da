//! Independent rows: the solver gives what dense algebra gives.

use proptest::prelude::*;

use super::helpers::{
    Case, Numbers, add, case, dense_rows, masses, positive_definite, random_rows,
};
use crate::kkt::{
    ConstraintPattern, KktError, KktSolver, LastResponse, SchurColumns, Unknown, redundant_rows,
};
use crate::{Definiteness, SparseCholesky};
use crate::{Mat3, Vec3};

fn random_case(seed: u64, size: usize, count: usize) -> Case {
    let mut numbers = Numbers(seed);
    let s = positive_definite(size, &mut numbers);
    let lists = random_rows(size, count, &mut numbers);
    let mut case = case(s, &lists, &mut numbers);
    for fixed in &mut case.fixed {
        *fixed = [numbers.next() > 0.8, numbers.next() > 0.8, numbers.next() > 0.8];
    }
    case.given = (0..size).map(|_| numbers.vector()).collect();
    for r in case.r.iter_mut().skip(count / 2) {
        *r = numbers.next().max(0.0);
    }
    case
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_systems_have_the_solution_of_dense_lu(
        seed in any::<u64>(), size in 4usize..30, share in 0.0f64..0.6,
    ) {
        let case = random_case(seed, size, (share * size as f64) as usize);
        prop_assume!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
        let solved = case.solve().unwrap();
        let errors = case.errors(&solved, &case.dense_solution());
        // Condition numbers of these systems stay below 1e5.
        prop_assert!(errors[0] < 1e-10 && errors[1] < 1e-9, "{errors:?} {:?}", solved.report);
        prop_assert!(solved.report.residual[0] < 1e-12 && solved.report.residual[1] < 1e-12);
        prop_assert!(solved.report.iterations <= 3 && solved.report.conflict.is_none());
        for (i, fixed) in case.fixed.iter().enumerate() {
            for a in (0..3).filter(|&a| fixed[a]) {
                prop_assert_eq!(solved.u[i][a], case.given[i][a]);
            }
        }
    }

    #[test]
    fn what_is_eliminated_last_responds_as_the_whole_does(
        seed in any::<u64>(), size in 8usize..40, share in 0.0f64..0.4,
    ) {
        let mut case = random_case(seed, size, (share * size as f64) as usize);
        prop_assume!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
        let last: Vec<u32> = (0..size as u32).filter(|row| row % 4 == 1).collect();
        let (pattern, rows) = (case.s.pattern().clone(), case.rows.clone());
        let mut solver = KktSolver::ending_with(&pattern, &case.fixed, rows, &last).unwrap();
        solver.factor(case.system()).unwrap();
        let mut response = LastResponse::default();
        if !solver.response_of_last(&last, &mut response) {
            return Ok(());
        }
        case.given.fill(Vec3::zeros());
        case.b_g.fill(0.0);
        for (j, &pushed) in last.iter().enumerate() {
            let push = Vec3::new(1.0, -0.5, 2.0);
            case.b.fill(Vec3::zeros());
            case.b[pushed as usize] = push;
            let solved = case.solve_with(&mut solver).unwrap();
            let largest = solved.u.iter().fold(f64::MIN_POSITIVE, |most: f64, u| most.max(u.amax()));
            for (i, &row) in last.iter().enumerate() {
                let error = (response.velocity(i, j, &push) - solved.u[row as usize]).amax();
                // The regularization of the factor, 1e-8 or so, is refined away in the solution; it counts for
                // itself where the rows leave next to nothing of a velocity of the order of 1.
                prop_assert!(error < 1e-5 * largest + 1e-8, "{i} by {j}: {error:e} of {largest:e}");
            }
        }
    }

    #[test]
    fn masses_and_row_scales_from_1e_6_to_1e6_mix(seed in any::<u64>(), size in 3usize..12) {
        let mut numbers = Numbers(seed);
        let mass: Vec<f64> = (0..size).map(|_| 10f64.powf(6.0 * numbers.next())).collect();
        let lists: Vec<_> = random_rows(size, size, &mut numbers)
            .into_iter()
            .map(|list| {
                let scale = 10f64.powf(6.0 * numbers.next());
                list.into_iter().map(|(i, c)| (i, c * scale)).collect()
            })
            .collect();
        let mut case = case(masses(&mass), &lists, &mut numbers);
        for (b, m) in case.b.iter_mut().zip(&mass) {
            *b *= *m;
        }
        for (row, b) in case.b_g.iter_mut().enumerate() {
            *b *= case.rows.entries(row).map(|e| case.g[e].norm()).fold(0.0, f64::max);
        }
        prop_assume!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
        let solved = case.solve().unwrap();
        let residual = solved.report.residual;
        prop_assert!(residual[0] < 1e-12 && residual[1] < 1e-12, "{:?}", solved.report);
        // The two parts by themselves: every row to its own terms, which may be 1e-6 of those that its velocities
        // are found among.
        let mut velocities = vec![0.0; case.r.len()];
        case.rows.mul(&case.g, &solved.u, &mut velocities);
        for (row, v) in velocities.iter().enumerate() {
            let terms: f64 = case.rows.entries(row)
                .map(|e| (case.g[e].dot(&solved.u[case.rows.blocks()[e] as usize])).abs()).sum();
            let error = (v - case.b_g[row]).abs() / (terms + case.b_g[row].abs());
            prop_assert!(error < 1e-6, "row {row}: {error:e}, {:?}", solved.report);
        }
    }
}

#[test]
fn a_negative_stiffness_that_constraints_hold_is_positive_and_one_that_they_leave_is_not() {
    let mut numbers = Numbers(3);
    let mut s = positive_definite(5, &mut numbers);
    add(&mut s, 2, 2, &Mat3::from_diagonal(&Vec3::new(-30.0, 0.0, 0.0)));
    let lists = vec![vec![(2, Vec3::x())], vec![(0, Vec3::y()), (4, Vec3::z())]];
    let fixed_by_row = case(s.clone(), &lists, &mut numbers);
    let left = case(s, &lists[1..], &mut numbers);
    for (case, expected) in
        [(&fixed_by_row, Definiteness::Positive), (&left, Definiteness::Indefinite)]
    {
        let mut solver = case.solver();
        assert_eq!(solver.factor(case.system()), Ok(expected));
        let solved = case.solve_with(&mut solver).unwrap();
        let errors = case.errors(&solved, &case.dense_solution());
        assert!(errors[0] < 1e-10 && errors[1] < 1e-10, "{errors:?} {:?}", solved.report);
    }
}

#[test]
fn a_body_without_mass_moves_as_its_constraints_say() {
    // Block row 1 has no mass or stiffness; three rows tie it to block row 0.
    let lists: Vec<_> = [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| vec![(0, e), (1, -e)]).to_vec();
    let mut case = case(masses(&[2.0, 0.0, 1.0]), &lists, &mut Numbers(9));
    case.b_g.fill(0.0);
    let solved = case.solve().unwrap();
    let both = (case.b[0] + case.b[1]) / 2.0;
    assert!((solved.u[0] - both).norm() < 1e-12 && (solved.u[1] - both).norm() < 1e-12);
    let impulse = Vec3::from_column_slice(&solved.lambda);
    assert!((impulse - case.b[1]).norm() < 1e-12, "{impulse}");
}

/// Bodies of two rows each in a chain, five rows between neighbours and to the ground.
fn chain(bodies: usize, numbers: &mut Numbers) -> Case {
    let pairs: Vec<[u32; 2]> = (0..bodies as u32).map(|k| [2 * k, 2 * k + 1]).collect();
    let pattern =
        crate::BlockPattern::from_cliques(2 * bodies, |visit| pairs.iter().for_each(|p| visit(p)));
    let mut s = crate::BlockMatrix::zeros(std::sync::Arc::new(pattern));
    (0..2 * bodies as u32).for_each(|i| add(&mut s, i, i, &Mat3::identity()));
    let mut lists = Vec::new();
    for k in 0..bodies as u32 {
        for _ in 0..5 {
            let own = [(2 * k, numbers.vector()), (2 * k + 1, numbers.vector())];
            let before = (k > 0).then(|| [2 * k - 2, 2 * k - 1].map(|b| (b, numbers.vector())));
            lists.push(own.into_iter().chain(before.into_iter().flatten()).collect());
        }
    }
    case(s, &lists, numbers)
}

#[test]
fn the_factor_of_a_chain_of_bodies_grows_with_its_length() {
    let nnz = |bodies| chain(bodies, &mut Numbers(1)).solver().factor_nnz() as f64;
    let (short, long) = (nnz(50), nnz(100));
    // Twice the bodies; the ends are light.
    assert!(long / short < 2.15, "{short} {long}");
    // A body has 11 unknowns; coupled to 22 others each they would take 363 scalars.
    assert!(long < 100.0 * 11.0 * 33.0, "{long}");
    let case = chain(100, &mut Numbers(1));
    let solved = case.solve().unwrap();
    assert!(solved.report.residual.iter().all(|r| *r < 1e-12), "{:?}", solved.report);
    assert!(redundant_rows(case.system(), &case.rows, &case.fixed).is_empty());
}

#[test]
fn a_factor_that_is_used_again_gives_the_bits_of_a_fresh_one() {
    let first = random_case(11, 20, 10);
    let mut second = random_case(11, 20, 10);
    second.s.values_mut().iter_mut().for_each(|v| *v *= 1.25);
    second.g.iter_mut().for_each(|g| *g *= 0.7);
    let mut used = first.solver();
    used.factor(first.system()).unwrap();
    first.solve_with(&mut used).unwrap();
    used.factor(second.system()).unwrap();
    let (again, fresh) = (second.solve_with(&mut used).unwrap(), second.solve().unwrap());
    assert_eq!((again.u, again.lambda), (fresh.u, fresh.lambda));
}

#[test]
fn without_constraint_rows_the_factor_is_that_of_cholesky() {
    let case = random_case(5, 40, 0);
    let mut plain = SparseCholesky::new(case.s.pattern(), &case.fixed).unwrap();
    plain.factor(&case.s).unwrap();
    let mut solver = case.solver();
    assert_eq!(solver.factor(case.system()), Ok(Definiteness::Positive));
    assert_eq!(solver.factor_nnz(), plain.factor_nnz());
    let solved = case.solve_with(&mut solver).unwrap();
    assert!(case.errors(&solved, &case.dense_solution())[0] < 1e-12);
    assert!(solved.report.residual[0] < 1e-13);
}

#[test]
fn a_block_row_listed_twice_counts_with_the_sum_of_its_vectors() {
    let mut numbers = Numbers(21);
    let s = positive_definite(6, &mut numbers);
    let (c, d, e) = (numbers.vector(), numbers.vector(), numbers.vector());
    let twice = case(s.clone(), &[vec![(3, c), (1, e), (3, d)]], &mut Numbers(2));
    let once = case(s, &[vec![(3, c + d), (1, e)]], &mut Numbers(2));
    let (twice, once) = (twice.solve().unwrap(), once.solve().unwrap());
    let difference = twice.u.iter().zip(&once.u).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(difference < 1e-13 && (twice.lambda[0] - once.lambda[0]).abs() < 1e-12);
}

#[test]
fn columns_are_the_responses_to_unit_impulses() {
    for count in [0, 8] {
        let case = random_case(17, 15, count);
        let mut numbers = Numbers(4);
        // More than a batch.
        let lists = random_rows(15, 19, &mut numbers);
        let n = super::helpers::case(case.s.clone(), &lists, &mut numbers);
        let mut solver = case.solver();
        solver.factor(case.system()).unwrap();
        let mut columns = SchurColumns::default();
        solver.columns(case.system(), (&n.rows, &n.g), &mut columns).unwrap();
        let zero = vec![Vec3::zeros(); 15];
        for j in 0..19 {
            let mut response = Case {
                given: zero.clone(),
                b: zero.clone(),
                b_g: vec![0.0; count],
                ..random_case(17, 15, count)
            };
            let mut unit = vec![0.0; 19];
            unit[j] = 1.0;
            n.rows.add_transposed(&n.g, &unit, &mut response.b);
            let solved = response.solve_with(&mut solver).unwrap();
            let scale = solved.u.iter().map(|u| u.amax()).fold(0.0, f64::max);
            for (a, b) in columns.velocities(j).iter().zip(&solved.u) {
                assert!((a - b).amax() < 1e-11 * scale);
            }
            for (a, b) in columns.multipliers(j).iter().zip(&solved.lambda) {
                assert!((a - b).abs() < 1e-10, "{a} {b}");
            }
            let dense = dense_rows(&n.rows, &n.g, 15)
                * nalgebra::DVector::from_iterator(
                    45,
                    solved.u.iter().flat_map(|u| [u.x, u.y, u.z]),
                );
            for i in 0..19 {
                let entry = columns.schur()[19 * i + j];
                assert!((entry - dense[i]).abs() < 1e-11 && entry == columns.schur()[19 * j + i]);
            }
        }
    }
}

#[test]
fn errors_name_the_unknown() {
    let lists = vec![vec![(0, Vec3::x()), (1, Vec3::y())]];
    let good = || case(masses(&[1.0, 2.0, 3.0]), &lists, &mut Numbers(1));
    let mut bad = good();
    bad.r[0] = -1.0;
    assert_eq!(bad.solve().err(), Some(KktError::Compliance { row: 0, value: -1.0 }));
    let mut bad = good();
    bad.b[2].y = f64::NAN;
    let not_finite = KktError::NotFinite(Unknown::Velocity { row: 2, axis: 1 });
    assert_eq!(bad.solve().err(), Some(not_finite.clone()));
    let mut bad = good();
    bad.b_g[0] = f64::INFINITY;
    assert_eq!(bad.solve().err(), Some(KktError::NotFinite(Unknown::Multiplier { row: 0 })));
    // Its square is none.
    let mut bad = good();
    bad.b[2].y = 1e200;
    assert_eq!(bad.solve().err(), Some(not_finite.clone()));
    let mut bad = good();
    bad.g[1].z = f64::NAN;
    assert!(matches!(bad.solve().err(), Some(KktError::NotFinite(_))));
    let mut bad = good();
    let at = 9 * bad.s.pattern().diagonal(2) + 4;
    bad.s.values_mut()[at] = f64::NAN;
    assert_eq!(bad.solve().err(), Some(not_finite));
    // Nothing holds block row 2.
    let mut free = case(masses(&[1.0, 2.0, 0.0]), &lists, &mut Numbers(1));
    free.b[2] = Vec3::new(0.0, 1.0, 0.0);
    let error = free.solve().err();
    let Some(KktError::NotConverged { worst, .. }) = error else { panic!("{error:?}") };
    assert_eq!(worst, Unknown::Velocity { row: 2, axis: 1 });
    let blocks = ConstraintPattern::from_lists(&[vec![0u32], vec![1, 5]], 4);
    assert_eq!(blocks, Err(KktError::BlockRow { row: 1, block: 5, size: 4 }));
    assert!(ConstraintPattern::new(vec![0, 2, 1], vec![0], 4).is_err());
}

#[test]
fn a_floating_spring_is_singular_and_named() {
    // Two points with a spring along x and nothing else; y and z are fixed.
    let pattern = crate::BlockPattern::from_cliques(3, |visit| visit(&[0, 1]));
    let mut s = crate::BlockMatrix::zeros(std::sync::Arc::new(pattern));
    let k = Mat3::from_diagonal(&Vec3::new(5.0, 1.0, 1.0));
    let minus = Mat3::from_diagonal(&Vec3::new(-5.0, 0.0, 0.0));
    [(0, 0, k), (1, 1, k), (0, 1, minus), (1, 0, minus), (2, 2, k)]
        .iter()
        .for_each(|(i, j, block)| add(&mut s, *i, *j, block));
    let lists = vec![vec![(2, Vec3::x())]];
    let with_rows = case(s.clone(), &lists, &mut Numbers(1));
    let without = case(s, &[], &mut Numbers(1));
    for case in [with_rows, without] {
        let error = case.solve().err();
        let Some(KktError::Singular(Unknown::Velocity { row, axis: 0 })) = error else {
            panic!("{error:?}")
        };
        assert!(row < 2);
    }
}
