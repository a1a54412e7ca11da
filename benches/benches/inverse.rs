//! Steps that look for excitations beside steps that do not, and gradients of runs beside the runs: the jaw with its muscles,
//! the tongue with eleven. The ratios are printed.

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::adjoint::{Parameter, StateVector, Trajectory};
use sinew::axial::AxialLaw;
use sinew::axial::active::Thelen2003;
use sinew::component::{FemPart, Handle};
use sinew::inverse::{
    MotionTarget, TrackedExcitation, TrackingController, TrackingRule, TrackingSettings,
};
use sinew::model::{FemModel, Model, MultiPointSpring};
use sinew::property::Value;
use sinew::schedule::{Signal, Simulation};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State};
use sinew_benches::{limbs, quick};
use sinew_datasets::Params;

/// Length of a step [s].
const H: f64 = 0.01;

fn built_in(name: &str, given: &[&str]) -> Model {
    let builtin = sinew_datasets::find(name).expect("it is a built-in");
    let given: Vec<String> = given.iter().map(|it| (*it).to_owned()).collect();
    let mut params = Params::parse(&given).expect("parameters are well formed");
    (builtin.build)(&mut params).expect("parameters are in range")
}

/// Six numbers of the mandible, and the muscles along lines.
fn jaw(params: &[&str]) -> (Model, Vec<MotionTarget>, Vec<TrackedExcitation>) {
    let model = built_in("jaw-tongue-hyoid", &[&["task=rest"], params].concat());
    let targets = ["frame_markers/lower_incisor:position", "rigid_bodies/mandible:orientation"];
    let target = |path: &str| {
        MotionTarget::at(&model, &format!("/models/jaw-tongue-hyoid/{path}")).expect("it is there")
    };
    let targets = targets.map(target).to_vec();
    let is_line =
        |it: &TrackedExcitation| sinew::inverse::rigid::MuscleTensions::is_line(it.component);
    let muscles = TrackedExcitation::muscles(&model).into_iter().filter(is_line).collect();
    (model, targets, muscles)
}

/// Twenty nodes of the dorsum, and eleven exciters.
fn tongue() -> (Model, Vec<MotionTarget>, Vec<TrackedExcitation>) {
    let model = built_in("tongue", &["task=rest"]);
    let (handle, fem) = model.iter::<FemModel>().next().expect("there is a tissue");
    let nodes = &fem.mesh.node_sets["dorsum"];
    let target = |k: usize| {
        let node = nodes[k * nodes.len() / 20];
        let host = model.path(FemPart::Nodes.address(handle, node));
        MotionTarget::at(&model, &format!("{host}:position")).expect("it is there")
    };
    let targets = (0..20).map(target).collect();
    let exciters = TrackedExcitation::exciters(&model);
    (model, targets, exciters)
}

/// A simulation that follows its targets to a millimetre forward, or one that does not look.
fn simulation(
    (model, targets, excited): &(Model, Vec<MotionTarget>, Vec<TrackedExcitation>),
    follows: bool,
) -> Simulation {
    let solver = SolverSettings::default();
    let mut simulation = Simulation::new(model.clone(), solver).expect("it compiles");
    if follows {
        let now = targets.iter().map(|it| it.now(&mut simulation).expect("it is simulated"));
        let start: Vec<f64> = now.flatten().collect();
        let desired = move |time: f64, values: &mut [f64]| {
            values.iter_mut().zip(&start).for_each(|(value, start)| *value = start + 0.002 * time);
        };
        let settings = TrackingSettings {
            rule: TrackingRule::Chase { time: 0.05 },
            ..TrackingSettings::default()
        };
        let following = (targets.clone(), Box::new(desired) as Box<dyn Signal>);
        let controller =
            TrackingController::new(model, following, excited.clone(), (settings, solver));
        let controller = controller.expect("targets and excitations are in range");
        simulation.add_controller_object("inverse", Box::new(controller));
    }
    simulation
}

/// Seconds of a step after a first one, the least of three runs.
fn seconds(make: impl Fn() -> Simulation) -> f64 {
    let steps = if quick() { 2 } else { 30 };
    let run = |_| {
        let mut simulation = make();
        simulation.step(H).expect("the step is taken");
        let start = Instant::now();
        (0..steps).for_each(|_| simulation.step(H).map(drop).expect("the step is taken"));
        start.elapsed().as_secs_f64() / f64::from(steps)
    };
    (0..if quick() { 1 } else { 3 }).map(run).fold(f64::INFINITY, f64::min)
}

