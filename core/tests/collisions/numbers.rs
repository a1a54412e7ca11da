//! Numbers of behaviours: automatic ones, those that are put in place, and what is read of contacts.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Compliance;
use sinew::contact::{ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw};
use sinew::model::{Collider, CollisionBehavior, Edit, Model};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew::system::{ContactBehavior, ContactForce, MechSystem, Refresh, State};

use crate::scene::{bead, compile, cube, floor, setup};

/// Two cubes of 10 cm whose centres are 1 m apart, a floor, and a behaviour of them.
fn scene() -> Model {
    let mut model = Model::new("m");
    floor(&mut model);
    cube(&mut model, "a", 0.0);
    cube(&mut model, "b", 1.0);
    model.add(CollisionBehavior::everything(0.3).named("all"));
    model
}

fn at(name: &str) -> String {
    format!("/models/m/collision_behaviors/all:{name}")
}

#[test]
fn the_automatic_tolerance_is_that_of_the_radius_of_the_model() {
    let mut model = scene();
    let radius = 0.5 * Vec3::new(1.1, 0.1, 0.1).norm();
    let one = |model: &Model| (setup(model).behaviors[0].tolerance, setup(model).pairs[0].margin);
    let close = |(a, b): (f64, f64), [x, y]: [f64; 2]| {
        assert!((a / x - 1.0).abs() < 1e-12 && (b / y - 1.0).abs() < 1e-12, "{a} {b} {x} {y}");
    };
    close(one(&model), [1e-4 * radius, 1e-3 * radius]);
    model.set_text(&at("tolerance"), "1e-5").unwrap();
    close(one(&model), [1e-5, 1e-4]);
    model.set_text(&at("margin"), "0.02").unwrap();
    close(one(&model), [1e-5, 0.02]);
    model.set_text(&at("tolerance"), "0").unwrap();
    close(one(&model), [1e-4 * radius, 0.02]);
    let first = model.first::<CollisionBehavior>().unwrap();
    assert_eq!(model[first].tolerance, None);
    // In code a length that was given is positive.
    model[first].tolerance = Some(0.0);
    let error = model.check().unwrap_err().1.of("/c");
    assert_eq!(error, "/c:tolerance is 0; it must be > 0");
    let mut alone = Model::new("m");
    floor(&mut alone);
    bead(&mut alone, "bead", 0.0);
    alone.add(CollisionBehavior::everything(0.0));
    close(one(&alone), [1e-4, 1e-3]);
}

/// A radius of the model of 1e15 km would make every pair near every other one.
#[test]
fn what_is_far_away_does_not_widen_the_margins_of_the_rest() {
    let mut model = scene();
    cube(&mut model, "far", 1e10);
    let radius = 0.5 * Vec3::repeat(0.1).norm();
    let contacts = setup(&model);
    assert_eq!(contacts.pairs.len(), 6);
    for (pair, behavior) in contacts.pairs.iter().zip(&contacts.behaviors) {
        // The lesser of each pair is a cube: its margin is its radius.
        assert!((pair.margin / radius - 1.0).abs() < 1e-12, "{}", pair.margin);
        assert!((behavior.tolerance / (0.1 * radius) - 1.0).abs() < 1e-12);
    }
    // What is put in place while the model runs is what is compiled.
    let mut compiled = compile(&model);
    let mut state = compiled.initial_state();
    model.set_text(&at("friction"), "0.7").unwrap();
    model.refresh(&mut compiled, &mut state).unwrap();
    let now = compiled.multibody().unwrap().contacts.clone();
    assert_eq!((now.pairs, now.behaviors), (setup(&model).pairs, setup(&model).behaviors));
}

#[test]
fn numbers_are_put_in_place_and_what_lengths_decide_is_compiled_anew() {
    let mut model = scene();
    let other = model.nth::<Collider>(1);
    let floor = model.nth::<Collider>(0);
    model.add(CollisionBehavior::new(other, floor, 0.9).named("special"));
    let mut compiled = compile(&model);
    let mut state = compiled.initial_state();
    let before = setup(&model);
    for (name, value) in [
        ("friction", "0.7"),
        ("rolling_friction", "0.002"),
        ("restitution", "0.5"),
        ("restitution_threshold", "0.2"),
        ("compliance", "1e-5"),
        ("damping", "30"),
        ("dissipation", "0.3"),
        ("youngs_modulus", "2e6"),
        ("poissons_ratio", "0.3"),
        ("thickness", "0.003"),
        ("effective_modulus", "4e5"),
        ("exponent", "1.8"),
        ("penetration_limit", "0.01"),
    ] {
        model.set_text(&at(name), value).unwrap();
        let done = model.refresh(&mut compiled, &mut state).unwrap();
        assert_eq!(done, Refresh::Parameters, "{name}");
    }
    let tolerance = before.behaviors[0].tolerance;
    let expected = ContactBehavior {
        law: ContactLaw {
            friction: 0.7,
            rolling_friction: 0.002,
            restitution: 0.5,
            restitution_threshold: 0.2,
            normal: NormalLaw::Linear,
            compliance: Compliance { compliance: 1e-5, damping: 30.0 },
            foundation: ElasticFoundation {
                youngs_modulus: 2e6,
                poissons_ratio: 0.3,
                thickness: 0.003,
            },
            hunt_crossley: HuntCrossley { effective_modulus: 4e5, exponent: 1.8, radius: 0.0 },
            dissipation: 0.3,
            ..ContactLaw::default()
        },
        tolerance,
        limit: 0.01,
    };
    let now = compiled.multibody().unwrap().contacts.clone();
    assert_eq!(now.names, before.names);
    for (name, (was, is)) in now.names.iter().zip(before.behaviors.iter().zip(&now.behaviors)) {
        let special = *name == ["/models/m/rigid_bodies/a", "/models/m/colliders/floor"];
        assert_eq!(is, if special { was } else { &expected }, "{name:?}");
    }
    assert_eq!(now.behaviors, setup(&model).behaviors, "as compiled anew");
    model.set_text(&at("tolerance"), "1e-6").unwrap();
    assert_eq!(model.staleness(&compiled), Refresh::Recompiled);
    model.refresh(&mut compiled, &mut state).unwrap();
    let setup = compiled.multibody().unwrap().contacts.clone();
    assert_eq!(setup.behaviors[1].tolerance, 1e-6);
    assert!((setup.pairs[1].margin / 1e-5 - 1.0).abs() < 1e-12);
}

