//! Factorization and conjugate gradients: against dense matrices, against each other, and on
//! matrices that have no solution or no definite sign.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::linalg::{
    BlockJacobi, BlockMatrix, BlockPattern, CgLimits, CgOutcome, CgWorkspace, Definiteness,
    FactorError, SparseCholesky, norm,
};
use sinew::model::{Model, Particle};
use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use crate::fixture::{Numbers, dense, in_pool};

const LIMITS: CgLimits = CgLimits { tolerance: 1e-12, max_iterations: 1000 };

/// A random symmetric matrix on a random connected pattern of `size` rows, with `shift` added to
/// its diagonal beyond what makes it diagonally dominant.
fn random_matrix(size: usize, numbers: &mut Numbers, shift: f64) -> BlockMatrix {
    let mut pick = |below: usize| ((numbers.next() * 0.5 + 0.5) * below as f64) as u32;
    let mut cliques: Vec<Vec<u32>> = (1..size).map(|i| vec![i as u32, pick(i)]).collect();
    cliques.extend((0..size).map(|_| vec![pick(size), pick(size), pick(size)]));
    let pattern = BlockPattern::from_cliques(size, |visit| cliques.iter().for_each(|c| visit(c)));
    let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
    let pattern = matrix.pattern().clone();
    for row in 0..size as u32 {
        for slot in pattern.row(row as usize) {
            let column = pattern.columns()[slot];
            if column < row {
                continue;
            }
            let other = pattern.slot(column, row).unwrap() as usize;
            for (i, j) in (0..9).map(|k| (k % 3, k / 3)) {
                let value = numbers.next();
                matrix.values_mut()[9 * slot + i + 3 * j] = value;
                matrix.values_mut()[9 * other + j + 3 * i] = value;
            }
        }
    }
    let full = dense(&matrix);
    for row in 0..size {
        for axis in 0..3 {
            let sum = full.row(3 * row + axis).abs().sum();
            matrix.values_mut()[9 * pattern.diagonal(row) + 4 * axis] += sum + shift;
        }
    }
    matrix
}

/// Solution for the free scalars, the fixed ones given, by a dense LU factorization.
fn dense_solution(matrix: &BlockMatrix, fixed: &[[bool; 3]], b: &[Vec3], x: &[Vec3]) -> Vec<Vec3> {
    let mut full = dense(matrix);
    let mut rhs = DVector::from_iterator(3 * b.len(), b.iter().flat_map(|v| v.iter().copied()));
    for i in (0..3 * b.len()).filter(|i| fixed[i / 3][i % 3]) {
        full.row_mut(i).fill(0.0);
        full[(i, i)] = 1.0;
        rhs[i] = x[i / 3][i % 3];
    }
    let solution = full.lu().solve(&rhs).unwrap();
    solution.as_slice().as_chunks::<3>().0.iter().map(|c| Vec3::from(*c)).collect()
}

