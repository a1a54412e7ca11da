//! Claims about solutions of random problems.

use proptest::prelude::*;

use super::random::{Arrays, Recipe, Solution};
use super::reference::reference_velocities;
use crate::Vec3;
use crate::lcp::FrictionModel;
use crate::mixed::{Accuracy, ConeMethod, LinearMethod, MixedError, MixedSettings};

/// Problems of a sequence: limits of friction follow from one to the next.
const PROBLEMS: usize = 12;
/// Largest residual of the rows [m/s], whose targets are about 1.
const CONES: f64 = 1e-7;
/// Error of velocities [m/s]: of those that redundant rows leave, which are regularized.
const VELOCITY: f64 = 1e-6;

fn recipes() -> impl Strategy<Value = Recipe> {
    let sizes = (5usize..14, 0usize..4, 0usize..8);
    let numbers = (any::<u64>(), 0u32..4, any::<bool>(), any::<bool>());
    (sizes, numbers).prop_map(|((size, joints, contacts), (seed, friction, redundant, soft))| {
        Recipe {
            seed,
            size,
            joints,
            contacts,
            friction: 0.1 * f64::from(friction),
            redundant,
            compliance: if soft { 0.2 } else { 0.0 },
            of_points: false,
        }
    })
}

/// The solution of a sequence of the same problem, each from the one before.
fn solve(arrays: &Arrays, settings: &MixedSettings, by_interior_point: bool) -> Solution {
    let mut solver = arrays.solver(settings);
    let mut solution = Solution::guess(arrays);
    let problem = arrays.problem();
    solver.begin_sequence();
    for k in 0..PROBLEMS {
        if by_interior_point && k == 0 {
            solver.fail_pivoting();
        }
        solution.improve(&mut solver, &problem).unwrap();
        let is_last = solution.outcome.method == ConeMethod::InteriorPoint;
        if is_last || solution.outcome.residual.cones < 0.01 * CONES {
            break;
        }
    }
    solution
}

/// Largest difference of two lists of velocities [m/s].
fn difference(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
}

