//! Models with bodies are the CPU's: every backend of a device refuses them.

use std::sync::Arc;

use sinew::Vec3;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Collider, CollisionBehavior, FrameMarker, Inertia, Model, Particle, RigidBody};
use sinew::property::Pose;
use sinew::solve::SolverSettings;
use sinew_gpu::{AssistedBackend, GpuBackend, Options, check_mechanism};

#[test]
fn a_model_with_a_body_is_refused_by_every_backend_with_what_it_has_and_what_to_do() {
    let mut model = Model::new("stone");
    let inertia = SpatialInertia::of_box(1.0, &Vec3::repeat(0.1)).unwrap();
    let body = model.add(RigidBody::new("stone", Inertia::Explicit(inertia)));
    model.add(FrameMarker::new(body, Vec3::zeros()));
    let system = Arc::new(model.compile().unwrap());
    let (options, settings) = (Options::of_twins(), SolverSettings::default());
    let whole = GpuBackend::on_twins(&options, system.clone(), settings).err();
    let assisted = AssistedBackend::on_twins(&options, system.clone(), settings).err();
    for error in [whole, assisted, check_mechanism(&system).err()] {
        let message = error.expect("a refusal").to_string();
        let parts = "rigid bodies (1), attached points (1); compute with --backend cpu";
        assert!(message.contains(parts), "{message}");
    }
}

#[test]
fn a_model_without_bodies_is_not_refused_for_them() {
    let mut model = Model::new("point");
    model.add(Particle::new(1.0, Vec3::zeros()));
    check_mechanism(&model.compile().unwrap()).unwrap();
}

#[test]
fn a_particle_above_a_floor_is_refused_for_what_may_touch() {
    let mut model = Model::new("bead");
    model.add(Particle::new(1.0, Vec3::z()));
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::everything(0.0));
    let error = check_mechanism(&model.compile().unwrap()).unwrap_err().to_string();
    assert!(error.contains("pairs that may touch (1); compute with --backend cpu"), "{error}");
}
