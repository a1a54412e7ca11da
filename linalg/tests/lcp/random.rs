//! Ten thousand random problems: definite, semidefinite, degenerate, with bounds, badly scaled.

use proptest::prelude::*;
use sinew_linalg::lcp::{ActiveSetStatus, Dantzig, Keller, LcpSolver, Lemke, Murty};

use super::problems::{Problem, Recipe, random_definite, random_problem};

/// Solves and checks the residual that the solver claims against the definition.
fn check(problem: &Problem, solver: &mut dyn LcpSolver) -> Result<Vec<f64>, TestCaseError> {
    let (z, outcome) = problem.solve(solver);
    prop_assert!(outcome.solved().is_some(), "{}: {}", solver.name(), outcome);
    let residual = problem.residual(&z);
    prop_assert!(residual < 1e-9, "{}: {:e} but {}", solver.name(), residual, outcome);
    Ok(z)
}

fn recipe(definite: bool) -> impl Strategy<Value = Recipe> {
    let kinds = (any::<bool>(), any::<bool>(), prop_oneof![Just(0.0), Just(3.0), Just(6.0)]);
    (any::<u64>(), 1usize..24, 0.0..1.0f64, kinds).prop_map(move |(seed, n, part, kinds)| {
        let (bounds, degenerate, decades) = kinds;
        let rank = if definite { n + 4 } else { 1 + (part * n as f64) as usize };
        Recipe { seed, n, rank, bounds, degenerate, decades }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn all_solve_definite_problems_and_agree(recipe in recipe(true)) {
        let problem = random_problem(recipe);
        let n = problem.len();
        let expected = check(&problem, &mut Keller::default())?;
        for solver in [&mut Dantzig::default() as &mut dyn LcpSolver, &mut Lemke::default(),
            &mut Murty::default()] {
            let z = check(&problem, solver)?;
            let scale = |i: usize| problem.matrix[n * i + i].sqrt();
            let size = (0..n).map(|i| (z[i] * scale(i)).abs()).fold(1e-12, f64::max);
            let off = (0..n).map(|i| ((z[i] - expected[i]) * scale(i)).abs()).fold(0.0, f64::max);
            // Smallest eigenvalues of such matrices are near 1e-4 of the largest.
            prop_assert!(off < 1e-7 * size, "{}: {:e} of {:e}", solver.name(), off, size);
        }
    }

    #[test]
    fn keller_dantzig_and_lemke_solve_semidefinite_problems_with_the_same_velocities(
        recipe in recipe(false)
    ) {
        let problem = random_problem(recipe);
        let n = problem.len();
        let expected = problem.w(&check(&problem, &mut Keller::default())?);
        for solver in [&mut Dantzig::default() as &mut dyn LcpSolver, &mut Lemke::default()] {
            let z = check(&problem, solver)?;
            let (w, scale) = (problem.w(&z), |i: usize| problem.matrix[n * i + i].sqrt());
            let size = |i: usize| (problem.q[i] / scale(i)).abs().max((z[i] * scale(i)).abs());
            let size = (0..n).map(size).fold(0.0, f64::max);
            for i in 0..n {
                let off = (w[i] - expected[i]).abs() / scale(i);
                prop_assert!(off <= 1e-7 * size, "{}: w {} differs by {:e}", solver.name(), i, off);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn any_statuses_come_to_the_solution(recipe in recipe(true), seed in any::<u64>()) {
        let problem = random_problem(recipe);
        let place = |i: usize| [ActiveSetStatus::Lower, ActiveSetStatus::Basic, ActiveSetStatus::Upper][(seed >> (2 * i % 62)) as usize % 3];
        for solver in [&mut Keller::default() as &mut dyn LcpSolver, &mut Dantzig::default(),
            &mut Lemke::default(), &mut Murty::default()] {
            let statuses = (0..problem.len()).map(place).collect();
            let (z, _, outcome) = problem.solve_from(solver, statuses);
            prop_assert!(outcome.solved().is_some(), "{}: {}", solver.name(), outcome);
            prop_assert!(problem.residual(&z) < 1e-9, "{}: {}", solver.name(), outcome);
        }
    }
}

/// Rounding breaks a tie on the path from zero so that it leads nowhere.
#[test]
fn a_path_that_ends_in_a_ray_by_rounding_is_begun_elsewhere() {
    let seed = 4_094_242_500_086_424_893;
    let problem = random_problem(Recipe {
        seed,
        n: 19,
        rank: 13,
        bounds: true,
        degenerate: true,
        decades: 0.0,
    });
    let (z, outcome) = problem.solve(&mut Lemke::default());
    assert!(outcome.solved().is_some() && problem.residual(&z) < 1e-9, "{outcome}");
}

#[test]
fn three_hundred_variables_are_solved_by_all() {
    let (problem, expected) = random_definite(11, 300);
    for mut solver in super::problems::all() {
        let (z, outcome) = problem.solve(solver.as_mut());
        let error = z.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(outcome.solved().is_some() && error < 1e-10, "{}: {outcome}", solver.name());
    }
}

/// Rows that depend on others leave no pivot of one variable: what is called solved has no w that is wrong all the same.
#[test]
fn dantzig_and_murty_leave_no_wrong_velocity_in_problems_of_rank_sixty() {
    for seed in 0..6 {
        let recipe =
            Recipe { seed, n: 300, rank: 60, bounds: false, degenerate: true, decades: 0.0 };
        let problem = random_problem(recipe);
        for solver in [&mut Dantzig::default() as &mut dyn LcpSolver, &mut Murty::default()] {
            let (z, outcome) = problem.solve(solver);
            assert!(outcome.solved().is_some(), "{} {seed}: {outcome}", solver.name());
            let residual = problem.residual(&z);
            assert!(residual < 2e-11, "{} {seed}: {residual:e}, {outcome}", solver.name());
        }
    }
}

#[test]
fn three_hundred_variables_of_rank_sixty_are_solved() {
    let recipe = Recipe { seed: 3, n: 300, rank: 60, bounds: true, degenerate: true, decades: 2.0 };
    let problem = random_problem(recipe);
    for solver in [
        &mut Keller::default() as &mut dyn LcpSolver,
        &mut Dantzig::default(),
        &mut Lemke::default(),
    ] {
        let (z, outcome) = problem.solve(solver);
        assert!(outcome.solved().is_some(), "{}: {outcome}", solver.name());
        assert!(problem.residual(&z) < 1e-9, "{}: {outcome}", solver.name());
    }
}