fn error(a: &[Vec3], b: &[Vec3]) -> f64 {
    let difference: Vec<Vec3> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    norm(&difference) / norm(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn factor_and_conjugate_gradients_solve_what_a_dense_matrix_solves(
        size in 1usize..60,
        seed in any::<u64>(),
        fixed_part in 0.0f64..0.6,
    ) {
        let mut numbers = Numbers(seed);
        let matrix = random_matrix(size, &mut numbers, 0.1);
        let fixed: Vec<[bool; 3]> = (0..size)
            .map(|_| [(); 3].map(|()| numbers.next() * 0.5 + 0.5 < fixed_part))
            .collect();
        let b = numbers.vectors(size, 1.0);
        let mut given = numbers.vectors(size, 1.0);
        let expected = dense_solution(&matrix, &fixed, &b, &given);

        let mut by_cg = given.clone();
        let mut jacobi = BlockJacobi::new(size);
        jacobi.update(&matrix, &fixed);
        let outcome = CgWorkspace::new(size)
            .solve((&matrix, &fixed), &mut jacobi, &b, &mut by_cg, LIMITS);
        prop_assert!(matches!(outcome, CgOutcome::Converged { .. }), "{outcome:?}");
        prop_assert!(error(&by_cg, &expected) < 1e-10, "cg {:.1e}", error(&by_cg, &expected));

        // The factor knows free scalars only: the fixed ones go to the right side.
        for (x, fixed) in given.iter_mut().zip(&fixed) {
            (0..3).filter(|&a| !fixed[a]).for_each(|a| x[a] = 0.0);
        }
        let mut rhs = vec![Vec3::zeros(); size];
        matrix.mul(&given, &mut rhs);
        rhs.iter_mut().zip(&b).for_each(|(r, b)| *r = b - *r);
        let mut factor = SparseCholesky::new(matrix.pattern(), &fixed).unwrap();
        prop_assert_eq!(factor.unknown_count(), fixed.iter().flatten().filter(|h| !**h).count());
        prop_assert_eq!(factor.factor(&matrix).unwrap(), Definiteness::Positive);
        factor.solve(&rhs, &mut given);
        prop_assert!(error(&given, &expected) < 1e-12, "factor {:.1e}", error(&given, &expected));
    }
}

/// A random matrix with the sign of some rows and columns of its diagonal turned.
fn indefinite_matrix() -> BlockMatrix {
    let mut matrix = random_matrix(30, &mut Numbers(7), 1.0);
    let pattern = matrix.pattern().clone();
    for row in (0..30).step_by(4) {
        (0..3).for_each(|axis| matrix.values_mut()[9 * pattern.diagonal(row) + 4 * axis] *= -1.0);
    }
    matrix
}

#[test]
fn an_indefinite_matrix_is_recognized_and_still_solved_by_its_factor() {
    let matrix = indefinite_matrix();
    let fixed = vec![[false; 3]; 30];
    let negative = dense(&matrix).symmetric_eigenvalues().iter().filter(|l| **l < 0.0).count();
    assert_eq!(negative, 24, "the matrix of this test has both signs");
    let b = Numbers(8).vectors(30, 1.0);
    let mut x = vec![Vec3::zeros(); 30];
    let mut factor = SparseCholesky::new(matrix.pattern(), &fixed).unwrap();
    assert_eq!(factor.factor(&matrix).unwrap(), Definiteness::Indefinite);
    factor.solve(&b, &mut x);
    let expected = dense_solution(&matrix, &fixed, &b, &x);
    // Without pivoting some digits are lost; the solver of a step refines.
    assert!(error(&x, &expected) < 1e-8, "{:.1e}", error(&x, &expected));
    // The same memory factors a definite matrix afterwards.
    let definite = random_matrix(30, &mut Numbers(7), 1.0);
    assert_eq!(factor.factor(&definite).unwrap(), Definiteness::Positive);
}

#[test]
fn conjugate_gradients_stop_at_negative_curvature() {
    let matrix = indefinite_matrix();
    let fixed = vec![[false; 3]; 30];
    let mut jacobi = BlockJacobi::new(30);
    jacobi.update(&matrix, &fixed);
    let (b, mut x) = (Numbers(8).vectors(30, 1.0), vec![Vec3::zeros(); 30]);
    let outcome = CgWorkspace::new(30).solve((&matrix, &fixed), &mut jacobi, &b, &mut x, LIMITS);
    assert!(matches!(outcome, CgOutcome::Indefinite { .. }), "{outcome:?}");
}

#[test]
fn conjugate_gradients_report_what_they_reached_at_their_last_iteration() {
    let matrix = random_matrix(60, &mut Numbers(3), 1e-3);
    let fixed = vec![[false; 3]; 60];
    let mut jacobi = BlockJacobi::new(60);
    jacobi.update(&matrix, &fixed);
    let (b, mut x) = (Numbers(4).vectors(60, 1.0), vec![Vec3::zeros(); 60]);
    let limits = CgLimits { max_iterations: 2, ..LIMITS };
    let outcome = CgWorkspace::new(60).solve((&matrix, &fixed), &mut jacobi, &b, &mut x, limits);
    let CgOutcome::IterationLimit { residual } = outcome else { panic!("{outcome:?}") };
    let mut product = vec![Vec3::zeros(); 60];
    matrix.mul(&x, &mut product);
    let true_residual = error(&product, &b);
    assert!((residual / true_residual - 1.0).abs() < 1e-10, "{residual}, {true_residual}");
}

#[test]
fn conjugate_gradients_follow_prescribed_scalars_without_any_load() {
    let matrix = random_matrix(20, &mut Numbers(5), 0.1);
    let mut fixed = vec![[false; 3]; 20];
    fixed[3] = [true; 3];
    let mut jacobi = BlockJacobi::new(20);
    jacobi.update(&matrix, &fixed);
    let b = vec![Vec3::zeros(); 20];
    for prescribed in [Vec3::new(1.0, -2.0, 0.5), Vec3::zeros()] {
        let mut x = Numbers(6).vectors(20, 1.0);
        x[3] = prescribed;
        let expected = dense_solution(&matrix, &fixed, &b, &x);
        let outcome =
            CgWorkspace::new(20).solve((&matrix, &fixed), &mut jacobi, &b, &mut x, LIMITS);
        assert!(matches!(outcome, CgOutcome::Converged { .. }), "{outcome:?}");
        let worst = x.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{worst:.1e}");
    }
}

#[test]
fn a_zero_row_is_a_zero_pivot_and_not_a_wrong_solution() {
    let pattern = BlockPattern::from_cliques(3, |visit| visit(&[0, 1]));
    let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
    let pattern = matrix.pattern().clone();
    for row in [0, 1] {
        (0..3).for_each(|axis| matrix.values_mut()[9 * pattern.diagonal(row) + 4 * axis] = 4.0);
    }
    let mut factor = SparseCholesky::new(&pattern, &[[false; 3]; 3]).unwrap();
    assert!(matches!(factor.factor(&matrix), Err(FactorError::ZeroPivot(_))));
    // With the empty row held there is nothing wrong.
    let fixed = [[false; 3], [false; 3], [true; 3]];
    let mut factor = SparseCholesky::new(&pattern, &fixed).unwrap();
    assert_eq!(factor.factor(&matrix), Ok(Definiteness::Positive));
    let (b, mut x) = ([Vec3::repeat(1.0); 3], [Vec3::repeat(9.0); 3]);
    factor.solve(&b, &mut x);
    assert_eq!(x, [Vec3::repeat(0.25), Vec3::repeat(0.25), Vec3::repeat(9.0)]);
}

fn stepped(model: &Model, settings: SolverSettings, steps: usize) -> Vec<Vec3> {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    assert_eq!(solver.linear_solver(), settings.linear_solver);
    for _ in 0..steps {
        let stats = solver.step(&compiled, &mut state, 0.01).unwrap();
        assert!(stats.residual <= settings.cg_tolerance, "{stats:?}");
        match settings.linear_solver {
            LinearSolver::Direct => assert!(stats.factorizations == 1 && stats.factor_nnz > 0),
            _ => assert!(stats.cg_iterations > 0 && stats.factorizations == 0),
        }
    }
    state.u
}

fn by(linear_solver: LinearSolver) -> SolverSettings {
    SolverSettings { linear_solver, cg_tolerance: 1e-11, ..SolverSettings::default() }
}

/// A beam and, coupled to nothing, one free particle.
fn beam_and_particle() -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: [8, 2, 2] };
    let law = Law::NeoHookean;
    let mut model = beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap();
    model.add(Particle::new(1e-3, Vec3::new(0.0, 3.0, 0.0)).velocity(Vec3::x()).named("loose"));
    model
}

