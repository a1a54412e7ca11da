//! Controllers, events and probes that are renamed, copied and deleted, or what they name.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::editing::{EditCommand, EditReport};
use sinew::model::{Event, History, Model, Particle, PropertyController};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;

/// Two particles; the height of one sets the mass of the other, and once it has fallen its own mass.
fn falling() -> Model {
    let mut model = Model::new("m");
    let [_, q] = ["p", "q"].map(|name| model.add(Particle::new(1.0, Vec3::z()).named(name)));
    model.set_gravity(Vec3::z() * -10.0);
    let height = "{/models/m/particles/p:position.z}";
    let controller = PropertyController::new(format!("{height} + 1"), q, "mass").named("c");
    // JSON has no infinite numbers.
    model.add(PropertyController { lower: -1e9, upper: 1e9, ..controller });
    model.add(Event::new(height, 0.9, "set /models/m/particles/p:mass 2").named("e"));
    model
}

fn apply(model: &mut Model, history: &mut History, line: &str) -> Result<EditReport, String> {
    let command: EditCommand = line.parse().unwrap();
    command.apply(model, history).map_err(|error| error.to_string())
}

fn text(model: &Model, path: &str) -> String {
    model.get_property(&model.property(&format!("/models/m/{path}")).unwrap()).unwrap().to_string()
}

fn written(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

/// Masses of two particles after 0.3 s.
fn masses(model: Model, names: [&str; 2]) -> [f64; 2] {
    let mut run = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..30 {
        run.step(0.01).unwrap();
    }
    names.map(|name| {
        let mass = run.property(&format!("/models/m/particles/{name}:mass")).unwrap();
        run.get(&mass).unwrap().numbers().next().unwrap()
    })
}

#[test]
fn formulas_and_commands_follow_a_component_that_is_renamed() {
    let (mut model, mut history) = (falling(), History::default());
    let before = written(&model);
    let expected = masses(model.clone(), ["p", "q"]);
    assert_eq!(expected[0], 2.0, "the event has acted");
    apply(&mut model, &mut history, "rename /models/m/particles/p \"a b\"").unwrap();
    apply(&mut model, &mut history, "rename /models/m n").unwrap();
    apply(&mut model, &mut history, "rename /models/n m").unwrap();
    assert_eq!(text(&model, "events/e:when"), "{/models/m/particles/a b:position.z}");
    assert_eq!(text(&model, "events/e:command"), "set \"/models/m/particles/a b:mass\" 2");
    assert_eq!(text(&model, "controllers/c:input"), "{/models/m/particles/a b:position.z} + 1");
    let read: Model = serde_json::from_str(&written(&model)).unwrap();
    assert_eq!(masses(read, ["a b", "q"]), expected);
    (0..3).for_each(|_| assert!(history.undo(&mut model).unwrap()));
    assert_eq!(written(&model), before);
}

#[test]
fn instruments_go_with_what_they_name_and_are_copied_with_it() {
    let (mut model, mut history) = (falling(), History::default());
    let before = written(&model);
    let copied =
        apply(&mut model, &mut history, "duplicate_with_references /models/m/events/e").unwrap();
    assert_eq!(copied.added.len(), 2, "{copied:?}");
    assert_eq!(text(&model, "events/e_2:command"), "set /models/m/particles/p_2:mass 2");
    let born = "add event born when=t crosses=1 command=\"add particle /models/m/particles/r\"";
    apply(&mut model, &mut history, born).unwrap();
    let alone = "duplicate_with_references /models/m/events/born";
    assert_eq!(apply(&mut model, &mut history, alone).unwrap().added, ["/models/m/events/born_2"]);
    (0..2).for_each(|_| assert!(history.undo(&mut model).unwrap()));
    let gone = apply(&mut model, &mut history, "delete /models/m/particles/p").unwrap();
    let of = |path: &str| gone.deleted.contains(&format!("/models/m/{path}"));
    assert!(gone.deleted.len() == 3 && of("events/e") && of("controllers/c"), "{gone:?}");
    assert!(model.check().is_ok());
    (0..2).for_each(|_| assert!(history.undo(&mut model).unwrap()));
    assert_eq!(written(&model), before);
}

#[test]
fn what_is_set_while_it_runs_follows_too() {
    let mut model = falling();
    let mut history = History::default();
    let set = "set /models/m/controllers/c:input \"2 * {/models/m/particles/q:position.z}\"";
    apply(&mut model, &mut history, set).unwrap();
    apply(&mut model, &mut history, "rename /models/m/particles/q r").unwrap();
    assert_eq!(text(&model, "controllers/c:input"), "2 * {/models/m/particles/r:position.z}");
    let moved = "set /models/m/controllers/c:input {/models/m/particles/gone:position.z}";
    let refused = apply(&mut model, &mut history, moved).unwrap_err();
    assert!(refused.contains("gone"), "{refused}");
}

#[test]
fn an_event_has_a_command_that_can_be_read() {
    let (mut model, mut history) = (falling(), History::default());
    for command in ["frob", "undo", "redo", "set /models/m:gravity", ""] {
        let line = format!("add event bad when=t crosses=1 command=\"{command}\"");
        let refused = apply(&mut model, &mut history, &line).unwrap_err();
        assert!(refused.contains("no command of an event"), "{refused}");
        let line = format!("set /models/m/events/e:command \"{command}\"");
        assert!(apply(&mut model, &mut history, &line).is_err(), "{command}");
    }
    let mut model = falling();
    model.add(Event::new("t", 1.0, "frob").named("bad"));
    let (at, fault) = model.check().unwrap_err();
    assert!(model.path(at).ends_with("bad") && fault.to_string().contains("frob"), "{fault}");
}

#[test]
fn a_probe_records_to_a_file_of_its_own_under_any_name() {
    let (mut model, mut history) = (falling(), History::default());
    let of = "properties=/models/m/particles/p:mass";
    apply(&mut model, &mut history, &format!("add output_probe named {of}")).unwrap();
    apply(&mut model, &mut history, &format!("add output_probe filed {of} file=f.npy")).unwrap();
    for name in ["x/y", "\"\"", "a:b"] {
        let refused =
            apply(&mut model, &mut history, &format!("rename /models/m/probes/named {name}"));
        assert!(refused.unwrap_err().contains("file"), "{name}");
    }
    apply(&mut model, &mut history, "rename /models/m/probes/filed x/y").unwrap();
    apply(&mut model, &mut history, "rename /models/m/probes/1 filed").unwrap();
    apply(&mut model, &mut history, "duplicate /models/m").unwrap();
    let file = |path: &str| {
        let path = format!("/models/m_2/probes/{path}:file");
        model.get_property(&model.property(&path).unwrap()).unwrap().to_string()
    };
    assert_eq!([file("named"), file("filed")], ["named_2.csv", "f_2.npy"]);
}
