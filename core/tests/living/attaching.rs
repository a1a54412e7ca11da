//! Attaching points by command, and taking them off: what is refused says why.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::editing::EditCommand;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Attachment, FrameMarker, History, Model, Particle, RigidBody};

use crate::world::{text, tissue};

fn model() -> Model {
    let mut model = Model::new("m");
    let mesh = cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let bone = model.add(RigidBody::from_mesh("bone", mesh, 1e3));
    model.add(FrameMarker::new(bone, Vec3::zeros()).named("mark"));
    for name in ["a", "b", "c"] {
        model.add(Particle::new(1.0, Vec3::x()).named(name));
    }
    model.add(Particle::new(1.0, Vec3::y()).fixed().named("still"));
    model.add(tissue("brick", 1, Vec3::y()));
    model
}

fn apply(model: &mut Model, history: &mut History, line: &str) -> Result<(), String> {
    let command: EditCommand = line.parse().unwrap();
    command.apply(model, history).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn points_of_one_master_share_an_attachment_that_goes_with_the_last() {
    let (mut model, mut history) = (model(), History::default());
    let start = text(&model);
    let body = "/models/m/rigid_bodies/bone";
    let [a, b] = ["a", "b"].map(|name| format!("/models/m/particles/{name}"));
    let node = "/models/m/fem_models/brick/nodes/5";
    apply(&mut model, &mut history, &format!("attach {a} {node} {body}")).unwrap();
    apply(&mut model, &mut history, &format!("attach {b} {body}")).unwrap();
    assert_eq!(model.iter::<Attachment>().count(), 1);
    assert_eq!(model[model.nth::<Attachment>(0)].points.len(), 3);
    model.compile().unwrap();
    apply(&mut model, &mut history, &format!("detach {a} {b}")).unwrap();
    assert_eq!(model[model.nth::<Attachment>(0)].points.len(), 1);
    apply(&mut model, &mut history, &format!("detach {node}")).unwrap();
    assert_eq!(model.iter::<Attachment>().count(), 0);
    for _ in 0..4 {
        apply(&mut model, &mut history, "undo").unwrap();
    }
    assert_eq!(start, text(&model));
}

#[test]
fn what_cannot_follow_is_refused_with_the_reason_and_nothing_is_done() {
    let (mut model, mut history) = (model(), History::default());
    let particle = |name: &str| format!("/models/m/particles/{name}");
    let [a, b, c, still] = ["a", "b", "c", "still"].map(particle);
    let (bone, mark) = ("/models/m/rigid_bodies/bone", "/models/m/frame_markers/mark");
    let brick = "/models/m/fem_models/brick";
    apply(&mut model, &mut history, &format!("attach {a} {b}")).unwrap();
    apply(&mut model, &mut history, &format!("attach {b} {c}")).unwrap();
    let before = text(&model);
    for (line, reason) in [
        (format!("attach {a} {bone}"), "follows /models/m/particles/b already"),
        (format!("attach {c} {a}"), "would follow itself"),
        (format!("attach {c} {c}"), "would follow itself"),
        (format!("attach {mark} {bone}"), "follows its body already"),
        (format!("attach {bone} {c}"), "no point"),
        (format!("attach {c} {mark}"), "cannot follow"),
        (format!("attach {still} {bone}"), "fixed by a support or prescribed"),
        (format!("attach {brick}/nodes/5 {brick}"), "is a node of"),
        (format!("attach {c} {still} {bone}"), "fixed by"),
        (format!("detach {c}"), "follows nobody"),
        (format!("detach {a} {c}"), "follows nobody"),
    ] {
        let error = apply(&mut model, &mut history, &line).unwrap_err();
        assert!(error.contains(reason), "{line}: {error}");
        assert_eq!(before, text(&model), "{line}");
    }
}
