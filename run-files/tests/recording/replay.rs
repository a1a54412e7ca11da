//! A model with muscles, tissue and contact that is fed and recorded comes the same way again, from every
//! waypoint and from a checkpoint in a file.

use std::path::Path;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew::system::State;
use sinew_datasets::{Params, find};
use sinew_run_files::checkpoint::{Checkpoint, model_hash};
use sinew_run_files::spec::ProbeSet;
use sinew_run_files::{Opening, attach};

/// [s]
const STEP: f64 = 0.01;
const STEPS: usize = 12;

/// Jaw, tongue and hyoid, and a block that falls onto the tongue, which is all that it touches.
fn tongue_with_block(touches: bool) -> Model {
    let mut params = Params::parse::<_, &str>([]).unwrap();
    let mut model = (find("jaw-tongue-hyoid").unwrap().build)(&mut params).unwrap();
    let (tongue, fem) = model.fems().next().unwrap();
    let [_, top] = fem.mesh.bounding_box().unwrap();
    let highest = fem.mesh.nodes.iter().max_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
    let half = Vec3::new(0.01, 0.01, 0.002);
    let at = Pose::translation(highest.x, highest.y, top.z + half.z + 2e-4);
    let mesh = cuboid_mesh(&(2.0 * half)).unwrap();
    let block = model.add(RigidBody::from_mesh("block", mesh, 2000.0).at(at));
    if touches {
        let collider = model.add(Collider::boxed(block, half).named("block"));
        model.add(CollisionBehavior::new(collider, tongue, 0.3).named("contact"));
    }
    model
}

/// Muscles that are driven, and what is recorded.
const PROBES: &str = r#"{
    "input_probes": [{
        "name": "drive",
        "properties": [
            "/models/jaw-tongue-hyoid/exciters/0:excitation",
            "/models/jaw-tongue-hyoid/exciters/1:excitation"
        ],
        "data": [[0, 0, 0.1], [0.04, 0.3, 0.2], [0.13, 0.1, 0.4]],
        "interpolation": "cubic"
    }],
    "output_probes": [{
        "name": "energy", "properties": ["/:energy"], "every": 0.004,
        "expressions": { "half": "{/models/jaw-tongue-hyoid/exciters/0:excitation} / 2" }
    }],
    "tracing_probes": [
        { "name": "block", "points": ["/models/jaw-tongue-hyoid/rigid_bodies/block"], "file": "block.npy" }
    ]
}"#;

fn scheduler(results: &Path, opening: Opening) -> Scheduler {
    let simulation = Simulation::new(tongue_with_block(true), SolverSettings::default()).unwrap();
    let settings = SchedulerSettings::with_step(STEP);
    let mut scheduler = Scheduler::new(simulation, settings).unwrap();
    let probes: ProbeSet = serde_json::from_str(PROBES).unwrap();
    attach(&probes, &mut scheduler, [results, results], opening).unwrap();
    scheduler
}

fn state(scheduler: &mut Scheduler) -> State {
    scheduler.simulation_mut().state().unwrap().clone()
}

/// The files of the probes, complete.
fn files(scheduler: &mut Scheduler, results: &Path) -> [Vec<u8>; 2] {
    scheduler.finish_outputs().unwrap();
    ["energy.csv", "block.npy"].map(|name| std::fs::read(results.join(name)).unwrap())
}

/// States after every step of a run with a waypoint after every third.
fn first_run(scheduler: &mut Scheduler) -> Vec<State> {
    scheduler.add_waypoints(3.0 * STEP, STEPS as f64 * STEP).unwrap();
    let mut states = vec![state(scheduler)];
    for _ in 0..STEPS {
        scheduler.step().unwrap();
        states.push(state(scheduler));
    }
    states
}

#[test]
fn the_block_touches_tissue_and_nothing_else() {
    let contacts = |touches: bool| {
        let model = tongue_with_block(touches);
        let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
        let settings = SchedulerSettings::with_step(STEP);
        let mut scheduler = Scheduler::new(simulation, settings).unwrap();
        (0..STEPS).map(|_| scheduler.step().unwrap().contacts).collect::<Vec<_>>()
    };
    let touching = contacts(true).into_iter().filter(|&count| count > 0).count();
    assert!(touching > STEPS / 2, "in {touching} of {STEPS} steps");
    assert_eq!(contacts(false), [0; STEPS]);
}

#[test]
fn muscles_tissue_contact_and_probes_come_the_same_way_from_every_waypoint() {
    let results = tempfile::tempdir().unwrap();
    let mut scheduler = scheduler(results.path(), Opening::New);
    let states = first_run(&mut scheduler);
    let recorded = files(&mut scheduler, results.path());
    for waypoint in [6, 3, 9, 0, 6, 12, 3] {
        scheduler.rewind(waypoint as f64 * STEP).unwrap();
        assert_eq!(state(&mut scheduler), states[waypoint], "at waypoint {waypoint}");
        for (k, expected) in states.iter().enumerate().skip(waypoint + 1) {
            scheduler.step().unwrap();
            assert_eq!(state(&mut scheduler), *expected, "step {k} from waypoint {waypoint}");
        }
        assert!(files(&mut scheduler, results.path()) == recorded, "files from {waypoint}");
    }
}

#[test]
fn muscles_tissue_contact_and_probes_go_on_from_a_file_in_another_run() {
    let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut first = scheduler(whole.path(), Opening::New);
    let states = first_run(&mut first);
    let recorded = files(&mut first, whole.path());
    for at in [3, 9] {
        let file = part.path().join("c.sinew");
        let model = model_hash(first.simulation().model(), &[]);
        let mut begun = scheduler(part.path(), Opening::New);
        begun.add_waypoints(3.0 * STEP, STEPS as f64 * STEP).unwrap();
        begun.advance(at as f64 * STEP).unwrap();
        let waypoint = begun.save().unwrap();
        Checkpoint { model, waypoint, extra: Vec::new() }.save(&file).unwrap();
        // What came after it is not part of it.
        begun.advance((at + 2) as f64 * STEP).unwrap();
        drop(begun);

        let mut resumed = scheduler(part.path(), Opening::Resume);
        resumed.restore(&Checkpoint::load(&file).unwrap().waypoint).unwrap();
        resumed.add_waypoints(3.0 * STEP, STEPS as f64 * STEP).unwrap();
        for (k, expected) in states.iter().enumerate().skip(at + 1) {
            resumed.step().unwrap();
            assert_eq!(state(&mut resumed), *expected, "step {k} from the file of step {at}");
        }
        assert!(files(&mut resumed, part.path()) == recorded, "files from step {at}");
    }
}
