//! Names and looks that change while a model is shown: the scene is that of a new look at the model, and what did not change
//! is not made anew.

use std::sync::Arc;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::model::{AxialSpring, LinearAxial, Model, Particle};
use sinew::schedule::Simulation;
use sinew::snapshot::{Capture, Snapshot, Wanted};

use super::scenes::{shown, simulation};

/// Two particles and the springs between them.
fn pair() -> Simulation {
    let mut model = Model::new("pair");
    let at = |name: &str, x: f64| Particle::new(1.0, Vec3::x() * x).named(name);
    let ends = [model.add(at("a", 0.0)), model.add(at("b", 1.0))];
    let law = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 1.0 };
    for name in ["rope", "chain"] {
        model.add(AxialSpring::new(ends, law).named(name));
    }
    simulation(model)
}

/// Everything of a scene that names and looks have a part in.
fn told(snapshot: &Snapshot) -> Vec<String> {
    let scene = &snapshot.scene;
    let rows = scene.outline.rows.iter().enumerate().map(|(k, row)| {
        assert_eq!(scene.outline.row(row.id), Some(k));
        format!("{row:?}")
    });
    let items = scene.items.iter().map(|item| format!("{:?} {:?}", item.owner, item.style));
    rows.chain(items).collect()
}

/// Does a command and looks; true if the items of the scene are those that there were.
fn look(
    (simulation, capture): (&mut Simulation, &mut Capture),
    line: &str,
    snapshot: &mut Snapshot,
) -> bool {
    let before = snapshot.scene.clone();
    simulation.apply(&line.parse().unwrap()).unwrap();
    capture.capture(simulation, 0, &Wanted::default(), snapshot).unwrap();
    assert_eq!(told(snapshot), told(&shown(simulation, &Wanted::default())), "{line}");
    assert!(snapshot.scene.serial > before.serial, "{line}");
    Arc::ptr_eq(&snapshot.scene.items, &before.items)
}

#[test]
fn names_and_looks_are_repainted_as_they_would_be_made_anew() {
    let (mut simulation, mut capture) = (pair(), Capture::new());
    let mut snapshot = Snapshot::default();
    capture.capture(&mut simulation, 0, &Wanted::default(), &mut snapshot).unwrap();
    let mut look = |line: &str| look((&mut simulation, &mut capture), line, &mut snapshot);
    let springs = "/models/pair/axial_springs";
    for line in [
        format!("rename {springs}/rope string"),
        "rename / thing".to_owned(),
        "rename /models/pair other".to_owned(),
        "undo".to_owned(),
        "undo".to_owned(),
        "undo".to_owned(),
    ] {
        assert!(look(&line), "{line}: nothing that is drawn is made anew");
    }
    for line in [
        format!("set {springs}:render.line_color 1 0 0"),
        format!("set {springs}/rope:render.visible false"),
        "set /models/pair:render.alpha 0.5".to_owned(),
        format!("inherit {springs}/rope:render.visible"),
        "undo".to_owned(),
        format!("rename {springs}/rope \"\""),
        format!("rename {springs}/chain rope"),
        "undo".to_owned(),
        format!("delete {springs}/chain"),
        "undo".to_owned(),
        "add waypoint w time=1".to_owned(),
        "delete /models/pair/waypoints/w".to_owned(),
    ] {
        assert!(!look(&line), "{line}");
    }
}
