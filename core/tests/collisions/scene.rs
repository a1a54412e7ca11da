//! Bodies, a floor and a block of tissue, to be brought together.

use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, FemModel, Model, Particle, RigidBody};
use sinew::system::{CompiledModel, ContactSetup, MechSystem};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// A cube of 10 cm with a box as its collider, so far along x.
pub(crate) fn cube(model: &mut Model, name: &str, x: f64) -> Handle<RigidBody> {
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let place = Pose::translation(x, 0.0, 0.05);
    let body = model.add(RigidBody::from_mesh(name, mesh, 1000.0).at(place));
    model.add(Collider::boxed(body, Vec3::repeat(0.05)).named(name));
    body
}

pub(crate) fn floor(model: &mut Model) -> Handle<Collider> {
    model.add(Collider::half_space(Pose::identity()).named("floor"))
}

pub(crate) fn bead(model: &mut Model, name: &str, x: f64) -> Handle<Particle> {
    model.add(Particle::new(0.1, Vec3::new(x, 0.0, 0.3)).named(name))
}

/// A bar of four bricks of 10 cm, of 20 nodes, the first four at x = 0.
pub(crate) fn bar(model: &mut Model) -> Handle<FemModel> {
    let mesh = beam_mesh(BeamElement::Hex, [4, 1, 1], [0.4, 0.1, 0.1]).unwrap();
    let law = sinew::material::MaterialSpec::from_name("linear").unwrap();
    model.add(FemModel::new("bar", mesh, 1000.0, law))
}

/// Nodes of the bar whose x is that.
pub(crate) fn nodes_at(fem: &FemModel, x: f64) -> Vec<u32> {
    let nodes = (0..).zip(&fem.mesh.nodes);
    nodes.filter(|(_, node)| (node.x - x).abs() < 1e-9).map(|(k, _)| k).collect()
}

pub(crate) fn compile(model: &Model) -> CompiledModel {
    model.compile().unwrap_or_else(|error| panic!("{error}"))
}

/// Compiled setup of contact.
pub(crate) fn setup(model: &Model) -> ContactSetup {
    compile(model).multibody().map(|multibody| multibody.contacts.clone()).unwrap_or_default()
}

/// The pairs, without "/models/m/" and the lists.
pub(crate) fn names(model: &Model) -> Vec<String> {
    let short = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let both = |[a, b]: &[String; 2]| format!("{} {}", short(a), short(b));
    setup(model).names.iter().map(both).collect()
}

pub(crate) fn near(a: Vec3, b: Vec3) {
    // A dozen roundings of lengths of 1 m.
    assert!((a - b).norm() < 1e-14, "{a} {b}");
}

/// An inertia whose centre of mass is not the origin of the body.
pub(crate) fn off_centre() -> sinew::model::Inertia {
    let moments = Mat3::identity() * 0.01;
    let inertia = sinew::dynamics::SpatialInertia::new(1.0, Vec3::new(0.1, -0.2, 0.3), moments);
    sinew::model::Inertia::Explicit(inertia.unwrap())
}
