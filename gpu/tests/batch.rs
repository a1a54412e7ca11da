//! Many simulations of one model at once on the device: each computes what it would alone, bit for bit.

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::Backend;
use sinew::dynamics::SpatialInertia;
use sinew::material::PronySeries;
use sinew::model::{
    Attachment, AxialSpring, FemModel, Inertia, LinearAxial, Master, Model, MuscleBundle, RigidBody,
};
use sinew::property::{Pose, PropertyRef};
use sinew::schedule::{Batch, Lasting, MakeBackend, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{Preconditioning, SolverSettings};
use sinew::system::State;
use sinew_datasets::beam::{BeamParams, beam};
use sinew_datasets::law::Law;
use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};
use sinew_gpu::testing::test_device;
use sinew_gpu::{GpuBackend, GpuBatch};

const H: f64 = 0.01;

fn steps() -> SchedulerSettings {
    SchedulerSettings::with_step(H)
}

/// A batch on the device.
fn batch(model: &Model, count: usize, settings: SolverSettings) -> Batch {
    let system = Arc::new(model.compile().expect("a model"));
    let instances = GpuBatch::new(test_device(), &system, count, settings).expect("it fits");
    Batch::together(model, instances.together(), steps()).expect("a batch")
}

/// A simulation alone on the device.
fn alone(model: &Model, settings: SolverSettings) -> Scheduler {
    let make: MakeBackend = Box::new(move |system| {
        let backend = GpuBackend::new(test_device(), system, settings).expect("it fits");
        Ok(Box::new(backend) as Box<dyn Backend>)
    });
    let simulation = Simulation::with_backend(model.clone(), make).expect("a simulation");
    Scheduler::new(simulation, steps()).expect("a scheduler")
}

fn state(of: &mut Scheduler) -> State {
    of.simulation_mut().state().expect("a state").clone()
}

/// Takes `count` steps of a batch and of its instances alone, all of which have been prepared alike.
fn compare(batch: &mut Batch, alone: &mut [Scheduler], count: usize) {
    for step in 0..count {
        assert!(batch.step().iter().all(Result::is_ok), "step {step}");
        for (k, (own, alone)) in batch.instances_mut().iter_mut().zip(&mut *alone).enumerate() {
            let stats = alone.step().expect("a step");
            assert!(stats.cg_iterations > 0);
            assert!(state(own) == state(alone), "instance {k}, step {step}");
        }
    }
}

/// The same with numbers of a property that differ.
fn compare_with(
    model: &Model,
    settings: SolverSettings,
    (property, values): (&str, &[f64]),
    count: usize,
) {
    let mut batch = batch(model, values.len(), settings);
    let mut singles: Vec<Scheduler> = values.iter().map(|_| alone(model, settings)).collect();
    let property: PropertyRef = singles[0].simulation().property(property).expect("a property");
    let all: Vec<usize> = (0..values.len()).collect();
    batch.write(&all, (&[property], values), Lasting::Fed).expect("numbers");
    for (single, &value) in singles.iter_mut().zip(values) {
        single.simulation_mut().feed(&property, &[value]).expect("a number");
    }
    compare(&mut batch, &mut singles, count);
}

fn small_tongue() -> Model {
    let task = Some(Manoeuvre::Rest);
    tongue(&TongueParams { resolution: 0, task, ..TongueParams::default() }).expect("a tongue")
}

/// Path of the excitation of the first bundle of a model.
fn excitation(model: &Model) -> String {
    let (bundle, _) = model.iter::<MuscleBundle>().next().expect("a bundle");
    format!("{}:excitation", model.path(bundle.id()))
}

#[test]
fn tongues_of_other_excitations_move_as_alone() {
    let model = small_tongue();
    let property = excitation(&model);
    compare_with(&model, SolverSettings::default(), (&property, &[0.0, 0.4, 0.1]), 2);
}

/// Several levels, whose renewal is decided by the iterations of each instance.
#[test]
fn beams_of_other_stiffness_under_multigrid_move_as_alone() {
    let model = beam(&BeamParams::default()).expect("a beam");
    let settings = SolverSettings {
        preconditioner: Preconditioning::Multigrid,
        cg_tolerance: 1e-8,
        ..SolverSettings::default()
    };
    let property = format!("{}:material.youngs_modulus", path_of_tissue(&model));
    compare_with(&model, settings, (&property, &[3e5, 5e5, 4e6]), 6);
}