fn is_met(arrays: &Arrays, solution: &Solution) -> Result<(), TestCaseError> {
    let residual = solution.outcome.residual;
    prop_assert!(residual.balance < 1e-7, "{:?}", solution.outcome);
    prop_assert!(residual.rows < 1e-7, "{:?}", solution.outcome);
    prop_assert!(residual.cones < CONES, "{:?}", solution.outcome);
    if let Some(expected) = reference_velocities(arrays) {
        let error = difference(&solution.u, &expected);
        prop_assert!(error < VELOCITY, "velocities differ by {error}: {:?}", solution.outcome);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dense_solutions_are_those_of_the_reference(recipe in recipes()) {
        let arrays = Arrays::new(recipe);
        let settings = MixedSettings { dense_rows: usize::MAX, ..MixedSettings::default() };
        let solution = solve(&arrays, &settings, false);
        is_met(&arrays, &solution)?;
        let dense = if arrays.bounds.is_empty() { ConeMethod::None } else { ConeMethod::Dense };
        prop_assert!(recipe.redundant || solution.outcome.method == dense);
    }

    #[test]
    fn active_sets_are_those_of_the_reference(recipe in recipes()) {
        let arrays = Arrays::new(recipe);
        let settings = MixedSettings { dense_rows: 0, ..MixedSettings::default() };
        is_met(&arrays, &solve(&arrays, &settings, false))?;
    }

    #[test]
    fn interior_points_are_those_of_the_reference(recipe in recipes()) {
        let arrays = Arrays::new(recipe);
        // Of one problem in 2,000 friction has no fixed point that sweeps over the rows find, and slip none.
        prop_assume!(reference_velocities(&arrays).is_some());
        let settings = MixedSettings { dense_rows: 0, ..MixedSettings::default() };
        let solution = solve(&arrays, &settings, true);
        is_met(&arrays, &solution)?;
        prop_assert!(arrays.bounds.is_empty() || solution.outcome.method == ConeMethod::InteriorPoint);
    }

    #[test]
    fn a_start_other_than_zero_moves_impulses_and_no_velocities(recipe in recipes()) {
        let mut arrays = Arrays::new(recipe);
        let settings = MixedSettings { dense_rows: 0, ..MixedSettings::default() };
        let first = solve(&arrays, &settings, false);
        // What the impulses push stands in b now.
        for (row, z) in first.z.iter().enumerate() {
            for entry in arrays.pattern.entries(row) {
                arrays.b[arrays.pattern.blocks()[entry] as usize] += arrays.n[entry] * *z;
            }
        }
        arrays.start.clone_from(&first.z);
        let second = solve(&arrays, &settings, false);
        let error = difference(&first.u, &second.u);
        prop_assert!(error < 2.0 * VELOCITY, "velocities differ by {error}");
    }
}

fn recipe(seed: u64) -> Recipe {
    let (size, joints, contacts) = (8, 2, 5);
    let (friction, redundant, compliance, of_points) = (0.2, false, 0.0, false);
    Recipe { seed, size, joints, contacts, friction, redundant, compliance, of_points }
}

#[cfg(feature = "metis")]
#[test]
fn few_block_rows_of_many_are_condensed() {
    for seed in 1..6 {
        let mut arrays = Arrays::new(Recipe { size: 400, contacts: 30, ..recipe(seed) });
        arrays.start = vec![0.0; arrays.bounds.len()];
        let settings = MixedSettings { dense_rows: 0, ..MixedSettings::default() };
        let solution = solve(&arrays, &settings, false);
        let sparse = solve(&arrays, &MixedSettings { dense_rows: 1000, ..settings }, false);
        assert_eq!(solution.outcome.method, ConeMethod::Condensed, "seed {seed}");
        assert_eq!(sparse.outcome.method, ConeMethod::Dense, "seed {seed}");
        assert!(solution.outcome.residual.cones < CONES, "{:?}", solution.outcome);
        let error = difference(&solution.u, &sparse.u);
        assert!(error < VELOCITY, "seed {seed}: velocities differ by {error}");
    }
}

#[cfg(feature = "metis")]
#[test]
fn interior_points_on_the_response_of_few_block_rows_take_no_factorization_of_their_own() {
    for seed in 1..6 {
        let (friction, redundant) = (if seed % 2 == 0 { 0.0 } else { 0.2 }, seed > 2);
        let recipe = Recipe { size: 400, contacts: 25, friction, redundant, ..recipe(seed) };
        let arrays = Arrays::new(recipe);
        let settings = MixedSettings { dense_rows: 0, ..MixedSettings::default() };
        let condensed = solve(&arrays, &settings, true);
        let outcome = condensed.outcome;
        assert_eq!(outcome.method, ConeMethod::InteriorPoint, "seed {seed}");
        assert_eq!(outcome.factorizations, 1, "seed {seed}: {outcome:?}");
        assert!(outcome.residual.cones < CONES, "seed {seed}: {outcome:?}");
        let dense = solve(&arrays, &MixedSettings { dense_rows: 1000, ..settings }, false);
        let error = difference(&condensed.u, &dense.u);
        assert!(error < VELOCITY, "seed {seed}: velocities differ by {error}");
    }
}

/// The solution by conjugate gradients beside that by a factor.
fn compare_iterations(recipe: Recipe) {
    let arrays = Arrays::new(recipe);
    let settings = MixedSettings { dense_rows: 1000, ..MixedSettings::default() };
    let factor = MixedSettings { linear: LinearMethod::Factor, ..settings };
    let expected = solve(&arrays, &factor, false);
    let mut solver = arrays.solver(&MixedSettings { linear: LinearMethod::Iterations, ..settings });
    let mut solution = Solution::guess(&arrays);
    let problem = crate::mixed::MixedProblem { accuracy: Accuracy::Single, ..arrays.problem() };
    solver.set_tolerance(1e-10);
    solver.begin_sequence();
    let mut iterations = 0;
    for _ in 0..PROBLEMS {
        solution.improve(&mut solver, &problem).unwrap();
        iterations += solution.outcome.iterations;
        if solution.outcome.residual.cones < 0.01 * CONES {
            break;
        }
    }
    let outcome = solution.outcome;
    assert_eq!(outcome.method, ConeMethod::Elimination, "{recipe:?}: {outcome:?}");
    assert!(outcome.factorizations == 0 && iterations > 0, "{recipe:?}: {outcome:?}");
    assert!(outcome.residual.cones < CONES, "{recipe:?}: {outcome:?}");
    let error = difference(&solution.u, &expected.u);
    assert!(error < VELOCITY, "{recipe:?}: velocities differ by {error}, {outcome:?}");
}

#[test]
fn active_rows_of_points_are_eliminated_under_conjugate_gradients() {
    for seed in 1..9 {
        let (contacts, friction) = (80, if seed % 3 == 0 { 0.0 } else { 0.2 });
        let redundant = seed % 2 == 0;
        let recipe =
            Recipe { size: 600, contacts, friction, redundant, of_points: true, ..recipe(seed) };
        compare_iterations(recipe);
    }
}

#[test]
fn active_rows_of_several_block_rows_join_the_projection() {
    for seed in 1..5 {
        compare_iterations(Recipe { size: 600, contacts: 12, compliance: 0.1, ..recipe(seed) });
    }
}

#[test]
fn one_factorization_serves_problems_of_one_matrix() {
    let mut arrays = Arrays::new(recipe(3));
    let mut solver = arrays.solver(&MixedSettings::default());
    let mut solution = Solution::guess(&arrays);
    solver.begin_sequence();
    solution.improve(&mut solver, &arrays.problem()).unwrap();
    assert_eq!(solution.outcome.factorizations, 1, "{:?}", solution.outcome);
    arrays.b[2] += Vec3::new(0.3, 0.0, -0.2);
    solution.improve(&mut solver, &arrays.problem()).unwrap();
    assert_eq!(solution.outcome.factorizations, 0, "{:?}", solution.outcome);
    solver.matrix_changed();
    solution.improve(&mut solver, &arrays.problem()).unwrap();
    assert_eq!(solution.outcome.factorizations, 1, "{:?}", solution.outcome);
}

#[test]
fn a_cone_is_solved_as_a_cone_and_says_so() {
    let arrays = Arrays::new(recipe(4));
    let mut solution = Solution::guess(&arrays);
    let problem = crate::mixed::MixedProblem { friction: FrictionModel::Cone8, ..arrays.problem() };
    let mut solver = arrays.solver(&MixedSettings::default());
    solution.improve(&mut solver, &problem).unwrap();
    assert_eq!(solution.outcome.friction, FrictionModel::Cone8);
    for k in (0..solution.z.len()).step_by(3) {
        let [normal, first, second] = [0, 1, 2].map(|i| solution.z[k + i]);
        assert!(
            first.hypot(second) <= 0.2 * normal * (1.0 + 1e-9) + 1e-12,
            "contact {k}: {:?}",
            solution.z
        );
    }
}

#[test]
fn a_second_line_of_its_own_is_met() {
    let mut arrays = Arrays::new(recipe(5));
    let (b, turned) = (arrays.b.clone(), Vec3::new(0.02, -0.03, 0.01));
    let end_values: Vec<Vec3> = arrays.g.iter().map(|g| g + turned).collect();
    let mut solver = arrays.solver(&MixedSettings::default());
    let mut solution = Solution::guess(&arrays);
    // The response of the rows is not symmetric, and taken for it: each problem goes on from the impulses of the last.
    for _ in 0..6 {
        arrays.start.clone_from(&solution.z);
        arrays.b.clone_from(&b);
        arrays.pattern.add_transposed(&arrays.n, &solution.z, &mut arrays.b);
        let mut problem = arrays.problem();
        problem.bilateral.end_values = Some(&end_values);
        problem.accuracy = Accuracy::Single;
        solution.improve(&mut solver, &problem).unwrap();
    }
    let outcome = solution.outcome;
    assert_eq!(outcome.method, ConeMethod::Dense);
    assert!(outcome.residual.rows < 1e-12 && outcome.residual.balance < 1e-12, "{outcome:?}");
    assert!(outcome.residual.cones < CONES, "{outcome:?}");
}

#[test]
fn rows_that_contradict_each_other_are_met_as_nearly_as_they_can_be() {
    let mut arrays = Arrays::new(Recipe { redundant: true, contacts: 0, ..recipe(6) });
    *arrays.b_g.last_mut().unwrap() += 1.0;
    let mut problem = arrays.problem();
    problem.accuracy = Accuracy::Nearest;
    let mut solver = arrays.solver(&MixedSettings::default());
    let mut solution = Solution::guess(&arrays);
    solution.improve(&mut solver, &problem).unwrap();
    assert!(solution.outcome.conflict, "{:?}", solution.outcome);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let mut arrays = Arrays::new(recipe(7));
    let mut solver = arrays.solver(&MixedSettings::default());
    let mut solution = Solution::guess(&arrays);
    let mut short = arrays.problem();
    short.unilateral.target = &arrays.d[1..];
    let error = solution.improve(&mut solver, &short).unwrap_err();
    assert!(error.to_string().contains("`unilateral.target` has length 14"), "{error}");
    arrays.bounds.swap(0, 1);
    let error = solution.improve(&mut solver, &arrays.problem()).unwrap_err();
    assert_eq!(error, MixedError::Friction { row: 0 });
}

#[test]
fn a_solution_that_is_to_stop_ends_between_two_iterations() {
    let arrays = Arrays::new(recipe(7));
    // No matrix of few rows, which has no iterations.
    let mut solver = arrays.solver(&MixedSettings { dense_rows: 0, ..MixedSettings::default() });
    let mut solve = |stops: bool| {
        solver.stop_when(move || stops);
        solver.begin_sequence();
        Solution::guess(&arrays).improve(&mut solver, &arrays.problem())
    };
    assert_eq!(solve(true).unwrap_err(), MixedError::Stopped);
    solve(false).unwrap();
}
