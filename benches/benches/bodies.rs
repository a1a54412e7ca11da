//! Steps of systems with bodies: chains, limbs with muscles, and the jaw with tongue and hyoid, whose share of real time is
//! printed.

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::model::Model;
use sinew::ode::Method;
use sinew::solve::{
    BodyCoordinates, ImplicitMode, Integrator, MechSystemSolver, SolverSettings, VariableStep,
};
use sinew::system::{CompiledModel, State};
use sinew_benches::{limbs, quick};
use sinew_datasets::Params;

/// Step of runs that say nothing else [s].
const H: f64 = 0.01;

struct Run {
    compiled: CompiledModel,
    solver: MechSystemSolver,
    state: State,
    /// Step [s].
    h: f64,
}

impl Run {
    fn new(model: &Model, integrator: Integrator) -> Self {
        let compiled = model.compile().expect("built-in models compile");
        let settings = SolverSettings { integrator, ..SolverSettings::default() };
        let solver = MechSystemSolver::new(&compiled, settings).expect("they can be solved");
        let state = compiled.initial_state();
        Self { compiled, solver, state, h: H }
    }

    fn step(&mut self) {
        self.solver.step(&self.compiled, &mut self.state, self.h).expect("the step is taken");
    }
}

fn built_in(name: &str, params: &[(&str, &str)]) -> Model {
    let builtin = sinew_datasets::find(name).expect("it is a built-in");
    let given: Vec<String> = params.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut params = Params::parse(&given).expect("parameters are well formed");
    (builtin.build)(&mut params).expect("parameters are in range")
}

fn chains(c: &mut Criterion) {
    let mut group = c.benchmark_group("bodies/chain");
    for links in if quick() { &["10"][..] } else { &["10", "100"] } {
        let model = built_in("chain", &[("n", links)]);
        let rules = [
            ("backward_euler", Integrator::BackwardEuler(ImplicitMode::Linearized)),
            ("trapezoidal", Integrator::Trapezoidal(ImplicitMode::Linearized)),
        ];
        for (name, rule) in rules {
            let mut run = Run::new(&model, rule);
            group.bench_function(format!("{links}/{name}"), |b| b.iter(|| run.step()));
        }
    }
    group.finish();
}

/// 10 ms of chains by Dormand-Prince at 1e-6, with their bodies in natural coordinates and by quaternions.
fn natural(c: &mut Criterion) {
    let mut group = c.benchmark_group("bodies/variable");
    for links in if quick() { &["10"][..] } else { &["10", "100", "1000"] } {
        let model = built_in("chain", &[("n", links)]);
        let forms =
            [("natural", BodyCoordinates::Natural), ("quaternions", BodyCoordinates::Quaternions)];
        for (name, coordinates) in forms {
            let (method, tolerance) = (Method::DormandPrince, 1e-6);
            let (relative, absolute) = (tolerance, tolerance);
            let rule = VariableStep { method, relative, absolute, coordinates };
            let mut run = Run::new(&model, Integrator::Variable(rule));
            group.bench_function(format!("{links}/{name}"), |b| b.iter(|| run.step()));
        }
    }
    group.finish();
}

/// Musculoskeletal shapes: 13 bodies with 24 muscles, and 25 with 48.
fn musculoskeletal(c: &mut Criterion) {
    let mut group = c.benchmark_group("bodies/limbs");
    for links in [3, 6] {
        let rule = Integrator::BackwardEuler(ImplicitMode::Linearized);
        let mut run = Run::new(&limbs(4, links), rule);
        run.h = 1e-3;
        group.bench_function(format!("4x{links}"), |b| b.iter(|| run.step()));
    }
    group.finish();
}

/// The opening and closing of the mouth, from the start each time.
fn jaw(c: &mut Criterion) {
    let model = built_in("jaw-tongue-hyoid", &[]);
    let rule = Integrator::BackwardEuler(ImplicitMode::Linearized);
    let (seconds, steps) = if quick() { (0.02, 2) } else { (1.0, 100) };
    let mut run = Run::new(&model, rule);
    let start = Instant::now();
    (0..steps).for_each(|_| run.step());
    let share = start.elapsed().as_secs_f64() / seconds;
    println!("jaw-tongue-hyoid: {share:.2} of real time at a step of {H} s (1 is the target)");
    c.bench_function("bodies/jaw-tongue-hyoid", |b| b.iter(|| run.step()));
}

criterion_group!(benches, chains, natural, musculoskeletal, jaw);
criterion_main!(benches);
