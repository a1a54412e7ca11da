//! Commands: read as they were written, in text and in JSON; the same model comes of them by all doors, and they are
//! taken back exactly.

use proptest::prelude::*;
use sinew::component::{ComponentId, Kind};
use sinew::editing::{DuplicateScope, EditCommand, EditReport, MapDescription};
use sinew::model::{History, LineLengths, MassRule, Model, TransformOptions};

use crate::world::{Draw, check, draws, grown, pick, text, value, vector, walk};

/// Any text, odd ones among them.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z/_0-9]{0,12}", "[ a=,'\"\\\\\n\t()#/:-]{0,8}", any::<String>(),]
}

fn any_vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(prop_oneof![-10.0..10.0, prop::num::f64::NORMAL | prop::num::f64::ZERO])
}

fn any_command() -> impl Strategy<Value = EditCommand> {
    let paths = || prop::collection::vec(any_text(), 1..4);
    let pairs = prop::collection::vec(("[a-z][a-z_.0-9]{0,12}", any_text()), 0..4);
    let scope = prop_oneof![Just(DuplicateScope::Alone), Just(DuplicateScope::WithReferences)];
    prop_oneof![
        (any_text(), any_text(), pairs).prop_map(|(kind, path, properties)| EditCommand::Add {
            kind,
            path,
            properties
        }),
        paths().prop_map(|paths| EditCommand::Delete { paths }),
        (paths(), scope).prop_map(|(paths, scope)| EditCommand::Duplicate { paths, scope }),
        (any_text(), any_text()).prop_map(|(path, name)| EditCommand::Rename { path, name }),
        (any_text(), any_text()).prop_map(|(path, parent)| EditCommand::Move { path, parent }),
        (any_text(), any_text()).prop_map(|(property, value)| EditCommand::Set { property, value }),
        any_text().prop_map(|property| EditCommand::Inherit { property }),
        (paths(), any_vector()).prop_map(|(paths, by)| EditCommand::Translate { paths, by }),
        (paths(), any_vector(), any_vector())
            .prop_map(|(paths, turn, about)| EditCommand::Rotate { paths, turn, about }),
        (paths(), any_vector(), any_vector())
            .prop_map(|(paths, factors, about)| EditCommand::Scale { paths, factors, about }),
        (paths(), any_map(), any_options())
            .prop_map(|(paths, map, options)| EditCommand::Transform { paths, map, options }),
        (paths(), any_text()).prop_map(|(points, to)| EditCommand::Attach { points, to }),
        paths().prop_map(|points| EditCommand::Detach { points }),
        (any_text(), any_text(), prop::collection::vec(prop::array::uniform2(any::<u32>()), 0..4))
            .prop_map(|(path, name, faces)| EditCommand::NameFaces { path, name, faces }),
        (any_text(), prop::collection::vec(any::<u32>(), 1..4))
            .prop_map(|(path, nodes)| EditCommand::AddSupport { path, nodes }),
        any_text().prop_map(|path| EditCommand::RemoveSupport { path }),
        Just(EditCommand::Undo),
        Just(EditCommand::Redo),
    ]
}

fn any_map() -> impl Strategy<Value = MapDescription> {
    let landmarks = prop::collection::vec((any_vector(), any_vector()), 0..4);
    let counts = prop::array::uniform3(0..5_usize);
    let field = (any_vector(), any_vector(), counts, prop::collection::vec(any_vector(), 0..4));
    prop_oneof![
        (any_vector(), any_vector())
            .prop_map(|(factors, about)| MapDescription::Scale { factors, about }),
        (any_vector(), any_vector())
            .prop_map(|(normal, through)| MapDescription::Mirror { normal, through }),
        (prop::array::uniform3(any_vector()), any_vector())
            .prop_map(|(linear, translation)| MapDescription::Affine { linear, translation }),
        field.prop_map(|(origin, spacing, counts, displacements)| MapDescription::Field {
            origin,
            spacing,
            counts,
            displacements
        }),
        landmarks.prop_map(|pairs| {
            let (from, to) = pairs.into_iter().unzip();
            MapDescription::Landmarks { from, to }
        }),
    ]
}

