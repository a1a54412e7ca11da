//! Properties set by edits, which are undone to the letter, and references set by path.

use sinew::editing::EditCommand;
use sinew::model::{
    AxialSpring, CustomConstrainer, CustomForce, CustomJoint, Edit, EditError, History, Model,
};
use sinew::property::{PropertyError, PropertyRef, PropertyType, Value};
use sinew::{Mat3, Vec3};

use crate::fixture::{by_choice, everything, hosts};
use crate::values::Random;

fn written(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

/// The model without what is code, so that it can be written.
fn writable() -> Model {
    let mut model = everything();
    let code = [
        model.first::<CustomForce>().unwrap().id(),
        model.first::<CustomJoint>().unwrap().id(),
        model.first::<CustomConstrainer>().unwrap().id(),
    ];
    code.into_iter().for_each(|id| drop(model.edit(Edit::delete(id)).unwrap()));
    model
}

#[test]
fn an_edit_of_any_property_is_undone_and_redone_to_the_letter() {
    let mut random = Random(21);
    let start = writable();
    let before = written(&start);
    for host in hosts(&everything()).into_iter().filter(|host| start.contains(host.component())) {
        for property in start.properties(host) {
            let mut model = start.clone();
            let Some(value) = random.value(&model, &property) else { continue };
            let path = model.property_path(&property);
            let mut history = History::default();
            match history.apply(&mut model, Edit::set(property, value.clone())) {
                Ok(_) => {}
                Err(EditError::Fixed(_)) if property.info().name == "name" => continue,
                Err(EditError::Property(
                    PropertyError::Absent { .. } | PropertyError::ReadOnly(_),
                )) => continue,
                // What depends on another choice: a constant that another law has in a wider range.
                Err(EditError::Property(
                    PropertyError::Value { .. } | PropertyError::Invalid { .. },
                )) if by_choice(property.info().name) => continue,
                Err(error) => panic!("{path}: {error}"),
            }
            assert_eq!(model.get_property(&property).unwrap(), value, "{path}");
            let after = written(&model);
            history.undo(&mut model).unwrap();
            assert_eq!(written(&model), before, "{path}");
            history.redo(&mut model).unwrap();
            assert_eq!(written(&model), after, "{path}");
        }
    }
}

#[test]
fn a_law_that_is_taken_back_has_the_constants_that_it_had() {
    let mut model = everything();
    let soft = "/models/outer/fem_models/soft";
    model.set_text(&format!("{soft}:material.youngs_modulus"), "1234").unwrap();
    let law = model.property(&format!("{soft}:material")).unwrap();
    let mut history = History::default();
    history.apply(&mut model, Edit::set(law, "mr")).unwrap();
    history.undo(&mut model).unwrap();
    let modulus = model.property(&format!("{soft}:material.youngs_modulus")).unwrap();
    assert_eq!(model.get_real(&modulus).unwrap(), 1234.0);
}

#[test]
fn an_edit_that_would_leave_the_component_wrong_is_refused_when_it_is_planned() {
    let model = everything();
    let path = "/models/outer/models/inner/fem_models/stiff:material.c10";
    let c10 = model.property(path).unwrap();
    let error = model.plan(Edit::set(c10, -1.0)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{path} cannot be '-1': material is refused")), "{error}");
}

/// Values of the type of a property that few components would do with.
fn odd_values(property: &PropertyRef) -> Vec<Value> {
    let texts = ["", ";", "1 +", "nobody", "0", "1; 2; 3", "{/nowhere:mass}"];
    let lists = [&[][..], &[-1.0], &[0.5, 0.5], &[0.0, 1.0, 2.0], &[3.0; 7], &[1e300; 12]];
    let numbers = [0.0, -1.0, 0.5, 1e300];
    match property.info().value_type {
        PropertyType::Text => texts.iter().map(|it| Value::Text((*it).to_owned())).collect(),
        PropertyType::Path => texts.iter().map(|it| Value::Path((*it).to_owned())).collect(),
        PropertyType::Paths => {
            let one = |it: &&str| Value::Paths(vec![(*it).to_owned()]);
            texts.iter().map(one).chain([Value::Paths(Vec::new())]).collect()
        }
        PropertyType::List => lists.iter().map(|it| Value::List(it.to_vec())).collect(),
        PropertyType::Int => [0, -1, 7, i64::MAX].map(Value::Int).to_vec(),
        PropertyType::Real => numbers.map(Value::Real).to_vec(),
        PropertyType::Vector => numbers.map(|x| Value::Vector(Vec3::repeat(x))).to_vec(),
        PropertyType::Matrix => numbers.map(|x| Value::Matrix(Mat3::repeat(x))).to_vec(),
        PropertyType::Choice(words) => words.iter().map(|word| Value::Choice(word)).collect(),
        PropertyType::Bool | PropertyType::Colour | PropertyType::Pose => Vec::new(),
    }
}

#[test]
fn a_value_that_passes_the_plan_is_taken_and_others_are_refused_with_the_same_reason() {
    let start = everything();
    let (mut taken, mut refused) = (0, 0);
    for property in hosts(&start).into_iter().flat_map(|host| start.properties(host)) {
        for value in odd_values(&property) {
            let case = format!("{} = {value}", start.property_path(&property));
            let mut model = start.clone();
            let plan = model.plan(Edit::set(property, value.clone()));
            if property.info().name == "name" {
                continue;
            }
            match plan {
                Ok(mut change) => {
                    model.apply(&mut change).unwrap_or_else(|error| panic!("{case}: {error}"));
                    taken += 1;
                }
                // It has no value now, or only a simulation has one.
                Err(EditError::Property(PropertyError::Absent { .. })) => {}
                Err(error) => {
                    let set = model.set_property(&property, value);
                    let set = set.err().unwrap_or_else(|| panic!("{case} is taken, not {error}"));
                    assert_eq!(error.to_string(), set.to_string(), "{case}");
                    refused += 1;
                }
            }
        }
    }
    assert!(taken > 1000 && refused > 1000, "{taken} taken, {refused} refused");
}

#[test]
fn a_field_that_cannot_be_read_is_refused_when_it_is_planned() {
    let model = everything();
    let soft = "/models/outer/fem_models/soft:field";
    for (name, text, said) in [
        ("density", "1000 +", "'1000 +' is no formula"),
        ("density", "bone", "'bone' in 'bone' is none of x, y, z, nor a field"),
        ("density", "x - 10", "in element 0; it must be > 0"),
        ("youngs_modulus", "-1", "is -1 in element 0; it must be"),
        ("fibres", "1; 2", "'1; 2' is neither a field of three numbers"),
        ("prestrain", "1; 0; 0", "'1; 0; 0' is neither a field of nine numbers"),
    ] {
        let property = model.property(&format!("{soft}.{name}")).unwrap();
        let error = model.plan(Edit::set(property, text)).unwrap_err().to_string();
        let start = format!("{soft}.{name} cannot be '{text}': field.{name} ");
        assert!(error.starts_with(&start) && error.contains(said), "{error}");
    }
}

#[test]
fn an_end_of_a_spring_is_another_point_and_falls_with_that_one() {
    // A deletion has made the index of references, which is then kept up to date.
    let mut model = writable();
    let rope = model.first::<AxialSpring>().unwrap();
    let first = model.property_of(rope, "first").unwrap();
    assert_eq!(
        model.get_property(&first).unwrap(),
        Value::Path("/models/outer/particles/bob".into())
    );
    let node = "/models/outer/models/inner/fem_models/stiff/nodes/2";
    model.set_property(&first, node).unwrap();
    assert_eq!(model.get_property(&first).unwrap(), Value::Path(node.into()));
    // The old end may go without it, the new one takes it along.
    let bob = model.find("/models/outer/particles/bob").unwrap().component();
    let without = model.plan(Edit::delete(bob)).unwrap();
    assert!(!without.deleted().contains(&rope.id()));
    let stiff = model.find("/models/outer/models/inner/fem_models/stiff").unwrap().component();
    let deleted = model.edit(Edit::delete(stiff)).unwrap().deleted();
    assert!(deleted.contains(&rope.id()), "{deleted:?}");
    assert!(!model.has_property(&first));
}

#[test]
fn a_deletion_that_was_planned_before_a_reference_was_set_is_stale() {
    for by_edit in [false, true] {
        let mut model = everything();
        let pin = model.find("/models/outer/models/inner/particles/pin").unwrap();
        let mut deletion = model.plan(Edit::delete(pin.component())).unwrap();
        let first = model.property("/models/outer/axial_springs/rope:first").unwrap();
        let path = model.path(pin);
        if by_edit {
            model.edit(Edit::set(first, path.as_str())).unwrap();
        } else {
            model.set_property(&first, path.as_str()).unwrap();
        }
        assert_eq!(model.apply(&mut deletion), Err(EditError::Stale), "{by_edit}");
    }
}

#[test]
fn members_of_a_group_are_paths() {
    let mut model = everything();
    let members = model.property("/models/outer/group:members").unwrap();
    let both = "/models/outer/axial_springs/rope /models/outer/particles/bob";
    assert_eq!(model.get_property(&members).unwrap().to_string(), both);
    model.set_text("/models/outer/group:members", "/models/outer/particles/bob, /models").unwrap();
    assert_eq!(
        model.get_property(&members).unwrap().to_string(),
        "/models/outer/particles/bob /models"
    );
    let bob = model.find("/models/outer/particles/bob").unwrap().component();
    model.edit(Edit::delete(bob)).unwrap();
    assert_eq!(model.get_property(&members).unwrap().to_string(), "/models");
}

#[test]
fn nodes_of_a_tissue_are_fixed_moved_and_released_by_edits() {
    let (mut model, mut history) = (writable(), History::default());
    let soft = "/models/outer/fem_models/soft";
    let count = model.get_property(&model.property(&format!("{soft}:support_count")).unwrap());
    let Ok(Value::Int(count)) = count else { panic!("{count:?}") };
    let before = written(&model);
    let mut run = |model: &mut Model, line: String| {
        let command: EditCommand = line.parse().unwrap();
        assert_eq!(command, command.to_string().parse().unwrap(), "{line}");
        command.apply(model, &mut history).map_err(|error| error.to_string())
    };
    let refused = run(&mut model, format!("add_support {soft} 0 99999")).unwrap_err();
    assert!(refused.contains("no node 99999"), "{refused}");
    run(&mut model, format!("add_support {soft} 1 0 1")).unwrap();
    let at = format!("{soft}/supports/{count}");
    let read =
        |model: &Model, path: String| model.get_property(&model.property(&path).unwrap()).unwrap();
    assert_eq!(read(&model, format!("{at}:nodes")), Value::List(vec![0.0, 1.0]));
    assert_eq!(read(&model, format!("{soft}/nodes/0:fixed.x")), Value::Bool(true));
    run(&mut model, format!("set {at}:axes.x false")).unwrap();
    run(&mut model, format!("set {at}:keyframes 0 0 0 0 1 0 0 0.01")).unwrap();
    run(&mut model, format!("set {at}:nodes \"\"")).unwrap();
    assert_eq!(read(&model, format!("{at}:nodes")), Value::List(Vec::new()));
    (0..4).for_each(|_| drop(run(&mut model, "undo".to_owned()).unwrap()));
    assert_eq!(written(&model), before);
}

#[test]
fn a_support_that_is_taken_away_takes_along_who_names_it_and_later_ones_move_up() {
    let (mut model, mut history) = (writable(), History::default());
    let soft = "/models/outer/fem_models/soft";
    let count = model.property(&format!("{soft}:support_count")).unwrap();
    let Ok(Value::Int(first)) = model.get_property(&count) else { panic!("a count") };
    let at = |k: i64| format!("{soft}/supports/{}", first + k);
    let run = |model: &mut Model, history: &mut History, line: &str| {
        let command: EditCommand = line.parse().unwrap();
        assert_eq!(command, command.to_string().parse().unwrap(), "{line}");
        command.apply(model, history).map_err(|error| error.to_string())
    };
    for k in 0..3 {
        run(&mut model, &mut history, &format!("add_support {soft} {k}")).unwrap();
    }
    let offset = |k: i64| format!("{}:offset", at(k));
    for (name, k) in [("second", 1), ("third", 2)] {
        let line =
            format!("add input_probe {name} properties={} data=\"0 0 0 0 1 0 0 1\"", offset(k));
        run(&mut model, &mut history, &line).unwrap();
    }
    let rule = format!("add event e when=\"{{{}:axes.x}}\" command=stop", at(2));
    run(&mut model, &mut history, &rule).unwrap();
    let before = written(&model);
    let read = |model: &Model, path: &str| {
        model.get_property(&model.property(path).unwrap()).unwrap().to_string()
    };
    for line in [format!("remove_support {}", at(1)), format!("delete {}", at(1))] {
        let report = run(&mut model, &mut history, &line).unwrap();
        assert_eq!(report.deleted, ["/models/outer/probes/second"], "{line}");
        assert_eq!(model.get_property(&count), Ok(Value::Int(first + 2)));
        assert_eq!(read(&model, &format!("{}:nodes", at(1))), "2");
        assert_eq!(read(&model, "/models/outer/probes/third:properties"), offset(1));
        assert!(read(&model, "/models/outer/events/e:when").contains(&at(1)));
        let after = written(&model);
        run(&mut model, &mut history, "undo").unwrap();
        assert_eq!(written(&model), before, "{line}");
        run(&mut model, &mut history, "redo").unwrap();
        assert_eq!(written(&model), after, "{line}");
        run(&mut model, &mut history, "undo").unwrap();
    }
    let all = format!("delete {} {} {}", at(0), at(2), at(1));
    run(&mut model, &mut history, &all).unwrap();
    assert_eq!(model.get_property(&count), Ok(Value::Int(first)));
    let refused = run(&mut model, &mut history, &format!("remove_support {soft}")).unwrap_err();
    assert!(refused.contains("is no support"), "{refused}");
    let refused = run(&mut model, &mut history, &format!("remove_support {}", at(0))).unwrap_err();
    assert!(refused.contains("supports"), "{refused}");
}

#[test]
fn an_event_whose_command_would_be_refused_is_told_when_it_is_added_and_as_long_as_it_would() {
    let (mut model, mut history) = (writable(), History::default());
    let mut run = |model: &mut Model, line: &str| {
        line.parse::<EditCommand>().unwrap().apply(model, &mut history).unwrap().warnings
    };
    let told = run(&mut model, "add event bad when=t crosses=1 command=\"delete /nope\"");
    assert!(told.len() == 1 && told[0].contains("/models/outer/events/bad"), "{told:?}");
    assert!(told[0].contains("`delete /nope`") && told[0].contains("nope"), "{told:?}");
    let fine = "add event fine when=t crosses=1 command=\"set /models/outer:gravity 0 0 0\"";
    assert_eq!(run(&mut model, fine), [""; 0], "the other one was told before");
    assert_eq!(run(&mut model, "add event halt when=t crosses=1 command=stop"), [""; 0]);
    let before = written(&model);
    assert_eq!(model.event_faults().len(), 1);
    assert_eq!(written(&model), before, "trying changes nothing");
    let mended = "set /models/outer/events/bad:command \"delete /models/outer/particles/bob\"";
    assert_eq!(run(&mut model, mended), [""; 0]);
    assert_eq!(model.event_faults(), []);
}