/// Springs and a turning body whose forces the host computes for each instance.
#[test]
fn beams_of_other_springs_with_a_body_move_as_alone() {
    let mut model = beam(&BeamParams::default()).expect("a beam");
    let (tissue, last) = (model.nth::<FemModel>(0), model.fem(0).mesh.nodes.len() as u32 - 1);
    let inertia = SpatialInertia::of_box(2.0, &Vec3::repeat(0.1)).expect("a box");
    let body = RigidBody::new("body", Inertia::Explicit(inertia));
    let end = model.fem(0).mesh.nodes[last as usize];
    let place = Pose::translation(end.x, end.y, end.z);
    let body = RigidBody { angular_velocity: Vec3::new(1.0, -5.0, 3.0), ..body.at(place) };
    let body = model.add(body);
    let nodes = [last - 1, last].map(|node| (tissue, node).into());
    model.add(Attachment::new(nodes.to_vec(), Master::Body(body)));
    let material = LinearAxial { stiffness: 400.0, damping: 1.0, rest_length: 0.8 };
    let spring = model.add(AxialSpring::new([(tissue, 0), (tissue, last)], material));
    let property = format!("{}:material.stiffness", model.path(spring));
    compare_with(&model, SolverSettings::default(), (&property, &[400.0, 4e3, 0.0]), 3);
}

fn path_of_tissue(model: &Model) -> String {
    model.path(model.nth::<FemModel>(0).id())
}

#[test]
fn beams_of_other_states_whose_stress_relaxes_move_as_alone() {
    let mut model = beam(&BeamParams::default()).expect("a beam");
    model.fem_mut(0).prony = PronySeries::new([[0.05, 0.5]]);
    let settings = SolverSettings::default();
    let mut batch = batch(&model, 3, settings);
    let mut singles: Vec<Scheduler> = (0..3).map(|_| alone(&model, settings)).collect();
    for (k, (own, single)) in batch.instances_mut().iter_mut().zip(&mut singles).enumerate() {
        let mut start = state(single);
        start.u.iter_mut().for_each(|u| *u += Vec3::new(0.0, 0.1 * k as f64, 0.02));
        own.simulation_mut().set_state(&start).expect("a state");
        single.simulation_mut().set_state(&start).expect("a state");
    }
    compare(&mut batch, &mut singles, 4);
}

#[test]
fn an_instance_that_fails_keeps_its_state_and_holds_up_no_other() {
    // Its law has no value where an element is inside out.
    let parameters = BeamParams { law: Law::NeoHookean, ..BeamParams::default() };
    let model = beam(&parameters).expect("a beam");
    let settings = SolverSettings::default();
    let mut batch = batch(&model, 3, settings);
    let mut single = alone(&model, settings);
    let good = state(&mut single);
    let mut bad = good.clone();
    // Turned inside out.
    bad.q.iter_mut().for_each(|q| q.z = -q.z);
    batch.instances_mut()[1].simulation_mut().set_state(&bad).expect("a state");
    let mut results = batch.step();
    single.step().expect("a step");
    let error = results.remove(1).expect_err("elements are inverted").to_string();
    assert!(error.contains("inverted"), "{error}");
    assert!(results.iter().all(Result::is_ok));
    let expected = state(&mut single);
    let states: Vec<State> = batch.instances_mut().iter_mut().map(state).collect();
    assert!(states[0] == expected && states[2] == expected);
    assert!(states[1].q == bad.q && states[1].time == 0.0);
    // It goes on with the others from a state that can be stepped.
    batch.instances_mut()[1].simulation_mut().set_state(&good).expect("a state");
    assert!(batch.step().iter().all(Result::is_ok));
    assert!(state(&mut batch.instances_mut()[1]) == expected);
    single.step().expect("a step");
    assert!(state(&mut batch.instances_mut()[2]) == state(&mut single));
}

/// Many at once, as many as the variable `INSTANCES` says; the first, one in the middle and the last of them beside runs alone.
#[test]
fn many_tongues_step_at_once() {
    let model = small_tongue();
    let count = std::env::var("INSTANCES").ok().and_then(|it| it.parse().ok()).unwrap_or(8);
    let mut batch = batch(&model, count, SolverSettings::default());
    let property = batch.instances()[0].simulation().property(&excitation(&model));
    let property: PropertyRef = property.expect("a property");
    let all: Vec<usize> = (0..count).collect();
    let values: Vec<f64> = all.iter().map(|&k| k as f64 / count as f64).collect();
    batch.write(&all, (&[property], &values), Lasting::Fed).expect("numbers");
    assert!(batch.step().iter().all(Result::is_ok));
    for k in [0, count / 2, count - 1] {
        let mut single = alone(&model, SolverSettings::default());
        single.simulation_mut().feed(&property, &[values[k]]).expect("a number");
        single.step().expect("a step");
        assert!(state(&mut batch.instances_mut()[k]) == state(&mut single), "instance {k}");
    }
}

#[test]
fn more_instances_than_a_program_has_are_refused() {
    let system = Arc::new(beam(&BeamParams::default()).expect("a beam").compile().expect("it is"));
    let error = GpuBatch::new(test_device(), &system, 4_097, SolverSettings::default());
    let error = error.err().expect("too many").to_string();
    assert!(error.contains("4,096"), "{error}");
}
