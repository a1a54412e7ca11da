//! Contract of every line of every table.

use std::collections::BTreeSet;

use sinew::component::{Address, ComponentId};
use sinew::material::Law;
use sinew::model::Model;
use sinew::property::{PropertyError, PropertyRef, PropertyType, Value};

use crate::fixture::{everything, hosts, is_of_its_own};
use crate::values::Random;

/// Kind and name of a line.
fn line(property: &PropertyRef) -> (String, &'static str) {
    let kind = match property.host() {
        Address::Component(id) => id.kind().name().to_owned(),
        Address::Node(..) => "node".to_owned(),
        Address::Element(..) => "element".to_owned(),
        Address::Region(..) => "region".to_owned(),
        Address::Support(..) => "support".to_owned(),
        Address::Part(..) => panic!("parts have no properties"),
    };
    (kind, property.info().name)
}

fn all(model: &Model) -> Vec<PropertyRef> {
    hosts(model).into_iter().flat_map(|host| model.properties(host)).collect()
}

/// Kinds that hold a law: constants of one name have other ranges in other laws, and must go together.
const HAVE_LAWS: [&str; 5] =
    ["AxialSpring", "MultiPointSpring", "FemModel", "region", "MuscleBundle"];

/// True if it may be set here.
fn settable(property: &PropertyRef, given: &Result<(), PropertyError>) -> bool {
    match given {
        Ok(()) => true,
        Err(error) => {
            assert!(may_be_refused(property, error), "{:?}: {error}", line(property));
            false
        }
    }
}

/// True if the model of these tests may refuse to set a property in this way.
fn may_be_refused(property: &PropertyRef, error: &PropertyError) -> bool {
    use PropertyError::{Absent, Invalid, ReadOnly, Value};
    let (kind, name) = line(property);
    match (error, kind.as_str()) {
        (ReadOnly(_), "ComponentList") => name == "name",
        // A constant that the law of this tissue has not, or a number that another kind of joint has.
        (Absent { .. }, "RigidBody") => name == "density",
        (Absent { .. }, "PointConstrainer") => ["length", "frame"].contains(&name),
        (Absent { .. }, "Collider") => ["radius", "half_length", "half_extents"].contains(&name),
        (Absent { .. }, "Joint") => name.starts_with("kind.") || name.starts_with("coordinate."),
        (Absent { .. }, _) => name.starts_with("material."),
        // In the range of other laws that have a constant of this name, not in that of this one.
        (Value { .. } | Invalid { .. }, kind)
            if HAVE_LAWS.contains(&kind) && name.starts_with("material.") =>
        {
            true
        }
        // The ground has no surface.
        (Invalid { .. }, "Collider") => name == "shape",
        // Of the tissue of these tests, whose law is one of small strain.
        (Invalid { .. }, "MuscleBundle") => name == "stiffening",
        // What is measured is one component, and not two or three.
        (Invalid { .. }, "Sensor") => name == "quantity",
        // A range whose ends are the wrong way round.
        (Invalid { .. }, "Joint") => name.ends_with(".lower") || name.ends_with(".upper"),
        // No surface to take it from.
        (Value { .. }, _) if name == "inertia_method" => true,
        // Of a run, not of a model.
        (Value { .. }, _) => property.info().simulated && name.ends_with(".value"),
        _ => false,
    }
}

#[test]
fn every_default_is_of_its_type_and_in_its_range() {
    for property in all(&everything()) {
        let info = property.info();
        let name = line(&property);
        assert_eq!(info.default.type_name(), info.value_type.name(), "{name:?}");
        if info.value_type.is_numeric() && info.value_type != PropertyType::Bool {
            let out = info.default.numbers().find(|x| !info.range.contains(*x));
            assert_eq!(out, None, "{name:?}");
        }
        if let Some(size) = info.value_type.numeric_size() {
            assert_eq!(info.default.numbers().len(), size, "{name:?}");
        }
        assert!(!info.doc.is_empty() && !info.doc.ends_with('.'), "{name:?}: {}", info.doc);
    }
}

