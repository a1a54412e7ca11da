//! Documents: what is read is a model or a reason that names the component, whatever the text.

use proptest::prelude::*;
use serde_json::{Value, json};
use sinew::axial::AxialLaw;
use sinew::component::ComponentType;
use sinew::constraint::JointKind;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Attachment, AxialSpring, CustomForce, FrameMarker, FrameSite, Inertia, Joint, LinearAxial,
    MAX_DEPTH, Master, Model, MultiPointSpring, MuscleExciter, Particle, ReferenceList, RigidBody,
};
use sinew::property::Pose;
use sinew::{Mat3, Vec3};

use crate::world::{check, compiled, draws, grown, text, tissue};

fn pair() -> Model {
    let mut model = Model::new("pair");
    let ends = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::x() * x)));
    model.add(AxialSpring::new(ends, LinearAxial::default()).named("s"));
    model.add(ReferenceList::new("group", vec![ends[0].id()]));
    model.add(tissue("f", 1, Vec3::zeros()));
    let inertia = SpatialInertia::new(2.0, Vec3::x(), Mat3::identity()).unwrap();
    let body = model.add(RigidBody::new("b", Inertia::Explicit(inertia)));
    let marker = model.add(FrameMarker::new(body, Vec3::y()));
    let place = Pose::translation(1.0, 2.0, 3.0);
    let sides = (FrameSite::on(body, place), FrameSite::ground(place));
    model.add(Joint::new(JointKind::Hinge, sides.0, sides.1));
    let law = AxialLaw::from_name("linear").unwrap();
    let line = model.add(MultiPointSpring::new(vec![marker.into(), ends[0].into()], law));
    model.add(MuscleExciter::new("e", [line]));
    model.add(Attachment::new(vec![ends[1].into()], Master::Body(body)));
    model
}

fn document() -> Value {
    serde_json::to_value(pair()).unwrap()
}

/// Place of the first component of a kind, and of a name where one is given.
fn place(document: &Value, kind: &str, name: &str) -> usize {
    let is = |entry: &Value| {
        entry["component"]["kind"] == kind
            && (name.is_empty() || entry["component"]["name"] == name)
    };
    document["components"].as_array().unwrap().iter().position(is).unwrap()
}

