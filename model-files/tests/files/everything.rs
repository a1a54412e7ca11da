//! A model with every kind of component, with random values of all properties, comes back to the bit.

use proptest::prelude::*;
use sinew::component::Kind;
use sinew::model::{ComponentList, Edit, Model, Particle, ReferenceList};
use sinew::property::Value;

use crate::round_trip::{back, document};

#[allow(dead_code, reason = "the fixture serves other tests too")]
#[path = "../../../core/tests/properties/fixture.rs"]
mod fixture;
#[allow(dead_code, reason = "the values serve other tests too")]
#[path = "../../../core/tests/properties/values.rs"]
mod values;

/// Every kind but code.
pub(crate) fn everything() -> Model {
    let mut model = fixture::everything();
    let mut ids: Vec<_> = vec![model.find("/").unwrap().component()];
    let mut next = 0;
    while let Some(&id) = ids.get(next) {
        ids.extend(model.children(id));
        next += 1;
    }
    let code =
        |kind| matches!(kind, Kind::CustomForce | Kind::CustomJoint | Kind::CustomConstrainer);
    let ids = ids.into_iter().filter(|id| code(id.kind())).collect();
    model.edit(Edit::Delete(ids)).unwrap();
    model
}

/// Both ways.
fn assert_comes_back(model: &Model) {
    let folder = tempfile::tempdir().unwrap();
    let expected = document(model);
    for file in ["model.toml", "model.json"] {
        let read = document(&back(model, folder.path(), file));
        assert!(read == expected, "{file} differs:\n{read}\n{expected}");
    }
}

#[test]
fn a_model_of_every_kind_comes_back_to_the_bit() {
    let mut model = everything();
    let scene = model.find("/models/outer").unwrap().component();
    let mine = model.add_to(scene, ComponentList::new("box/of \"mine\"")).unwrap();
    let odd = Particle { name: "12".into(), ..Particle::default() };
    let odd = model.add_to(mine, odd).unwrap();
    model.add_to(sinew::component::ROOT, ReferenceList::new("beside", vec![odd.into()])).unwrap();
    // Numbers with gaps, two of one name, minus zero.
    let first: Vec<_> = model.iter::<Particle>().map(|(handle, _)| handle).collect();
    let twin = Particle { name: "hung".into(), ..Particle::new(1.0, -sinew::Vec3::zeros()) };
    model.add(twin.clone());
    model.add(twin);
    model.edit(Edit::duplicate(first[0])).unwrap();
    model.set_text("/models/outer/axial_springs:render.line_color", "0.8 0.1 0.2").unwrap();
    model.set_text("/:render.visible", "false").unwrap();
    assert_comes_back(&model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_values_of_all_properties_come_back_to_the_bit(seed: u64) {
        let mut model = everything();
        let mut random = values::Random(seed);
        let mut hosts: Vec<sinew::component::Address> = vec![model.find("/").unwrap()];
        let mut next = 0;
        while let Some(&at) = hosts.get(next) {
            hosts.extend(model.children(at.component()).map(sinew::component::Address::from));
            next += 1;
        }
        for host in hosts {
            for property in model.properties(host) {
                let name = property.info().name;
                if name == "joints" || name == "coefficients" || name == "name" {
                    continue;
                }
                let kind = host.component().kind();
                // The joint of the fixture that these name is code.
                if matches!(kind, Kind::JointCoordinateCoupling | Kind::CoordinateActuator) {
                    continue;
                }
                if let Some(value) = random.value(&model, &property) {
                    // What is refused stays as it was.
                    let _: Result<(), _> = model.set_property(&property, Value::clone(&value));
                }
            }
        }
        assert_comes_back(&model);
    }
}
