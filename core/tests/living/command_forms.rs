//! Text and JSON of commands, and the words with which wrong ones are refused.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::editing::{EditCommand, EditCommandError, EditTextError};
use sinew::model::{History, MechModel, Model, Particle};
use sinew::property::Value;

use crate::world::text;

fn parsed(line: &str) -> EditCommand {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn quotes_keep_blanks_together_and_stay_inside_of_paths() {
    let line = r#"add  kind, /m/"a b/c"/x name='it is' text="a \"b\"\n" path=/"x y" dir="C:\dir" more=John's none="#;
    let expected = EditCommand::Add {
        kind: "kind".to_owned(),
        path: r#"/m/"a b/c"/x"#.to_owned(),
        properties: vec![
            pair("name", "it is"),
            pair("text", "a \"b\"\n"),
            pair("path", r#"/"x y""#),
            pair("dir", r"C:\dir"),
            pair("more", "John's"),
            pair("none", ""),
        ],
    };
    assert_eq!(parsed(line), expected);
    for open in ["delete \"a", "delete 'a", "delete x/\"a", "add a b c=\"d\\\"", "delete \"a\\"] {
        let refused = EditTextError::OpenQuote(open.to_owned());
        assert_eq!(open.parse::<EditCommand>(), Err(refused));
    }
    let plain = "rename /models/\"a b\"/c d";
    assert_eq!(parsed(plain).to_string(), plain, "no more quotes than are needed");
}

#[test]
fn a_line_that_is_no_command_is_refused_with_what_is_taken() {
    for (line, part) in [
        ("", "nothing"),
        ("explode /a", "duplicate_with_references"),
        ("rename /a", "PATH NAME"),
        ("add particle", "KIND PATH"),
        ("add particle a mass", "NAME=VALUE"),
        ("delete", "PATH .."),
        ("undo /a", "nothing"),
        ("translate 1 /a", "X Y Z"),
        ("set /a:b", "VALUE"),
    ] {
        let error = line.parse::<EditCommand>().unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn words_of_a_value_may_stand_apart() {
    let command = parsed("set /models/m:gravity 0 0 -1");
    assert_eq!(command.to_string(), "set /models/m:gravity \"0 0 -1\"");
    assert_eq!(parsed(&command.to_string()), command);
}

#[test]
fn values_in_json_may_be_numbers_and_lists() {
    let text = r#"{"command": "add", "kind": "particle", "path": "a",
        "properties": {"mass": 2, "position": [0, 0.1, -1e-3], "fixed": [true, false, true]}}"#;
    let expected = EditCommand::Add {
        kind: "particle".to_owned(),
        path: "a".to_owned(),
        properties: vec![
            pair("mass", "2"),
            pair("position", "0 0.1 -0.001"),
            pair("fixed", "true false true"),
        ],
    };
    assert_eq!(serde_json::from_str::<EditCommand>(text).unwrap(), expected);
}

#[test]
fn json_of_no_command_is_refused() {
    for bad in [
        r#"{"command": "explode", "paths": []}"#,
        r#"{"command": "rename", "path": "/a"}"#,
        r#"{"command": "undo", "paths": []}"#,
        r#"{"command": "delete", "paths": [], "name": "a"}"#,
        r#"{"command": "translate", "paths": [], "by": [0, 1]}"#,
        r#"{"path": "/a"}"#,
    ] {
        assert!(serde_json::from_str::<EditCommand>(bad).is_err(), "{bad}");
    }
}

/// Two particles, `a` and `b`.
fn model() -> Model {
    let mut model = Model::new("m");
    let mech = model.add(MechModel::new("arm"));
    for (k, name) in ["a", "b"].into_iter().enumerate() {
        let particle = Particle::new(1.0, Vec3::new(k as f64, 0.0, 0.0)).named(name);
        model.add_to(mech.id(), particle).expect("a list of particles");
    }
    model
}

fn add(
    model: &mut Model,
    kind: &str,
    path: &str,
    list: &[(&str, &str)],
) -> Result<History, Box<EditCommandError>> {
    let properties = list.iter().map(|(name, text)| pair(name, text)).collect();
    let command = EditCommand::Add { kind: kind.into(), path: path.into(), properties };
    let mut history = History::default();
    command.apply(model, &mut history)?;
    Ok(history)
}

#[test]
fn a_muscle_is_added_between_two_points_with_its_appearance() {
    let mut model = model();
    let given = [
        ("first", "/models/arm/particles/a"),
        ("second", "/models/arm/particles/b"),
        ("material", "simple_muscle"),
        ("material.max_force", "12"),
        ("render.line_color", "1 0 0"),
    ];
    let before = text(&model);
    let mut history = add(&mut model, "axial_spring", "biceps", &given).unwrap();
    let value = |model: &Model, name: &str| {
        let path = format!("/models/arm/axial_springs/biceps:{name}");
        model.get_property(&model.property(&path).unwrap())
    };
    assert_eq!(value(&model, "material.max_force"), Ok(Value::Real(12.0)));
    assert_eq!(value(&model, "render.line_color"), Ok(Value::Colour([1.0, 0.0, 0.0])));
    let after = text(&model);
    assert_eq!(history.undo(&mut model), Ok(true));
    assert_eq!(text(&model), before);
    assert_eq!(history.redo(&mut model), Ok(true));
    assert_eq!(text(&model), after);
    assert!(add(&mut model, "AxialSpring", "/models/arm/triceps", &given).is_ok());
    assert!(add(&mut model, "particle", "/models/arm/\"x/y\"", &[]).is_ok());
    assert!(model.find("/models/arm/particles/\"x/y\"").is_ok());
}

#[test]
fn what_makes_no_component_is_told_and_nothing_changes() {
    let mut model = model();
    let (before, seen) = (text(&model), model.changes().now());
    let mut error = |kind: &str, path: &str, given: &[(&str, &str)]| {
        let error = add(&mut model, kind, path, given).unwrap_err().to_string();
        assert_eq!(text(&model), before, "{error}");
        assert_eq!(model.changes().now(), seen, "nothing is stale: {error}");
        error
    };
    assert!(error("axial_sprong", "x", &[]).contains("AxialSpring"));
    assert!(error("axial_spring", "x", &[]).contains("needs 'first'"));
    assert!(error("particle", "x", &[("mas", "1")]).contains("mass"));
    assert!(error("particle", "x", &[("mass", "-1")]).contains("/particles/x:mass"));
    assert!(error("particle", "a", &[]).contains("'a'"));
    assert!(error("particle", "/models/leg/x", &[]).contains("leg"));
    assert!(error("particle", "/models/arm:x", &[]).contains("a name"));
    assert!(error("fem_model", "x", &[("box", "1 0 1")]).contains("each above 0 m, got '1 0 1'"));
    assert!(error("fem_model", "x", &[("cells", "1 1 1")]).contains("beside a 'box'"));
    let block = [("box", "1 1 1"), ("cells", "1 1 0.5")];
    assert!(error("fem_model", "x", &block).contains("three whole numbers"));
    assert!(error("custom_force", "x", &[]).contains("no force of that name"));
    assert!(error("root_model", "x", &[]).contains("one root"));
}