#[test]
fn steps_factored_and_by_conjugate_gradients_agree() {
    let model = beam_and_particle();
    let direct = stepped(&model, by(LinearSolver::Direct), 10);
    let cg = stepped(&model, by(LinearSolver::ConjugateGradients), 10);
    assert!(error(&cg, &direct) < 1e-8, "{:.1e}", error(&cg, &direct));
}

/// Runs `steps` steps and returns the positions and the factorizations made.
fn counted(
    solver: &mut MechSystemSolver,
    compiled: &CompiledModel,
    steps: usize,
) -> (State, usize) {
    let mut state = compiled.initial_state();
    let step = |_| solver.step(compiled, &mut state, 0.005).unwrap().factorizations;
    let factorizations = (0..steps).map(step).sum();
    (state, factorizations)
}

#[test]
fn old_factors_save_factorizations_and_change_nothing_beyond_their_tolerance() {
    let model = beam(&BeamParams::default()).unwrap();
    let compiled = model.compile().unwrap();
    let solver = |kind| MechSystemSolver::new(&compiled, by(kind)).unwrap();
    let (direct, made) = counted(&mut solver(LinearSolver::Direct), &compiled, 30);
    assert_eq!(made, 30);
    let (hybrid, made) = counted(&mut solver(LinearSolver::Hybrid), &compiled, 30);
    assert!((1..20).contains(&made), "{made} factorizations in 30 steps");
    // 30 solves to 1e-11 of a right side that is mostly momentum.
    assert!(error(&hybrid.q, &direct.q) < 1e-9, "{:e}", error(&hybrid.q, &direct.q));
}

