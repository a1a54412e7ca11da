//! Properties that users declare on a component: read, set, undone, copied, saved, recorded and fed as others are.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::editing::EditCommand;
use sinew::model::{Edit, EditError, History, Model, Particle, PropertyController};
use sinew::property::{
    Declaration, DeclarationError, PropertyError, PropertyRef, PropertyType, Value,
};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;

const STONE: &str = "/models/m/particles/stone";

fn falling() -> Model {
    let mut model = Model::new("m");
    model.add(Particle::new(2.0, Vec3::z()).named("stone"));
    model
}

fn written(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

fn age() -> Declaration {
    Declaration::new("age", PropertyType::Real).unit("year").default_value(40.0).doc("At the scan")
}

fn declare(model: &mut Model, declaration: Declaration) -> PropertyRef {
    let (id, name) = (model.find(STONE).unwrap().component(), declaration.name.clone());
    model.edit(Edit::declare(id, declaration)).unwrap();
    model.property(&format!("{STONE}:{name}")).unwrap()
}

/// One of every type, with a value that is not its default.
fn one_of_each() -> Vec<(Declaration, &'static str)> {
    [
        ("bool", "true"),
        ("int", "-7"),
        ("number", "0.1"),
        ("vector", "1 -0 3e-7"),
        ("matrix", "1 2 3 4 5 6 7 8 9.5"),
        ("pose", "1 2 3 0 0 0.6 0.8"),
        ("text", " two words\n"),
        ("colour", "0.1 0.2 1"),
        ("list", "1.5 2.5"),
    ]
    .map(|(ty, text)| {
        (Declaration::new(format!("a_{ty}"), Declaration::type_of(ty).unwrap()), text)
    })
    .into()
}

#[test]
fn a_declared_property_is_found_read_set_and_refuses_what_does_not_fit() {
    let mut model = falling();
    let age = declare(&mut model, age());
    assert_eq!((age.info().unit, age.info().doc), ("year", "At the scan"));
    assert_eq!(model.get_property(&age), Ok(Value::Real(40.0)));
    model.set_text(&format!("{STONE}:age"), "52.5").unwrap();
    assert_eq!(model.get_real(&age), Ok(52.5));
    model.set_property(&age, 53).unwrap();
    assert_eq!(model.get_property(&age), Ok(Value::Real(53.0)), "a whole number is a number");
    let host = age.host();
    assert!(model.properties(host).iter().any(|it| it.info().name == "age"));
    for (value, part) in
        [(Value::Bool(true), "takes a number"), (Value::Real(f64::NAN), "must be finite")]
    {
        let error = model.set_property(&age, value).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let error = model.property(&format!("{STONE}:agee")).unwrap_err().to_string();
    assert!(error.contains("did you mean 'age'"), "{error}");
    for (declaration, text) in one_of_each() {
        let property = declare(&mut model, declaration.clone());
        assert_eq!(model.get_property(&property), Ok(declaration.default));
        let value = match declaration.value_type {
            PropertyType::Text => Value::Text(text.to_owned()),
            ty => Value::parse(ty, text).unwrap(),
        };
        model.set_property(&property, value.clone()).unwrap();
        assert_eq!(model.get_property(&property), Ok(value));
    }
    let read: Model = serde_json::from_str(&written(&model)).unwrap();
    assert_eq!(written(&read), written(&model));
    assert_eq!(
        read.get_property(&read.property(&format!("{STONE}:a_pose")).unwrap()),
        model.get_property(&model.property(&format!("{STONE}:a_pose")).unwrap())
    );
}

#[test]
fn a_component_has_no_more_than_a_thousand_declared_properties() {
    let mut model = falling();
    let declaration = |k: usize| Declaration::new(format!("of{k}"), PropertyType::Int);
    for k in 0..1000 {
        declare(&mut model, declaration(k));
    }
    let id = model.find(STONE).unwrap().component();
    let refused = model.edit(Edit::declare(id, declaration(1000))).unwrap_err();
    assert!(refused.to_string().ends_with("has 1000 declared properties already"), "{refused}");
}

#[test]
fn names_of_others_are_refused_and_only_declared_properties_are_taken_away() {
    let mut model = falling();
    let id = model.find(STONE).unwrap().component();
    declare(&mut model, age());
    let before = written(&model);
    for name in ["age", "mass", "position", "name"] {
        let declaration = Declaration::new(name, PropertyType::Text);
        let refused = model.edit(Edit::declare(id, declaration)).unwrap_err();
        let taken = DeclarationError::Taken { owner: STONE.to_owned(), name: name.to_owned() };
        assert_eq!(refused, EditError::Declaration(taken));
    }
    let mass = model.property(&format!("{STONE}:mass")).unwrap();
    let refused = model.edit(Edit::Undeclare(mass)).unwrap_err();
    assert!(matches!(refused, EditError::Declaration(DeclarationError::BuiltIn(_))), "{refused}");
    assert_eq!(written(&model), before);
    let twice = before.replacen("\"number\":0,\"declared\":[{", "\"number\":0,\"declared\":[{\"name\":\"age\",\"type\":\"int\",\"default\":\"0\",\"value\":\"0\"},{", 1);
    assert!(twice != before, "{before}");
    let error = serde_json::from_str::<Model>(&twice).unwrap_err().to_string();
    assert!(error.contains("declares 'age'"), "{error}");
    for (from, to, part) in
        [("\"53\"", "\"old\"", "must be a finite number"), ("year", "a,b", "unit")]
    {
        let mut model = model.clone();
        model.set_text(&format!("{STONE}:age"), "53").unwrap();
        let wrong = written(&model).replacen(from, to, 1);
        let error = serde_json::from_str::<Model>(&wrong).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn declaring_is_undone_and_redone_with_the_values_and_goes_with_the_component() {
    let (mut model, mut history) = (falling(), History::default());
    let mut texts = vec![written(&model)];
    let lines = [
        format!("declare {STONE}:age number unit=year default=40 doc=\"At the scan\""),
        format!("set {STONE}:age 41"),
        format!("declare {STONE}:tint colour default=\"1 0 0\""),
        format!("undeclare {STONE}:age"),
        format!("declare {STONE}:age text"),
        format!("duplicate {STONE}"),
        format!("set {STONE}_2:age old"),
        format!("delete {STONE}"),
    ];
    for line in &lines {
        let command: EditCommand = line.parse().unwrap();
        assert_eq!(command, command.to_string().parse().unwrap(), "{line}");
        let json = serde_json::to_string(&command).unwrap();
        assert_eq!(command, serde_json::from_str(&json).unwrap(), "{json}");
        let report = command.apply(&mut model, &mut history).unwrap();
        if line.starts_with("declare") {
            assert_eq!(report.changed, [STONE]);
        }
        texts.push(written(&model));
    }
    assert_eq!(
        model.get_property(&model.property(&format!("{STONE}_2:age")).unwrap()),
        Ok(Value::Text("old".to_owned()))
    );
    for text in texts.iter().rev().skip(1) {
        assert!(history.undo(&mut model).unwrap());
        assert_eq!(&written(&model), text);
    }
    for text in &texts[1..] {
        assert!(history.redo(&mut model).unwrap());
        assert_eq!(&written(&model), text);
    }
}

#[test]
fn a_property_of_before_is_gone_when_another_of_its_name_is_declared() {
    let mut model = falling();
    let first = declare(&mut model, age());
    let mut away = model.edit(Edit::Undeclare(first)).unwrap();
    assert!(matches!(model.get_property(&first), Err(PropertyError::Gone(_))));
    model.undo(&mut away).unwrap();
    assert_eq!(model.get_real(&first), Ok(40.0));
    model.apply(&mut away).unwrap();
    let second = declare(&mut model, Declaration::new("age", PropertyType::Text));
    assert!(!model.has_property(&first) && model.has_property(&second));
    assert!(matches!(model.set_property(&first, 3.0), Err(PropertyError::Gone(_))));
}

#[test]
fn formulas_controllers_and_waypoints_see_declared_properties() {
    let mut model = falling();
    declare(&mut model, Declaration::new("height", PropertyType::Real).unit("m"));
    declare(&mut model, Declaration::new("twice", PropertyType::Real));
    let stone = model.find(STONE).unwrap().component();
    let copy = |input: String, name: &str| PropertyController::new(input, stone, name);
    model.add(copy(format!("{{{STONE}:position.z}}"), "height").named("follow"));
    model.add(copy(format!("2 * {{{STONE}:height}}"), "twice").named("double"));
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut run = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    let read = |run: &mut Scheduler, name: &str| {
        let property = run.simulation_mut().property(&format!("{STONE}:{name}")).unwrap();
        run.simulation_mut().get(&property).unwrap().numbers().next().unwrap()
    };
    run.add_waypoint(0.05, false).unwrap();
    run.advance(0.05).unwrap();
    let (height, twice) = (read(&mut run, "height"), read(&mut run, "twice"));
    // Set before the fifth step, from where the fourth one ended; free fall by backward Euler.
    let fallen = 9.8 * 0.01 * 0.01 * (1.0 + 2.0 + 3.0 + 4.0);
    assert!((height - (1.0 - fallen)).abs() < 1e-12, "{height}");
    assert_eq!(twice, 2.0 * height);
    run.advance(0.1).unwrap();
    assert!(read(&mut run, "height") < height);
    run.rewind(0.05).unwrap();
    assert_eq!((read(&mut run, "height"), read(&mut run, "twice")), (height, twice));
    run.rewind(0.0).unwrap();
    assert_eq!(read(&mut run, "height"), 0.0, "what it was before the run");
}

#[test]
fn a_property_that_others_name_is_not_taken_away() {
    let (mut model, mut history) = (falling(), History::default());
    let mut run = |line: &str| {
        let command: EditCommand = line.parse().unwrap();
        command.apply(&mut model, &mut history).map_err(|error| error.to_string())
    };
    run(&format!("declare {STONE}:height number")).unwrap();
    run(&format!("declare {STONE}:free number")).unwrap();
    run(&format!("add property_controller c input=t target={STONE} property=height")).unwrap();
    run(&format!("add output_probe o expressions=\"h = 2 * {{{STONE}:height}}\"")).unwrap();
    run(&format!("add event e when={{{STONE}:height}} crosses=1 command=stop")).unwrap();
    let refused = run(&format!("undeclare {STONE}:height")).unwrap_err();
    for user in ["controllers/c", "probes/o", "events/e", "change or delete these first"] {
        assert!(refused.contains(user), "{refused}");
    }
    run(&format!("undeclare {STONE}:free")).unwrap();
    run("delete /models/m/controllers/c /models/m/probes/o /models/m/events/e").unwrap();
    run(&format!("undeclare {STONE}:height")).unwrap();
}
