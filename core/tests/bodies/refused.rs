//! Models that cannot be compiled: what is said names the component and what to do.

use super::scenes::solid_box;
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, FemModel, FrameAttachment, FrameMarker, FrameMaster, Master, Model, Particle,
    PointRef, RigidBody,
};
use sinew::system::CompileError;

fn particle(model: &mut Model, name: &str, x: f64) -> Handle<Particle> {
    model.add(Particle { name: name.into(), ..Particle::new(1.0, Vec3::x() * x) })
}

/// The message of a model that must not compile.
fn refusal(model: &Model) -> String {
    let error = model.compile().err().expect("the model must be refused");
    error.to_string()
}

fn says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "'{message}' does not say '{word}'");
    }
}

#[test]
fn a_point_that_is_attached_twice_is_named() {
    let mut model = Model::new("model");
    let body = model.add(solid_box("jaw", 1.0, [0.1; 3]));
    let point = particle(&mut model, "tooth", 0.1);
    let other = particle(&mut model, "other", 0.2);
    model.add(Attachment::new(vec![point.into()], Master::Body(body)));
    model.add(Attachment::new(vec![point.into()], Master::Particle(other)));
    let error = model.compile().err().expect("it is attached twice");
    assert!(matches!(error, CompileError::Attachment { .. }), "{error:?}");
    says(&error.to_string(), &["tooth", "twice"]);
}

#[test]
fn points_that_are_attached_in_a_circle_are_named() {
    let mut model = Model::new("model");
    let a = particle(&mut model, "chicken", 0.0);
    let b = particle(&mut model, "egg", 0.1);
    model.add(Attachment::new(vec![a.into()], Master::Particle(b)));
    model.add(Attachment::new(vec![b.into()], Master::Particle(a)));
    let message = refusal(&model);
    assert!(message.contains("chicken") || message.contains("egg"), "{message}");
    says(&message, &["circle"]);
}

#[test]
fn a_point_that_is_attached_and_fixed_is_named() {
    let mut model = Model::new("model");
    let body = model.add(solid_box("jaw", 1.0, [0.1; 3]));
    let point = model.add(Particle { name: "pin".into(), ..Particle::new(1.0, Vec3::x()).fixed() });
    model.add(Attachment::new(vec![point.into()], Master::Body(body)));
    says(&refusal(&model), &["pin", "fixed"]);
}

/// A model with a body in a tetrahedron of tissue that it follows.
fn fitted_body() -> (Model, Handle<RigidBody>, Handle<FemModel>) {
    let mut model = Model::new("model");
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let mut mesh = VolumeMesh::new(corners.to_vec());
    mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
    let fem =
        model.add(FemModel::new("flesh", mesh, 1000.0, MaterialSpec::Linear(Isotropic::default())));
    let body = model.add(solid_box("bone", 1.0, [0.1; 3]).at(Pose::translation(0.2, 0.2, 0.2)));
    model.add(FrameAttachment::to_tissue(body, fem).named("seat"));
    (model, body, fem)
}

#[test]
fn a_body_that_follows_and_is_prescribed_is_named() {
    let (mut model, body, _) = fitted_body();
    assert!(model.compile().is_ok());
    model[body].dynamic = false;
    says(&refusal(&model), &["seat", "bone", "dynamic"]);
}

#[test]
fn a_body_that_follows_twice_is_named() {
    let (mut model, body, fem) = fitted_body();
    model.add(FrameAttachment::to_tissue(body, fem));
    says(&refusal(&model), &["bone", "twice"]);
}

#[test]
fn a_body_that_follows_what_is_attached_to_it_is_named() {
    let (mut model, body, fem) = fitted_body();
    model.add(Attachment::new(vec![PointRef::FemNode(fem, 2)], Master::Body(body)));
    says(&refusal(&model), &["circle"]);
}

#[test]
fn points_on_a_line_lead_no_body() {
    let mut model = Model::new("model");
    let body = model.add(solid_box("bone", 1.0, [0.1; 3]));
    let points: Vec<PointRef> =
        (0..3).map(|k| particle(&mut model, "", f64::from(k)).into()).collect();
    let seat = FrameAttachment::to_points(body, points.clone()).named("seat");
    let seat = model.add(seat);
    says(&refusal(&model), &["seat:masters", "line"]);
    model[seat].master = FrameMaster::Points(points[..2].to_vec());
    says(&refusal(&model), &["seat:masters", "2 entries"]);
    let marker = model.add(FrameMarker::new(body, Vec3::y()));
    model[seat].master = FrameMaster::Points(vec![points[0], points[1], marker.into()]);
    says(&refusal(&model), &["seat:masters", "no marker of the body itself"]);
    model[seat].master = FrameMaster::Points(points);
    model[seat].weights = vec![1.0, 2.0];
    says(&refusal(&model), &["seat:masters"]);
}