fn any_options() -> impl Strategy<Value = TransformOptions> {
    let lengths = [LineLengths::All, LineLengths::Rest, LineLengths::Keep];
    let masses = [MassRule::Density, MassRule::Mass];
    (prop::sample::select(lengths.to_vec()), prop::sample::select(masses.to_vec()))
        .prop_map(|(lengths, masses)| TransformOptions { lengths, masses })
}

#[test]
fn a_command_is_read_from_text_and_json_as_it_was_written() {
    check(4000, any_command(), |command| {
        let line = command.to_string();
        assert_eq!(line.parse(), Ok(command.clone()), "{line}");
        assert!(!line.contains('\n'), "one line: {line}");
        let json = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<EditCommand>(&json).unwrap(), command, "{json}");
    });
}

/// The kinds that most commands add.
const KINDS: [&str; 10] = [
    "particle",
    "axial_spring",
    "component_list",
    "mech_model",
    "FrameMarker",
    "point_load",
    "muscle_exciter",
    "rigid_body",
    "waypoint",
    "control_panel",
];

/// Path of a component of a kind, of all components.
fn of_kind(model: &Model, all: &[ComponentId], kind: Kind, draw: u32) -> Option<String> {
    let those: Vec<ComponentId> = all.iter().copied().filter(|id| id.kind() == kind).collect();
    Some(model.path(pick(&those, draw)?))
}

/// A command that adds a component, with some of its properties.
fn addition(model: &Model, all: &[ComponentId], [a, b, c]: [u32; 3]) -> Option<EditCommand> {
    let kind = pick(&KINDS, a)?.to_owned();
    let mut properties = Vec::new();
    let mut assign = |name: &str, value: String| properties.push((name.to_owned(), value));
    match kind.as_str() {
        "axial_spring" => {
            assign("first", of_kind(model, all, Kind::Particle, b)?);
            assign("second", of_kind(model, all, Kind::Particle, c)?);
            assign("material.stiffness", (c % 9).to_string());
        }
        "particle" => {
            let [x, y, z]: [f64; 3] = vector(c).into();
            assign("position", format!("{x} {y} {z}"));
        }
        "control_panel" => {
            assign("properties", format!("{}:mass", of_kind(model, all, Kind::Particle, b)?));
            assign("labels", format!("l{}", c % 5));
            assign("high", (c % 7).to_string());
        }
        "waypoint" => {
            assign("time", (f64::from(c % 9) * 0.1).to_string());
            assign("breakpoint", (c % 2 == 0).to_string());
        }
        _ => {}
    }
    Some(EditCommand::Add { kind, path: format!("n{}", b % 40), properties })
}

/// A command of any kind about a model; many are refused.
fn command(model: &Model, [what, a, b, c]: Draw) -> Option<EditCommand> {
    let all = walk(model);
    let path = |draw| Some(model.path(pick(&all, draw)?));
    let paths = |draw: u32| -> Option<Vec<String>> {
        (0..1 + c % 2).map(|k| path(draw.rotate_left(7 * k))).collect()
    };
    let about = vector(c).into();
    Some(match what % 16 {
        0..5 => addition(model, &all, [a, b, c])?,
        5 => EditCommand::Delete { paths: paths(a)? },
        6 => EditCommand::Duplicate { paths: paths(a)?, scope: DuplicateScope::Alone },
        7 => EditCommand::Duplicate { paths: paths(a)?, scope: DuplicateScope::WithReferences },
        8 => EditCommand::Rename { path: path(a)?, name: format!("r {}", b % 50) },
        9 => EditCommand::Move {
            path: path(a)?,
            parent: of_kind(model, &all, Kind::ComponentList, b)?,
        },
        10 | 11 => {
            let property = pick(&model.properties(pick(&all, a)?), b)?;
            let value = value(property.info(), c).to_string();
            EditCommand::Set { property: model.property_path(&property), value }
        }
        12 => {
            let property = pick(&model.properties(pick(&all, a)?), b)?;
            EditCommand::Inherit { property: model.property_path(&property) }
        }
        13 => EditCommand::Translate { paths: paths(a)?, by: vector(b).into() },
        14 if b % 2 == 0 => EditCommand::Rotate { paths: paths(a)?, turn: vector(b).into(), about },
        14 => EditCommand::Scale { paths: paths(a)?, factors: [0.5; 3], about },
        _ if b % 3 == 0 => EditCommand::Redo,
        _ => EditCommand::Undo,
    })
}

