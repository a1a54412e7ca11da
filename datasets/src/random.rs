//! Random scenes, for tests that no one thought of: tissues of every element and law, bodies with joints, springs,
//! muscles and contacts, and settings of every kind. A scene follows from a seed, or from bytes that a fuzzer changes.

mod draws;
mod mechanism;
mod settings;
mod tissue;

pub use draws::Draws;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::model::{Collider, CollisionBehavior, Model};
use sinew::solve::SolverSettings;

/// A model, the settings of its steps, and the claims that hold for it.
#[derive(Clone, Debug)]
pub struct RandomScene {
    /// The model; it compiles.
    pub model: Model,
    /// Settings of its steps.
    pub settings: SolverSettings,
    /// Length of a step [s].
    pub step: f64,
    /// True if nothing in it does work but its weight: no muscle, nothing prescribed.
    pub passive: bool,
}

/// The scene of these draws.
pub fn random_scene(draws: &mut Draws) -> RandomScene {
    let mut model = Model::new("random");
    let weight = if draws.chance(0.7) { -9.81 } else { 0.0 };
    model.set_gravity(Vec3::z() * weight);
    let bodies =
        if draws.chance(0.7) { mechanism::add_bodies(&mut model, draws) } else { Vec::new() };
    let tissue = (bodies.is_empty() || draws.chance(0.6))
        .then(|| tissue::add_tissue(&mut model, draws, bodies.last().copied()));
    let passive = mechanism::add_springs(&mut model, draws, &bodies, tissue);
    if draws.chance(0.5) {
        add_contact(&mut model, draws);
    }
    let (settings, step) = settings::random_settings(draws);
    RandomScene { model, settings, step, passive }
}

/// A ground below everything, and how everything touches.
fn add_contact(model: &mut Model, draws: &mut Draws) {
    let height = draws.between(-0.15, -0.06);
    model.add(Collider::half_space(Pose::translation(0.0, 0.0, height)).named("ground"));
    let friction = draws.pick(&[0.0, 0.3, 1.0]);
    let mut behavior = CollisionBehavior::everything(friction).named("contact");
    behavior.law.restitution = draws.pick(&[0.0, 0.0, 0.5, 1.0]);
    if draws.chance(0.3) {
        behavior.law.compliance.compliance = draws.between(1e-6, 1e-4);
    }
    if draws.chance(0.2) {
        behavior.law.rolling_friction = draws.between(0.0, 1e-3);
    }
    model.add(behavior);
}