/// Everything, where the tissue or bundle of a property of a law has a law with that constant.
fn with_a_law_for(property: &PropertyRef) -> Model {
    let mut model = everything();
    let (host, name) = line(property);
    let has_laws = ["FemModel", "region", "MuscleBundle", "Shell"].contains(&host.as_str());
    let Some(constant) = name.strip_prefix("material.").filter(|_| has_laws) else { return model };
    let fits = |law: &Law| {
        law.kind().muscle == (host == "MuscleBundle") && law.kind().constant(constant).is_some()
    };
    let law = Law::ALL.into_iter().find(fits).expect("a law has the constant");
    let path = model.property_path(property);
    let whole = path.strip_suffix(&format!(".{constant}")).expect("it ends with its name");
    model.set_text(whole, law.kind().name).unwrap();
    model
}

#[test]
fn what_is_set_is_read_back_from_values_and_from_text() {
    let mut random = Random(7);
    let (mut wanted, mut done) = (BTreeSet::new(), BTreeSet::new());
    for property in all(&everything()) {
        let skipped = property.info().read_only || property.info().simulated;
        if skipped || !is_of_its_own(&property) {
            continue;
        }
        // The custom joint of these tests is code, which has no motion as text.
        if ["variables", "motion"].contains(&property.info().name) {
            continue;
        }
        // So are the force and the constraint, and no closure has a name.
        let is_code = ["CustomForce", "CustomConstrainer", "CustomJoint"]
            .contains(&line(&property).0.as_str());
        if property.info().name == "code" && is_code {
            continue;
        }
        wanted.insert(line(&property));
        // The last of them is what is there: it is in the range of the law.
        for attempt in 0..5 {
            let mut model = with_a_law_for(&property);
            let there = model.get_property(&property).ok().filter(|_| attempt == 4);
            let value = there.unwrap_or_else(|| random.value(&model, &property).unwrap());
            if !settable(&property, &model.set_property(&property, value.clone())) {
                continue;
            }
            assert_eq!(model.get_property(&property).unwrap(), value, "{:?}", line(&property));
            done.insert(line(&property));
            let mut other = with_a_law_for(&property);
            let path = other.property_path(&property);
            other.set_text(&path, &value.to_string()).unwrap();
            assert_eq!(other.get_property(&property).unwrap(), value, "{path}");
        }
    }
    let missed: Vec<_> = wanted.difference(&done).collect();
    assert!(missed.is_empty(), "never set: {missed:?}");
}

#[test]
fn numbers_go_in_and_out_as_the_value_does() {
    let mut random = Random(8);
    let mut count = 0;
    for property in all(&everything()) {
        let Some(size) = property.info().value_type.numeric_size() else { continue };
        let mut model = everything();
        let Some(value) = random.value(&model, &property) else { continue };
        let numbers: Vec<f64> = value.numbers().collect();
        if !settable(&property, &model.set_numbers(&property, &numbers)) {
            continue;
        }
        let mut read = vec![0.0; size];
        model.get_numbers(&property, &mut read).unwrap();
        assert_eq!(read, numbers, "{:?}", line(&property));
        assert_eq!(model.get_property(&property).unwrap(), value);
        let short = model.set_numbers(&property, &numbers[1..]).unwrap_err();
        let counted = matches!(short, PropertyError::Count { given, .. } if given == size - 1);
        assert!(counted, "{short:?}");
        count += 1;
    }
    assert!(count > 100, "{count} properties of numbers");
}

