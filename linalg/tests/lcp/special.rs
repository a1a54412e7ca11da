//! Published problems, those with a closed form, and the ends other than a solution.

use sinew_linalg::lcp::{
    ActiveSetStatus, Dantzig, Keller, Lcp, LcpSolver, Lemke, Murty, Outcome, Refusal,
};

use super::problems::{Problem, all, random_definite};

fn solved(problem: &Problem, solver: &mut dyn LcpSolver, expected: &[f64], tolerance: f64) {
    let (z, outcome) = problem.solve(solver);
    let residual = outcome.solved().unwrap_or_else(|| panic!("{}: {outcome}", solver.name()));
    let error = z.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(residual < 1e-12 && error <= tolerance, "{}: {z:?}, {residual:e}", solver.name());
}

/// LCP-random-PD.
#[test]
fn all_find_the_constructed_solutions_of_random_definite_problems() {
    let sums = [
        (1, 5, 2.4612817241111324),
        (2, 20, 5.5687681566532685),
        (3, 50, 8.259621243993895),
        (4, 200, 50.19389508478737),
    ];
    for (seed, n, sum) in sums {
        let (problem, expected) = random_definite(seed, n);
        assert!((expected.iter().sum::<f64>() - sum).abs() < 1e-10, "the generator differs");
        for mut solver in all() {
            solved(&problem, solver.as_mut(), &expected, 1e-11);
        }
    }
}

