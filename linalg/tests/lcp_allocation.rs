//! A second solve of no larger size allocates nothing: counted by the allocator. A binary of its own,
//! which has the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sinew_linalg::lcp::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel, Outcome,
    QuadraticProgram, QuadraticSolver,
};

#[allow(dead_code)]
#[path = "lcp/problems.rs"]
mod problems;

use problems::{Recipe, all, random_definite, random_problem};

/// Counts what each thread takes: those of the test harness take memory as they like.
struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Nothing to count for a thread that ends.
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made by the second of two calls.
fn taken_by_second(mut work: impl FnMut()) -> usize {
    let before = TAKEN.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(TAKEN.get() - before, 1, "the allocator does not count");
    work();
    let before = TAKEN.get();
    work();
    TAKEN.get() - before
}

#[test]
fn a_second_solve_allocates_nothing() {
    let mut recipe =
        Recipe { seed: 8, n: 40, rank: 44, bounds: true, degenerate: true, decades: 1.0 };
    let mixed = random_problem(recipe);
    (recipe.seed, recipe.n) = (9, 30);
    let smaller = random_problem(recipe);
    // Not symmetric, definite.
    let (mut skewed, _) = random_definite(3, 40);
    for i in 0..40 {
        for j in 0..i {
            skewed.matrix[40 * i + j] += 0.3;
            skewed.matrix[40 * j + i] -= 0.3;
        }
    }
    for [first, second] in [[&mixed, &smaller], [&mixed, &mixed], [&skewed, &skewed]] {
        for mut solver in all() {
            let (mut z, mut statuses) = (vec![0.0; 40], vec![ActiveSetStatus::Lower; 40]);
            let mut call = 0;
            let taken = taken_by_second(|| {
                let problem = if call == 0 { first } else { second };
                call += 1;
                let n = problem.len();
                statuses.fill(ActiveSetStatus::Lower);
                let outcome = solver.solve(&problem.view(), &mut statuses[..n], &mut z[..n]);
                assert!(outcome.solved().is_some(), "{}: {outcome}", solver.name());
            });
            assert_eq!(taken, 0, "{}", solver.name());
        }
    }
}

#[test]
fn a_second_ray_allocates_nothing() {
    let problem = problems::Problem::unilateral(vec![1.0, -1.0, -1.0, 1.0], vec![-1.0, 0.5]);
    for mut solver in all().into_iter().take(3) {
        let (mut z, mut statuses) = ([0.0; 2], [ActiveSetStatus::Lower; 2]);
        let taken = taken_by_second(|| {
            statuses.fill(ActiveSetStatus::Lower);
            let outcome = solver.solve(&problem.view(), &mut statuses, &mut z);
            assert!(matches!(outcome, Outcome::Ray { .. }), "{}: {outcome}", solver.name());
        });
        assert_eq!(taken, 0, "{}", solver.name());
    }
}

#[test]
fn contacts_and_programs_allocate_nothing_the_second_time() {
    let (definite, _) = random_definite(2, 9);
    let friction = |row: usize| Bound::Friction {
        normal: row / 3 * 3,
        coefficient: 0.3,
        partner: Some(if row % 3 == 1 { row + 1 } else { row - 1 }),
    };
    let bounds: Vec<Bound> =
        (0..9).map(|row| if row % 3 == 0 { Bound::Unilateral } else { friction(row) }).collect();
    for model in [FrictionModel::Box, FrictionModel::Cone4, FrictionModel::Cone8] {
        let problem =
            ContactProblem { matrix: &definite.matrix, q: &[-1.0; 9], bounds: &bounds, model };
        let (mut z, mut statuses) = ([0.0; 9], [ActiveSetStatus::Lower; 9]);
        let mut solver = ContactSolver::default();
        let taken = taken_by_second(|| {
            let outcome = solver.solve(&problem, &mut statuses, &mut z);
            assert!(matches!(outcome, ContactOutcome::Solved { .. }), "{outcome}");
        });
        assert_eq!(taken, 0, "{model:?}");
    }
    let program = QuadraticProgram {
        hessian: &definite.matrix,
        gradient: &definite.q,
        lower: &[-1.0; 9],
        upper: &[1.0; 9],
        rows: &[1.0; 9],
        row_lower: &[0.1],
        row_upper: &[0.3],
    };
    let (mut x, mut y, mut statuses) = ([0.0; 9], [0.0], [ActiveSetStatus::Lower; 10]);
    let mut solver = QuadraticSolver::default();
    let taken = taken_by_second(|| {
        statuses.fill(ActiveSetStatus::Lower);
        assert!(solver.solve(&program, &mut statuses, &mut x, &mut y).solved().is_some());
    });
    assert_eq!(taken, 0);
}
