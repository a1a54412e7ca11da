//! Models that cannot be compiled: what is said names the component and what to do.

use super::scenes::solid_box;
use sinew::Vec3;
use sinew::model::{Attachment, Master, Model, Particle};
use sinew::system::CompileError;

fn particle(model: &mut Model, name: &str, x: f64) -> sinew::component::Handle<Particle> {
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
fn a_point_that_is_attached_and_held_is_named() {
    let mut model = Model::new("model");
    let body = model.add(solid_box("jaw", 1.0, [0.1; 3]));
    let point = model.add(Particle { name: "pin".into(), ..Particle::new(1.0, Vec3::x()).fixed() });
    model.add(Attachment::new(vec![point.into()], Master::Body(body)));
    says(&refusal(&model), &["pin", "held"]);
}
