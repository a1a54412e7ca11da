//! Bodies, attachments and joints cost tissue next to nothing where systems are solved by iterations, and change
//! nothing of the result.

use sinew::model::Model;
use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::State;
use sinew_datasets::{Params, find};

fn built(name: &str, arguments: &[&str]) -> Model {
    (find(name).unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// The state after some steps of 10 ms, and the iterations of the last of them.
fn run(model: &Model, settings: SolverSettings, steps: usize) -> (State, usize) {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut iterations = 0;
    for _ in 0..steps {
        let stats = solver.step(&compiled, &mut state, 0.01).unwrap();
        assert_eq!(stats.factorizations == 0, stats.cg_iterations > 0, "{stats:?}");
        iterations = stats.cg_iterations;
    }
    (state, iterations)
}

fn by(linear_solver: LinearSolver, cg_tolerance: f64) -> SolverSettings {
    SolverSettings { linear_solver, cg_tolerance, ..SolverSettings::default() }
}

/// 5,920 hexahedra: two levels of multigrid, with two bodies that move, attached points, springs and two rows.
const RESOLUTION: &str = "resolution=2";
/// The tissue of the tongue alone; nearly incompressible tissue is another matter for iterations.
const PASSIVE: &str = "tongue=passive";

#[test]
fn iterations_and_a_factor_take_the_jaw_the_same_way() {
    let model = built("jaw-tongue-hyoid", &[RESOLUTION, PASSIVE]);
    let (exact, _) = run(&model, by(LinearSolver::Direct, 1e-8), 2);
    for (tolerance, allowed) in [(1e-10, 1e-9), (1e-5, 1e-6)] {
        let (state, _) = run(&model, by(LinearSolver::ConjugateGradients, tolerance), 2);
        let pairs = exact.q.iter().zip(&state.q);
        let error = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        // Positions in m; the tongue moves by millimetres.
        assert!(error < allowed, "{error} m at {tolerance}");
        let scale = exact.multipliers.iter().fold(0.0, |most: f64, l| most.max(l.abs()));
        for (a, b) in exact.multipliers.iter().zip(&state.multipliers) {
            assert!((a - b).abs() < 1e3 * allowed * scale, "{a} N by a factor, {b} N");
        }
    }
}

/// Within a fifth: bodies stand on every level, and rows are met by every iterate. What is left is that the
/// iterations of a step begin conjugate gradients anew.
#[test]
fn a_tongue_between_bones_takes_hardly_more_iterations_than_alone() {
    let coupled = built("jaw-tongue-hyoid", &[RESOLUTION, PASSIVE]);
    let alone = built("tongue", &[RESOLUTION]);
    let settings = by(LinearSolver::ConjugateGradients, 1e-8);
    let counts = [coupled, alone].map(|model| run(&model, settings, 2).1);
    assert!(counts[1] > 10, "{counts:?}: multigrid has more than one level");
    assert!(counts[0] as f64 <= 1.2 * counts[1] as f64, "{counts:?}");
}

#[test]
fn iterations_of_coupled_systems_do_not_depend_on_the_number_of_threads() {
    let model = built("jaw-tongue-hyoid", &[RESOLUTION, PASSIVE]);
    let states = [1, 2].map(|threads| {
        let pool = rayon_pool(threads);
        pool.install(|| run(&model, by(LinearSolver::ConjugateGradients, 1e-6), 2).0)
    });
    assert_eq!(states[0].q, states[1].q);
    assert_eq!(states[0].u, states[1].u);
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}