/// A model and what was done to it.
type Door = (Model, History);

fn through(door: &mut Door, command: &EditCommand) -> Result<EditReport, String> {
    command.apply(&mut door.0, &mut door.1).map_err(|error| error.to_string())
}

#[test]
fn the_same_model_comes_of_commands_through_every_door_and_all_are_taken_back() {
    let (mut done, mut refused) = (0, 0);
    let counts = std::cell::RefCell::new((&mut done, &mut refused));
    check(130, (draws(12), draws(80)), |(seed, steps)| {
        let start = grown(&seed);
        let before = text(&start);
        let mut doors: [Door; 3] = std::array::from_fn(|_| (start.clone(), History::default()));
        for &step in &steps {
            let Some(command) = command(&doors[0].0, step) else { continue };
            let was = text(&doors[0].0);
            let by_text = command.to_string().parse().unwrap();
            let json = serde_json::to_value(&command).unwrap();
            let by_json = serde_json::from_value(json).unwrap();
            let reports = [&command, &by_text, &by_json];
            let [first, second, third] =
                std::array::from_fn(|k| through(&mut doors[k], reports[k]));
            assert_eq!((&first, &first), (&second, &third), "{command}");
            if first.is_ok() {
                *counts.borrow_mut().0 += 1;
            } else {
                *counts.borrow_mut().1 += 1;
                assert_eq!(text(&doors[0].0), was, "what is refused changes nothing: {command}");
            }
            if let Ok(report) = first {
                let model = &doors[0].0;
                let there = |path: &String| model.find(path).is_ok();
                assert!(report.added.iter().chain(&report.changed).all(there), "{report:?}");
            }
        }
        let [first, second, third] = doors.each_ref().map(|door| text(&door.0));
        assert_eq!((&first, &first), (&second, &third));
        let (mut model, mut history) = doors.into_iter().next().unwrap();
        while EditCommand::Undo.apply(&mut model, &mut history).is_ok() {}
        assert_eq!(text(&model), before);
    });
    assert!(done > 3000 && refused > 300, "{done} done, {refused} refused");
}

#[test]
fn a_copied_spring_has_ends_of_its_own_only_when_asked() {
    let (mut model, mut history) = (Model::new("m"), History::default());
    model.main();
    let mut run = |line: &str| {
        let command: EditCommand = line.parse().unwrap();
        command.apply(&mut model, &mut history).unwrap()
    };
    run("add particle a");
    run("add particle b position='1 0 0'");
    let ends = "first=/models/m/particles/a second=/models/m/particles/b";
    run(&format!("add axial_spring s {ends}"));
    let alone = run("duplicate /models/m/axial_springs/s");
    assert_eq!(alone.added, ["/models/m/axial_springs/s_2"]);
    let whole = run("duplicate_with_references /models/m/axial_springs/s");
    assert_eq!(whole.added.len(), 3, "{whole:?}");
    let gone = run("delete /models/m/particles/a");
    let names = ["axial_springs/s_2", "axial_springs/s", "particles/a"];
    assert_eq!(gone.deleted, names.map(|name| format!("/models/m/{name}")));
    assert_eq!(run("undo").added.len(), 3);
    assert_eq!(run("redo").deleted, gone.deleted);
}
