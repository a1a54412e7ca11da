//! A step allocates nothing after the first ones, on any thread: counted by the allocator.
//! One test in a binary of its own, so that nothing else allocates meanwhile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::model::Model;
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, MechSystemSolver, NewtonSettings, SolverSettings,
    StaticSettings,
};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

/// Counts what all threads take.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(1, Ordering::Relaxed);
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

const WARM_UP: usize = 2;
const COUNTED: usize = 10;

/// Allocations in [`COUNTED`] steps.
fn taken_in_steps(model: &Model, settings: SolverSettings, h: f64) -> usize {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    for _ in 0..WARM_UP {
        solver.step(&compiled, &mut state, h).unwrap();
    }
    let before = TAKEN.load(Ordering::SeqCst);
    for _ in 0..COUNTED {
        solver.step(&compiled, &mut state, h).unwrap();
    }
    TAKEN.load(Ordering::SeqCst) - before
}

/// Runs `work` on a thread of a pool of two. Inside the pool: a call from outside passes through
/// rayon's queue, which takes a block of memory every 63 calls. One pool for all: threads that end
/// give back, and take, memory while the next ones are counted.
fn in_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        // Both threads have taken work from each other: rayon allots what a thread needs for that
        // when it does so first, and short steps may well be over before the other thread has come.
        let both = Barrier::new(2);
        rayon::join(|| both.wait(), || both.wait());
        work()
    })
}

fn model(element: BeamElement, counts: [usize; 3], law: Law) -> Model {
    let grid = BeamGrid::Cells { element, counts };
    beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap()
}

#[test]
fn steps_allocate_nothing_after_the_first_two() {
    let hexahedra = model(BeamElement::Hex, [8, 2, 2], Law::Corotated);
    // 14,520 unknowns. From 25,000 on faer's kernels run in parallel where there is more than one
    // thread, and their tasks take memory.
    let large = model(BeamElement::Hex, [40, 10, 10], Law::Corotated);
    let tetrahedra = model(BeamElement::Tet, [8, 3, 3], Law::NeoHookean);
    let euler = Integrator::default();
    let newton = Integrator::Trapezoidal(ImplicitMode::Newton(NewtonSettings::default()));
    let equilibrium = Integrator::Static(StaticSettings::default());
    let (direct, cg) = (LinearSolver::Direct, LinearSolver::ConjugateGradients);
    let cases = [
        ("hexahedra, factored", &hexahedra, euler, direct, 0.01),
        ("many hexahedra, factored", &large, euler, direct, 0.01),
        ("many hexahedra, multigrid", &large, euler, cg, 0.002),
        ("many hexahedra, old factors", &large, euler, LinearSolver::Hybrid, 0.002),
        ("tetrahedra, conjugate gradients", &tetrahedra, euler, cg, 0.01),
        ("trapezoidal rule, Newton", &tetrahedra, newton, direct, 0.01),
        ("symplectic Euler", &tetrahedra, Integrator::SymplecticEuler, direct, 1e-4),
        ("equilibrium", &hexahedra, equilibrium, direct, 0.01),
    ];
    let before = TAKEN.load(Ordering::SeqCst);
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(TAKEN.load(Ordering::SeqCst) - before, 1, "the allocator does not count");
    let wrong: Vec<(&str, usize)> = in_pool(|| {
        cases
            .iter()
            .map(|&(name, model, integrator, linear_solver, h)| {
                let settings =
                    SolverSettings { integrator, linear_solver, ..SolverSettings::default() };
                (name, taken_in_steps(model, settings, h))
            })
            .filter(|&(_, taken)| taken != 0)
            .collect()
    });
    assert!(wrong.is_empty(), "allocations in {COUNTED} steps: {wrong:?}");
}