fn refusal(document: &Value) -> String {
    // As text: that is how it comes.
    serde_json::from_str::<Model>(&document.to_string()).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_said_with_the_component() {
    let good = document();
    let at = |kind| place(&good, kind, "");
    let (particle, spring, group, fem) =
        (at("Particle"), at("AxialSpring"), at("ReferenceList"), at("FemModel"));
    let (body, marker, joint) = (at("RigidBody"), at("FrameMarker"), at("Joint"));
    let (line, exciter, attachment) =
        (at("MultiPointSpring"), at("MuscleExciter"), at("Attachment"));
    let list = place(&good, "ComponentList", "particles");
    let cases: Vec<(usize, &str, Value, &str)> = vec![
        (particle, "/parent", json!(particle), "as its parent, which must stand before it"),
        (particle, "/parent", json!(9999), "as its parent, which must stand before it"),
        (particle, "/parent", json!(u64::MAX), "as its parent, which must stand before it"),
        (particle, "/parent", json!(-1), "invalid value"),
        (particle, "/parent", Value::Null, "is a RootModel, or the first"),
        (particle, "/parent", json!(spring), "as its parent, which must stand before it"),
        (spring, "/parent", json!(particle), "is a AxialSpring and has no place there"),
        (spring, "/parent", json!(0), "has the number 0: numbers of siblings rise"),
        (particle + 1, "/number", json!(0), "has the number 0: numbers of siblings rise"),
        (particle + 1, "/number", json!(u32::MAX), "has the number 4294967295"),
        (particle + 1, "/number", json!(1u64 << 40), "invalid value"),
        (particle + 1, "/number", json!(0.5), "invalid type"),
        (
            spring,
            "/component/ends/0/particle",
            json!(2),
            "refers to Particle 2, which is not there",
        ),
        (spring, "/component/ends/0/particle", json!(u32::MAX), "refers to Particle 4294967295"),
        (spring, "/component/ends/0/particle", json!(1u64 << 33), "invalid value"),
        (spring, "/component/ends/0", json!({"fem_node": [7, 0]}), "refers to FemModel 7"),
        (spring, "/component/ends", json!([]), "invalid length"),
        (group, "/component/members/0/index", json!(5), "refers to Particle 5"),
        (group, "/component/members/0/kind", json!("Bone"), "unknown variant `Bone`"),
        (spring, "/component/material/stiffness", Value::Null, "invalid type"),
        (particle, "/component/position/0", json!("NaN"), "invalid type"),
        (particle, "/component/kind", json!("Pancake"), "unknown variant `Pancake`"),
        (particle, "/component/kind", json!("RootModel"), "is a RootModel, or the first"),
        (particle, "/component/kind", json!("CustomForce"), "missing field"),
        (list, "/component/name", json!("praticles"), "lacks its list 'particles'"),
        (list, "/component/home", json!(false), "lacks its list 'particles'"),
        (fem, "/component/mesh/elements/0/1/0", json!(8), "node 8"),
        (fem, "/component/mesh/elements/0/0", json!("Hex9"), "Hex9"),
        (fem, "/component/material", json!("rubber"), "rubber"),
        (body, "/component/inertia/explicit/mass", json!(-1.0), "must be positive"),
        (body, "/component/inertia", json!("heavy"), "unknown variant `heavy`"),
        (marker, "/component/body", json!(1), "refers to RigidBody 1, which is not there"),
        (joint, "/component/c/body", json!(9), "refers to RigidBody 9, which is not there"),
        (joint, "/component/settings/kind/kind", json!("knot"), "unknown variant `knot`"),
        (line, "/component/points/0/marker", json!(3), "refers to FrameMarker 3"),
        (exciter, "/component/targets/0/target/index", json!(4), "refers to MultiPointSpring 4"),
        (attachment, "/component/master/body", json!(2), "refers to RigidBody 2"),
        (0, "/component/kind", json!("MechModel"), "is a RootModel, or the first"),
        (0, "/parent", json!(0), "is a RootModel, or the first"),
    ];
    for (at, pointer, value, said) in cases {
        let mut bad = good.clone();
        let entry = &mut bad["components"][at];
        match entry.pointer_mut(pointer) {
            Some(place) => *place = value.clone(),
            None => entry["parent"] = value.clone(),
        }
        let refused = refusal(&bad);
        assert!(refused.contains(said), "{pointer} {value}: {refused}");
        // A missing list may be noticed at its model, before or after what is in it.
        let named = refused.contains(&format!("component {at}"));
        let near = at == list && refused.contains("component ");
        assert!(named || near, "{at}{pointer} {value}: {refused}");
    }
}

#[test]
fn numbers_that_are_none_are_refused_in_text() {
    let particle = place(&document(), "Particle", "");
    let good = text(&pair());
    for wrong in ["NaN", "Infinity", "1e999", "-1e999", "null"] {
        let bad = good.replacen("\"mass\":1.0", &format!("\"mass\":{wrong}"), 1);
        assert_ne!(bad, good);
        let refused = serde_json::from_str::<Model>(&bad).unwrap_err().to_string();
        assert!(refused.contains(&format!("component {particle}:")), "{refused}");
        assert!(refused.contains(" at line 1 column "), "{refused}");
    }
}

#[test]
fn a_missing_or_doubled_list_is_refused() {
    let good = document();
    let springs = place(&good, "ComponentList", "force_effectors");
    let mut bad = good.clone();
    let components = bad["components"].as_array_mut().unwrap();
    // The last component, so that nobody's parent moves.
    let mut double = components[springs].clone();
    double["number"] = json!(500);
    components.push(double);
    let at = components.len() - 1;
    assert_eq!(refusal(&bad), format!("component {at} is a ComponentList and has no place there"));
    let mut bad = good.clone();
    bad["components"][springs]["component"]["name"] = json!("other");
    bad["components"][springs]["component"]["home"] = json!(false);
    let refused = refusal(&bad);
    assert!(refused.ends_with("lacks its list 'force_effectors'"), "{refused}");
    assert!(refusal(&json!({ "components": [] })).contains("the first component is none"));
    for bad in [
        json!({}),
        json!([]),
        json!(null),
        json!({ "components": 3 }),
        json!({ "components": [3] }),
    ] {
        refusal(&bad);
    }
}

/// A chain of containers, each in the one before.
fn chain(length: usize) -> Value {
    let mut document = serde_json::to_value(Model::new("deep")).unwrap();
    let components = document["components"].as_array_mut().unwrap();
    for _ in 0..length {
        let (parent, number) = (components.len() - 1, u32::from(components.len() == 2));
        let parent = if number == 1 { 0 } else { parent };
        components.push(json!({
            "parent": parent, "number": number,
            "component": { "kind": "ComponentList", "name": "c" },
        }));
    }
    document
}

#[test]
fn what_is_read_and_unsound_is_told_when_it_is_looked_at() {
    let good = document();
    let at = |kind| place(&good, kind, "");
    for (at, pointer, value, said) in [
        (at("Joint"), "/component/c/body", Value::Null, "the ground, which is on the other side"),
        (at("Joint"), "/component/settings/rows", json!([]), "0 rows are given, the kind has 5"),
        (at("Joint"), "/component/d/pose/translation/0", json!(1e308), ""),
        (at("MultiPointSpring"), "/component/points", json!([]), "has 0 entries; it needs 2"),
        (at("RigidBody"), "/component/inertia", json!({"density": 3.0}), "needs a closed surface"),
        (at("RigidBody"), "/component/pose/rotation/3", json!(2.0), "whose length is not 1"),
        (at("MuscleExciter"), "/component/targets/0/target/kind", json!("RigidBody"), "must be a"),
        (at("Attachment"), "/component/points/0", json!({"marker": 0}), "follows its body already"),
    ] {
        let mut bad = good.clone();
        *bad["components"][at].pointer_mut(pointer).unwrap() = value;
        let model: Model = serde_json::from_str(&bad.to_string()).unwrap();
        for component in crate::world::walk(&model) {
            for property in model.properties(component) {
                let _ = model.get_property(&property);
            }
        }
        match model.check() {
            Ok(()) => assert!(said.is_empty(), "{pointer}"),
            Err((_, error)) => assert!(error.to_string().contains(said), "{pointer}: {error}"),
        }
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_containers_is_refused() {
    let model: Model = serde_json::from_value(chain(MAX_DEPTH)).unwrap();
    assert_eq!(model.component_count(), MAX_DEPTH + 2);
    let refused = refusal(&chain(100_000));
    let first = MAX_DEPTH + 2;
    assert_eq!(refused, format!("component {first} has more than 1000 generations above it"));
}

#[test]
fn brackets_without_end_are_refused() {
    let deep = 100_000;
    for text in [
        format!("{{\"components\":[{}{}]}}", "[".repeat(deep), "]".repeat(deep)),
        format!("{{\"components\":{}", "[{\"component\":".repeat(deep)),
        format!("{{\"components\":[{{\"number\":0,\"component\":{}", "{\"kind\":".repeat(deep)),
        "{\"components\":[{\"component\":{\"kind\":\"ReferenceList\",\"members\":".to_owned()
            + &"[".repeat(deep),
    ] {
        let refused = serde_json::from_str::<Model>(&text).unwrap_err().to_string();
        assert!(
            refused.contains("recursion limit") || refused.contains("invalid type"),
            "{refused}"
        );
    }
}

#[test]
fn code_is_not_written() {
    let mut model = pair();
    let point = model.nth::<Particle>(0);
    model.add(CustomForce::new(vec![point.into()], |_, _| {}).named("mine"));
    let refused = serde_json::to_string(&model).unwrap_err().to_string();
    assert!(refused.contains("/models/pair/force_effectors/mine is code"), "{refused}");
}

#[test]
fn every_double_is_read_as_it_was_written() {
    check(2000, any::<[u64; 3]>(), |bits| {
        let position = Vec3::from(bits.map(f64::from_bits));
        if position.iter().all(|x| x.is_finite()) {
            let mut model = Model::new("m");
            let point = model.add(Particle::new(1.0, position));
            let read: Model = serde_json::from_str(&text(&model)).unwrap();
            assert_eq!(read[point].position.map(f64::to_bits), position.map(f64::to_bits));
        }
    });
}

#[test]
fn a_damaged_document_never_panics_and_what_is_read_holds_together() {
    let damage = prop::collection::vec((0.0..1.0_f64, any::<u8>(), 0..4u8), 1..5);
    let stock = document();
    let words = ["0", "1", "7", "-1", "4294967295", "1e300", "null", "[]", "{}", "\"f\""];
    check(600, (draws(12), damage), |(seeds, damage)| {
        let mut bytes = if seeds[0][0] % 2 == 0 { text(&grown(&seeds)) } else { stock.to_string() }
            .into_bytes();
        for (place, value, how) in damage {
            let place = (place * bytes.len() as f64) as usize;
            match how {
                0 => bytes[place] = b'0' + value % 10,
                1 => bytes[place] = value,
                2 => bytes.truncate(place.max(1)),
                _ => {
                    // The next number becomes another word.
                    let digit = |b: &u8| b.is_ascii_digit();
                    let Some(from) = bytes[place..].iter().position(digit) else { continue };
                    let from = place + from;
                    let length = bytes[from..].iter().take_while(|b| digit(b)).count();
                    let word = words[value as usize % words.len()].bytes();
                    bytes.splice(from..from + length, word);
                }
            }
        }
        if let Ok(model) = serde_json::from_slice::<Model>(&bytes) {
            let read: Model = serde_json::from_str(&text(&model)).unwrap();
            assert_eq!(text(&model), text(&read));
            let _ = compiled(&model);
        }
    });
}
