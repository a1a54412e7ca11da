//! Steps of bodies and tissues in contact: a soft cube at rest on a plate, stacks, heaps.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::model::Model;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};
use sinew_benches::quick;
use sinew_datasets::Params;

// The models of the tests of contact, of which these are the heaps.
#[path = "../../core/tests/touch/heap_scene.rs"]
mod heap_scene;
#[allow(dead_code)]
#[path = "../../core/tests/touch/scenes.rs"]
mod scenes;

struct Run {
    compiled: CompiledModel,
    solver: MechSystemSolver,
    state: State,
    /// Length of a step [s].
    h: f64,
}

impl Run {
    /// A built-in model after so many steps of `h`.
    fn new(name: &str, params: &[&str], (h, steps): (f64, usize)) -> Self {
        let builtin = sinew_datasets::find(name).expect("it is a built-in");
        let mut params = Params::parse(params).expect("parameters are well formed");
        Self::of(&(builtin.build)(&mut params).expect("they are in range"), (h, steps))
    }

    fn of(model: &Model, (h, steps): (f64, usize)) -> Self {
        let compiled = model.compile().expect("the model compiles");
        let solver = MechSystemSolver::new(&compiled, SolverSettings::default());
        let solver = solver.expect("it can be solved");
        let state = compiled.initial_state();
        let mut run = Self { compiled, solver, state, h };
        (0..steps).for_each(|_| run.step());
        run
    }

    fn step(&mut self) {
        self.solver.step(&self.compiled, &mut self.state, self.h).expect("the step is taken");
    }
}

/// In contact from the ninth step of 5 ms on, as in the runs of ArtiSynth: 26 ms a step at n = 8 and 377 ms at
/// n = 16 there.
fn plates(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/plate");
    group.sample_size(10);
    for cells in if quick() { &["n=4"][..] } else { &["n=4", "n=8", "n=16"] } {
        let mut run = Run::new("plate", &[cells], (0.005, 20));
        assert!(!run.state.contacts.is_empty(), "the cube touches the plate");
        group.bench_function(*cells, |b| b.iter(|| run.step()));
    }
    group.finish();
}

fn stacks(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/boxes");
    for count in if quick() { &["n=3"][..] } else { &["n=3", "n=20"] } {
        let mut run = Run::new("boxes", &[count], (0.01, 30));
        group.bench_function(*count, |b| b.iter(|| run.step()));
    }
    group.finish();
}

/// After 0.5 s, when they lie on each other.
fn heaps(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/heap");
    group.sample_size(10);
    for count in if quick() { &[8][..] } else { &[8, 40] } {
        let (model, _) = heap_scene::heap(*count, if *count > 16 { 4 } else { 2 });
        let mut run = Run::of(&model, (0.005, 100));
        group.bench_function(count.to_string(), |b| b.iter(|| run.step()));
    }
    group.finish();
}

criterion_group!(benches, plates, stacks, heaps);
criterion_main!(benches);