#[test]
fn what_is_out_of_range_is_refused_and_changes_nothing() {
    let mut random = Random(9);
    let mut count = 0;
    for property in all(&everything()) {
        let ty = property.info().value_type;
        if !ty.is_numeric() || matches!(ty, PropertyType::Bool | PropertyType::Int) {
            continue;
        }
        let mut model = everything();
        let Some(value) = random.value(&model, &property) else { continue };
        if !settable(&property, &model.set_property(&property, value.clone())) {
            continue;
        }
        let numbers: Vec<f64> = value.numbers().collect();
        // A joint without rows has a list without numbers.
        if numbers.is_empty() {
            continue;
        }
        let ends = [property.info().range.low(), property.info().range.high()];
        let beyond = ends.map(|(end, closed)| match (end.is_finite(), closed) {
            (true, true) if end == property.info().range.low().0 => end - 1e-3,
            (true, true) => end + 1e-3,
            _ => end,
        });
        let range = property.info().range;
        let beyond = beyond.into_iter().chain([f64::NAN, f64::INFINITY]);
        // Infinity may be no limit.
        for out in beyond.filter(|x| !range.contains(*x)) {
            let mut wrong = numbers.clone();
            *wrong.last_mut().unwrap() = out;
            let error = model.set_numbers(&property, &wrong).unwrap_err();
            // A number that spoils a quaternion is told of as that.
            let told = match error {
                PropertyError::Range { .. } => true,
                PropertyError::Value { .. } => ty == PropertyType::Pose,
                _ => false,
            };
            assert!(told, "{:?} = {out}: {error}", line(&property));
            assert_eq!(model.get_property(&property).unwrap(), value);
            count += 1;
        }
    }
    assert!(count > 200, "{count} numbers out of range");
}

#[test]
fn what_can_only_be_read_is_refused() {
    let mut model = everything();
    let read_only: Vec<_> = all(&model).into_iter().filter(|p| p.info().read_only).collect();
    assert!(read_only.len() > 50);
    for property in read_only {
        let error = model.set_property(&property, property.info().default.clone()).unwrap_err();
        assert_eq!(error, PropertyError::ReadOnly(model.property_path(&property)));
    }
}

#[test]
fn every_property_is_found_by_its_path_and_only_once() {
    let model = everything();
    let mut seen = BTreeSet::new();
    for property in all(&model) {
        let path = model.property_path(&property);
        let found = model.property(&path).unwrap();
        assert_eq!(found.host(), property.host(), "{path}");
        assert!(std::ptr::eq(found.info(), property.info()), "{path}");
        assert!(seen.insert(path.clone()), "{path} twice");
    }
}

#[test]
fn the_model_of_these_tests_is_sound_and_a_value_that_was_set_leaves_it_so() {
    let mut random = Random(10);
    everything().compile().unwrap();
    for property in all(&everything()) {
        let mut model = everything();
        let Some(value) = random.value(&model, &property) else { continue };
        if settable(&property, &model.set_property(&property, value)) {
            let checked = model.check().map_err(|(id, e): (ComponentId, _)| e.of(&model.path(id)));
            assert_eq!(checked, Ok(()), "{:?}", line(&property));
        }
    }
}

#[test]
fn a_handle_tells_when_its_component_is_gone_and_serves_again_when_it_is_back() {
    use sinew::model::{Edit, History};
    let mut model = everything();
    let mass = model.property("/models/outer/particles/bob:mass").unwrap();
    let node = model.property("/models/outer/fem_models/soft/nodes/3:rest_position").unwrap();
    let mut history = History::default();
    history.apply(&mut model, Edit::delete(mass.host().component())).unwrap();
    history.apply(&mut model, Edit::delete(node.host().component())).unwrap();
    for property in [&mass, &node] {
        assert!(!model.has_property(property));
        let errors = [
            model.get_property(property).unwrap_err(),
            model
                .set_numbers(property, &vec![1.0; property.info().default.numbers().len()])
                .unwrap_err(),
        ];
        assert!(errors.iter().all(|e| matches!(e, PropertyError::Gone(_))), "{errors:?}");
    }
    while history.undo(&mut model).unwrap() {}
    assert_eq!(model.get_property(&mass).unwrap(), Value::Real(0.5));
    assert!(model.has_property(&node));
    // A node that the mesh no longer has.
    model.fem_mut(0).mesh.nodes.truncate(3);
    assert!(!model.has_property(&node));
    assert!(matches!(model.get_property(&node), Err(PropertyError::Gone(_))));
}