fn tracking(c: &mut Criterion) {
    let scenes = [
        ("jaw", jaw(&[])),
        ("jaw, passive tongue", jaw(&["tongue=passive"])),
        ("tongue", tongue()),
    ];
    for (name, scene) in &scenes {
        let [plain, follows] = [false, true].map(|it| seconds(|| simulation(scene, it)));
        let (targets, count) =
            (scene.1.iter().map(MotionTarget::size).sum::<usize>(), scene.2.len());
        println!(
            "{name}: {count} excitations, {targets} numbers: {:.2} ms a step, {:.2} ms following, {:.2} times",
            1e3 * plain,
            1e3 * follows,
            follows / plain
        );
        let mut simulation = simulation(scene, true);
        let id = format!("inverse/follow/{name}");
        c.bench_function(&id, |b| b.iter(|| simulation.step(H).is_ok()));
    }
}

/// Largest time of a gradient over that of its run.
const MOST: f64 = 3.0;

/// A gradient of the sum of all positions by numbers of the model, beside the run that it is of.
fn gradient(name: &str, model: &Model, paths: &[String]) {
    let settings = SolverSettings::default().differentiable();
    let steps = if quick() { 2 } else { 100 };
    let trajectory = Trajectory { model, settings, step: H, steps };
    let constant = |path: &String| Parameter::constant(model, path).expect("it is a number");
    let parameters: Vec<Parameter> = paths.iter().map(constant).collect();
    let start = Instant::now();
    trajectory.observe(None, &parameters, &[]).expect("the run is made");
    let forward = start.elapsed().as_secs_f64();
    let mut sum = |_: usize, state: &State, _: &CompiledModel, gradient: &mut StateVector| {
        gradient.q.iter_mut().for_each(|by| by.add_scalar_mut(1.0));
        state.q.iter().map(|q| q.sum()).sum()
    };
    let start = Instant::now();
    trajectory.gradient(None, &parameters, &mut sum).expect("it has a gradient");
    let backward = start.elapsed().as_secs_f64();
    let ratio = backward / forward;
    println!(
        "{name}: a run of {steps} steps {forward:.3} s, its gradient by {} numbers {backward:.3} s, {ratio:.2} times",
        paths.len()
    );
    assert!(quick() || ratio < MOST, "{name}: {ratio} times");
}

/// Gives each excitation another share of a level; their paths.
fn excite(model: &mut Model, excited: Vec<TrackedExcitation>, level: f64) -> Vec<String> {
    let mut paths = Vec::new();
    for (k, it) in excited.into_iter().enumerate() {
        let property = model.property_of(it.component, "excitation").expect("it is excited");
        let share = 0.3 + 0.1 * ((3 * k) % 7) as f64;
        model.set_property(&property, Value::Real(level * share)).expect("it is in range");
        paths.push(model.property_path(&property));
    }
    paths
}

/// A trunk with a limb of two links, whose muscles have elastic tendons.
fn on_elastic_tendons() -> Model {
    let mut model = limbs(1, 2);
    let law = AxialLaw::Thelen2003(Thelen2003 {
        max_isometric_force: 300.0,
        optimal_fibre_length: 0.15,
        tendon_slack_length: 0.17,
        ..Thelen2003::default()
    });
    let lines: Vec<Handle<MultiPointSpring>> =
        model.iter::<MultiPointSpring>().map(|(handle, _)| handle).collect();
    lines.into_iter().for_each(|line| model[line].material = law);
    model
}

fn gradients(_: &mut Criterion) {
    let beam = built_in("beam", &[]);
    gradient("beam", &beam, &["/models/beam/fem_models/beam:density".to_owned()]);
    let tongue = built_in("tongue", &[]);
    let density = "/models/tongue/fem_models/tongue:density".to_owned();
    gradient("tongue without muscles", &tongue, &[density]);
    let mut tongue = built_in("tongue", &["task=rest"]);
    let exciters = TrackedExcitation::exciters(&tongue);
    let excitations = excite(&mut tongue, exciters, 0.02);
    gradient("tongue, active", &tongue, &excitations);
    let mut limb = on_elastic_tendons();
    let muscles = TrackedExcitation::muscles(&limb);
    let excitations = excite(&mut limb, muscles, 0.3);
    gradient("limb on elastic tendons", &limb, &excitations);
    let chain = built_in("chain", &["n=5"]);
    let body = chain.iter::<sinew::model::RigidBody>().map(|(handle, _)| chain.path(handle));
    let path = format!("{}:inertial_damping", body.last().expect("it has bodies"));
    gradient("chain of 5", &chain, &[path]);
    let jaw = built_in("jaw-tongue-hyoid", &["task=rest", "tongue=passive"]);
    let path = "/models/jaw-tongue-hyoid/rigid_bodies/mandible:inertial_damping".to_owned();
    gradient("jaw, passive tongue", &jaw, &[path]);
    let mut jaw = built_in("jaw-tongue-hyoid", &["task=rest"]);
    let mut muscles = TrackedExcitation::muscles(&jaw);
    muscles.truncate(6);
    let excitations = excite(&mut jaw, muscles, 0.02);
    gradient("jaw with its active tongue", &jaw, &excitations);
}

criterion_group!(benches, tracking, gradients);
criterion_main!(benches);