/// LCP-special, cottle_cycle: pivoting on any violated row may cycle here (Murty1988, sec. 4.1).
#[test]
fn all_solve_the_problem_on_which_careless_pivoting_cycles() {
    let matrix = vec![1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
    let problem = Problem::unilateral(matrix, vec![-1.0; 3]);
    for mut solver in all() {
        solved(&problem, solver.as_mut(), &[1.0 / 3.0; 3], 1e-12);
    }
}

/// LCP-special, murty_exp, and its transpose (Murty1978).
#[test]
fn there_are_problems_of_exponentially_many_pivots_for_all_but_blocks() {
    let n = 8;
    let upper = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    for transposed in [false, true] {
        let entry = |k: usize| {
            if transposed { upper(k % n, k / n) } else { upper(k / n, k % n) }
        };
        let problem = Problem::unilateral((0..n * n).map(entry).collect(), vec![-1.0; n]);
        let mut expected = vec![0.0; n];
        expected[if transposed { 0 } else { n - 1 }] = 1.0;
        let pivots = all().map(|mut solver| {
            solved(&problem, solver.as_mut(), &expected, 1e-12);
            problem.solve(solver.as_mut()).1.pivots()
        });
        assert_eq!(pivots[..3], if transposed { [1, 1, 256] } else { [255, 255, 2] });
        assert!(pivots[3] < 40, "{pivots:?}");
    }
}

/// LCP-special, degenerate and zero_q.
#[test]
fn all_solve_degenerate_problems() {
    for (q, expected) in [([-1.0, -0.5], [0.5, 0.0]), ([0.0, 0.0], [0.0, 0.0])] {
        let problem = Problem::unilateral(vec![2.0, 1.0, 1.0, 2.0], q.to_vec());
        for mut solver in all() {
            solved(&problem, solver.as_mut(), &expected, 1e-12);
        }
    }
}

/// LCP-special, skew: no diagonal pivot exists, so that pivots of 2 x 2 are needed.
#[test]
fn a_skew_problem_needs_pivots_of_two_variables_which_keller_and_lemke_have() {
    let problem = Problem::unilateral(vec![0.0, 1.0, -1.0, 0.0], vec![-1.0, 2.0]);
    solved(&problem, &mut Keller::default(), &[2.0, 1.0], 1e-12);
    solved(&problem, &mut Lemke::default(), &[2.0, 1.0], 1e-12);
    for solver in [&mut Dantzig::default() as &mut dyn LcpSolver, &mut Murty::default()] {
        let (_, outcome) = problem.solve(solver);
        assert!(matches!(outcome, Outcome::Limit { .. }), "{}: {outcome}", solver.name());
    }
}

/// LCP-special, no_solution.
#[test]
fn a_problem_without_a_solution_ends_in_a_ray_or_is_refused() {
    let problem = Problem::unilateral(vec![0.0, -1.0, -1.0, 0.0], vec![-1.0, -1.0]);
    let (_, outcome) = problem.solve(&mut Lemke::default());
    assert!(matches!(outcome, Outcome::Ray { .. }), "{outcome}");
    for mut solver in all() {
        let (_, outcome) = problem.solve(solver.as_mut());
        assert!(outcome.solved().is_none(), "{}: {outcome}", solver.name());
    }
}

/// v >= 0, M^T v <= 0, v.q < 0 leave no z >= 0 with M z + q >= 0.
#[test]
fn a_ray_comes_with_a_proof_that_there_is_no_solution() {
    let cases = [
        // The sum of the first two rows is constant and negative.
        Problem::unilateral(
            vec![1.0, -1.0, 0.5, -1.0, 1.0, -0.5, 0.5, -0.5, 4.0],
            vec![-1.0, 0.5, 1.0],
        ),
        // Bisymmetric: x1 + x2 <= 1 and x1 >= 2.
        Problem::unilateral(
            vec![2.0, 0.0, 1.0, -1.0, 0.0, 2.0, 1.0, 0.0, -1.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            vec![1.0, 1.0, 1.0, -2.0],
        ),
    ];
    for (case, problem) in cases.iter().enumerate() {
        for mut solver in all() {
            let (_, outcome) = problem.solve(solver.as_mut());
            // Murty's algorithm has no rays.
            if solver.name() == "Murty" {
                assert!(matches!(outcome, Outcome::Limit { .. }), "{outcome}");
                continue;
            }
            assert!(matches!(outcome, Outcome::Ray { .. }), "{} {case}: {outcome}", solver.name());
            let (v, n) = (solver.certificate(), problem.len());
            let product = |j: usize| (0..n).map(|i| problem.matrix[n * i + j] * v[i]).sum::<f64>();
            let along: f64 = v.iter().zip(&problem.q).map(|(v, q)| v * q).sum();
            assert!(v.iter().all(|&v| v >= -1e-12), "{} {case}: {v:?}", solver.name());
            assert!((0..n).all(|j| product(j) <= 1e-12), "{} {case}: {v:?}", solver.name());
            assert!(along < -1e-3, "{} {case}: {v:?}, {along}", solver.name());
        }
    }
}

/// LCP-box-on-plane: mass 1, inertia 0.01, four corners 0.1 from the middle, 0.0981 m/s downwards.
#[test]
fn a_box_on_four_corners_is_stopped_by_all() {
    let corners = [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)];
    let entry = |k: usize| {
        let ((x, y), (u, v)): ((f64, f64), (f64, f64)) = (corners[k / 4], corners[k % 4]);
        1.0 + (x * u + y * v) / 0.01
    };
    let problem = Problem::unilateral((0..16).map(entry).collect(), vec![-0.0981; 4]);
    for mut solver in all() {
        let (z, outcome) = problem.solve(solver.as_mut());
        assert!(outcome.solved().is_some(), "{}: {outcome}", solver.name());
        let sum: f64 = z.iter().sum();
        assert!((sum - 0.0981).abs() < 1e-14, "{}: {z:?}", solver.name());
        assert!(problem.w(&z).iter().all(|w| w.abs() < 1e-15), "{}: {z:?}", solver.name());
    }
}

#[test]
fn bad_input_is_refused_by_name_and_no_number_makes_a_solver_hang() {
    let infinity = f64::INFINITY;
    let good = Problem::unilateral(vec![2.0, 1.0, 1.0, 2.0], vec![-1.0, -1.0]);
    type Spoil = fn(&mut Problem);
    let cases: [(Spoil, Refusal); 6] = [
        (|p| p.q[1] = f64::NAN, Refusal::NotFinite { variable: 1 }),
        (|p| p.matrix[1] = f64::INFINITY, Refusal::NotFinite { variable: 0 }),
        (|p| p.lower[0] = f64::NAN, Refusal::NotFinite { variable: 0 }),
        (|p| p.lower[0] = f64::INFINITY, Refusal::Bounds { variable: 0 }),
        (|p| p.upper[1] = -1.0, Refusal::Bounds { variable: 1 }),
        (|p| p.matrix.push(0.0), Refusal::Length { variables: 2, found: 5 }),
    ];
    for (spoil, refusal) in cases {
        let mut problem = good.clone();
        spoil(&mut problem);
        for mut solver in all() {
            let (_, outcome) = problem.solve(solver.as_mut());
            assert_eq!(outcome, Outcome::Refused(refusal), "{}", solver.name());
        }
    }
    let values = [0.0, -1.0, 1e-300, 1e300, -1e300, 1.0, 1e-20];
    for code in 0..7usize.pow(5) {
        let digit = |k: u32| values[code / 7usize.pow(k) % 7];
        let matrix = vec![digit(0), digit(1), digit(1), digit(2)];
        let problem = Problem {
            matrix,
            q: vec![digit(3), digit(4)],
            lower: vec![0.0, -infinity],
            upper: vec![infinity, if code % 2 == 0 { infinity } else { 1.0 }],
        };
        for mut solver in all() {
            let (z, outcome) = problem.solve(solver.as_mut());
            if let Some(residual) = outcome.solved() {
                assert!(residual <= 1e-9 && z.iter().all(|z| z.is_finite()), "{problem:?} {z:?}");
            }
        }
    }
}

#[test]
fn a_problem_without_variables_is_solved() {
    for mut solver in all() {
        let problem = Lcp { matrix: &[], q: &[], lower: &[], upper: &[] };
        let outcome = solver.solve(&problem, &mut [], &mut []);
        assert_eq!(outcome, Outcome::Solved { residual: 0.0, pivots: 0 }, "{}", solver.name());
    }
}

#[test]
fn an_indefinite_symmetric_matrix_is_refused_by_keller() {
    let mut problem = Problem::unilateral(vec![1.0, 2.0, 2.0, 1.0], vec![-1.0, -1.0]);
    problem.lower = vec![f64::NEG_INFINITY; 2];
    let (_, outcome) = problem.solve(&mut Keller::default());
    assert!(matches!(outcome, Outcome::Refused(Refusal::Indefinite { .. })), "{outcome}");
}

#[test]
fn from_the_statuses_of_the_solution_no_pivots_are_needed() {
    for (seed, n) in [(5, 30), (6, 100)] {
        let (mut problem, _) = random_definite(seed, n);
        problem.upper.iter_mut().step_by(3).for_each(|u| *u = 0.2);
        problem.lower.iter_mut().step_by(7).for_each(|l| *l = f64::NEG_INFINITY);
        for mut solver in all() {
            let start = vec![ActiveSetStatus::Lower; n];
            let (z, statuses, first) = problem.solve_from(solver.as_mut(), start);
            assert!(first.solved().is_some() && first.pivots() > 0, "{}: {first}", solver.name());
            let (again, same, second) = problem.solve_from(solver.as_mut(), statuses.clone());
            assert!(
                second.solved().is_some() && second.pivots() == 0,
                "{}: {second}",
                solver.name()
            );
            assert_eq!(statuses, same, "{}", solver.name());
            let change = z.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(change < 1e-12, "{}: {change:e}", solver.name());
        }
    }
}