#[test]
fn a_solver_that_forgets_repeats_its_steps_bit_for_bit() {
    let model = beam(&BeamParams::default()).unwrap();
    let compiled = model.compile().unwrap();
    // Kept are an old factor, and velocities to extrapolate.
    for kind in [LinearSolver::Hybrid, LinearSolver::ConjugateGradients] {
        let mut solver = MechSystemSolver::new(&compiled, by(kind)).unwrap();
        let first = counted(&mut solver, &compiled, 10);
        assert_ne!(counted(&mut solver, &compiled, 10), first, "{kind:?} kept nothing");
        solver.forget();
        assert_eq!(counted(&mut solver, &compiled, 10), first, "{kind:?}");
    }
}

/// The mean over a fall of a beam; a step begins with velocities that are extrapolated.
#[test]
fn steps_that_follow_each_other_take_fewer_iterations_than_those_that_know_nothing() {
    let compiled = beam(&BeamParams::default()).unwrap().compile().unwrap();
    let settings = SolverSettings { cg_tolerance: 1e-5, ..by(LinearSolver::ConjugateGradients) };
    let iterations = |forgets: bool| {
        let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let mut state = compiled.initial_state();
        let mut step = |_| {
            if forgets {
                solver.forget();
            }
            solver.step(&compiled, &mut state, 0.005).unwrap().cg_iterations
        };
        (0..30).map(&mut step).sum::<usize>()
    };
    let (following, alone) = (iterations(false), iterations(true));
    assert!(20 * following < 19 * alone, "{following} iterations, {alone} without guesses");
}

/// A tolerance of 1e-5 changes the motion far less than the length of the step does.
#[test]
fn what_the_default_tolerance_leaves_is_far_below_the_error_of_the_step() {
    let compiled = beam(&BeamParams::default()).unwrap().compile().unwrap();
    let end = |cg_tolerance: f64, steps: usize| {
        let settings = SolverSettings { cg_tolerance, ..by(LinearSolver::ConjugateGradients) };
        let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let mut state = compiled.initial_state();
        for _ in 0..steps {
            solver.step(&compiled, &mut state, 0.2 / steps as f64).unwrap();
        }
        state.u
    };
    let exact = end(1e-12, 20);
    let of_tolerance = error(&end(SolverSettings::default().cg_tolerance, 20), &exact);
    let of_step = error(&end(1e-12, 40), &exact);
    assert!(of_tolerance < 1e-3 * of_step, "{of_tolerance:.1e} beside {of_step:.1e}");
    assert!(of_tolerance > 1e-9, "{of_tolerance:.1e}: the default tolerance is not in force");
}

#[test]
fn a_piece_that_is_coupled_to_nothing_falls_freely_beside_the_rest() {
    let model = beam_and_particle();
    let compiled = model.compile().unwrap();
    let row = compiled.block_of_particle(compiled.particles()[0]);
    for solver in [LinearSolver::Direct, LinearSolver::ConjugateGradients] {
        let u = stepped(&model, by(solver), 10)[row];
        let error = (u - Vec3::new(1.0, 0.0, -0.98)).norm();
        assert!(error < 1e-9, "{solver:?}: {u:?}");
    }
}

/// The memory of a factor is for the threads that it was made for; more of them later do no harm.
#[test]
fn a_solver_made_in_a_small_pool_steps_in_a_larger_one() {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: [30, 17, 17] };
    let model = beam(&BeamParams { grid, ..BeamParams::default() }).unwrap();
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = in_pool(1, || {
        let mut solver = MechSystemSolver::new(&compiled, by(LinearSolver::Direct)).unwrap();
        solver.step(&compiled, &mut state, 0.01).unwrap();
        solver
    });
    in_pool(4, || solver.step(&compiled, &mut state, 0.01).map(|_| ())).unwrap();
}

#[test]
fn an_empty_set_of_unknowns_is_solved() {
    let pattern = BlockPattern::from_cliques(2, |visit| visit(&[0, 1]));
    let matrix = BlockMatrix::zeros(Arc::new(pattern));
    let mut factor = SparseCholesky::new(matrix.pattern(), &[[true; 3]; 2]).unwrap();
    assert_eq!(factor.factor(&matrix), Ok(Definiteness::Positive));
    let mut x = [Vec3::x(); 2];
    factor.solve(&[Vec3::y(); 2], &mut x);
    assert_eq!(x, [Vec3::x(); 2]);
    assert_eq!(dense(&matrix), DMatrix::zeros(6, 6));
}