#[test]
fn a_change_of_drag_and_of_friction_at_once_is_put_in_place_too() {
    let mut model = scene();
    let mut compiled = compile(&model);
    let mut state = compiled.initial_state();
    model.set_text(&at("friction"), "0.7").unwrap();
    model.set_text("/models/m:frame_damping", "2").unwrap();
    assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Parameters);
    let contacts = &compiled.multibody().unwrap().contacts;
    assert!(contacts.behaviors.iter().all(|behavior| behavior.law.friction == 0.7));
}

#[test]
fn another_shape_takes_the_state_along_and_forgets_contacts() {
    let mut model = scene();
    let mut compiled = compile(&model);
    let mut state = compiled.initial_state();
    state.time = 0.5;
    state.u[0] = Vec3::new(1.0, 2.0, 3.0);
    state.contacts = contacts(&[1.0]);
    let kept = state.clone();
    model.set_text("/models/m/colliders/a:half_extents", "0.05 0.05 0.06").unwrap();
    assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Recompiled);
    assert_eq!((state.time, &state.q, &state.u), (kept.time, &kept.q, &kept.u));
    assert!(state.contacts.is_empty() && state.range_forces.is_empty());
    let box_of = &compiled.multibody().unwrap().contacts.colliders;
    let shape = sinew::contact::Shape::Box { half_extents: Vec3::new(0.05, 0.05, 0.06) };
    assert!(box_of.iter().any(|collider| collider.shape == shape));
}

/// A contact in each pair that pushes A along z with these forces [N], overlapping by 1 mm a newton.
fn contacts(forces: &[f64]) -> Vec<ContactForce> {
    let contact = |(pair, &force): (u32, &f64)| ContactForce {
        pair,
        a: u32::MAX,
        key: 0,
        point: Vec3::zeros(),
        normal: Vec3::z(),
        gap: -1e-3 * force,
        force: Vec3::z() * force,
    };
    (0..).zip(forces).map(contact).collect()
}

#[test]
fn forces_are_read_by_behaviour_on_side_a_and_by_collider_on_itself() {
    let mut model = scene();
    let [floor, a, b] = [0, 1, 2].map(|k| model.nth::<Collider>(k));
    model.add(CollisionBehavior::new(floor, b, 0.0).named("b"));
    let off = model.add(CollisionBehavior::off(a, b).named("off"));
    model.add(CollisionBehavior::new(a, b, 0.0).named("ab"));
    let compiled = compile(&model);
    let names = &compiled.multibody().unwrap().contacts.names;
    let last = |pair: &[String; 2]| {
        pair.each_ref().map(|path| path.rsplit('/').next().unwrap().to_owned())
    };
    let names: Vec<[String; 2]> = names.iter().map(last).collect();
    assert_eq!(names, [["a", "floor"], ["floor", "b"], ["a", "b"]]);
    let state = State { contacts: contacts(&[3.0, 5.0, 7.0]), ..compiled.initial_state() };
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let get = |path: &str| s.get_property(&model.property(path).unwrap()).unwrap();
    let force = |path: &str| get(&format!("/models/m/{path}:force"));
    let up = |f: f64| Value::Vector(Vec3::z() * f);
    assert_eq!(force("collision_behaviors/all"), up(3.0));
    assert_eq!(force("collision_behaviors/b"), up(5.0));
    assert_eq!(force("collision_behaviors/ab"), up(7.0));
    assert_eq!(force("collision_behaviors/off"), up(0.0));
    assert_eq!(force("colliders/floor"), up(5.0 - 3.0));
    assert_eq!(force("colliders/a"), up(3.0 + 7.0));
    assert_eq!(force("colliders/b"), up(-5.0 - 7.0));
    assert_eq!(get("/models/m/colliders/a:contact_count"), Value::Int(2));
    assert_eq!(get("/models/m/collision_behaviors/b:contact_count"), Value::Int(1));
    let depth = get("/models/m/collision_behaviors/ab:max_penetration");
    assert_eq!(depth, Value::Real(7e-3));
    assert_eq!(get("/models/m/collision_behaviors/off:max_penetration"), Value::Real(0.0));
    // What was not compiled has no contacts to be read.
    let mut edited = model.clone();
    edited.edit(Edit::delete(off)).unwrap();
    let late = edited.add(CollisionBehavior::off(a, b));
    let s = Simulated { model: &edited, compiled: &compiled, state: &state };
    let count = edited.property_of(late, "contact_count").unwrap();
    assert!(s.get_property(&count).is_err());
}
