//! Worlds of files that are opened, pulled, edited, reset and saved by hand, by the names of the widgets.

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable};
use sinew::interactive::WorldDescription;

use super::*;
use crate::app::hand::button;

mod building;

struct Window {
    worlds: Worlds,
    actions: Actions,
}

fn read(path: &Path) -> Result<WorldDescription, String> {
    (sinew_model_files::world_files().read)(path)
}

fn write(world: &WorldDescription, path: &Path) -> Result<(), String> {
    (sinew_model_files::world_files().write)(world, path)
}

/// A pane with a file of the examples.
fn open(name: &str) -> Harness<'static, Window> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let mut worlds = Worlds::default();
    worlds.set_files(Some(sinew_model_files::world_files()));
    worlds.open(&path).unwrap();
    let show = |ui: &mut Ui, it: &mut Window| it.worlds.ui(ui, &mut it.actions);
    let state = Window { worlds, actions: Actions::default() };
    let mut window = Harness::builder().with_size([1100.0, 800.0]).build_ui_state(show, state);
    until(&mut window, |it| it.world == 1);
    window.run_steps(2);
    window
}

/// Frames until a snapshot is so.
#[track_caller]
fn until(window: &mut Harness<'_, Window>, is: impl Fn(&WorldSnapshot) -> bool) {
    let begun = Instant::now();
    loop {
        window.run_steps(1);
        if window.state_mut().worlds.snapshot().is_some_and(&is) {
            return;
        }
        let refusals = &window.state().actions.refusals;
        assert!(begun.elapsed() < Duration::from_secs(60), "{refusals:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn snapshot(window: &mut Harness<'_, Window>) -> WorldSnapshot {
    window.state_mut().worlds.snapshot().expect("there is a world").clone()
}

fn value(snapshot: &WorldSnapshot, output: &str) -> f64 {
    let outputs = snapshot.blocks.iter().flat_map(|block| &block.outputs);
    outputs.clone().find(|it| it.name == output).expect(output).value
}

fn click(window: &mut Harness<'_, Window>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(2);
}

/// Presses at a place and moves to another, without letting go.
fn press_and_move(window: &mut Harness<'_, Window>, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_steps(1);
    button(window, from, true);
    for part in [0.4, 1.0] {
        window.hover_at(from + (to - from) * part);
        window.run_steps(1);
    }
}

/// Place in the window of the first point of an object.
fn at(window: &mut Harness<'_, Window>, object: &str) -> Pos2 {
    let front = snapshot(window);
    let outline = front.outlines.iter().find(|it| it.object == object).expect(object);
    let seen = window.state().worlds.canvas.seen.expect("it is drawn");
    seen.at(outline.lines[0][0].place)
}

fn enter(window: &mut Harness<'_, Window>, field: &str, text: &str) {
    window.get_by_label(field).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    window.get_by_label(field).type_text(text);
    window.run_steps(1);
    window.key_press(Key::Enter);
    window.run_steps(2);
}

#[test]
fn every_world_of_the_examples_is_opened_and_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/interactive");
    let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let names = files.map(|it| format!("interactive/{}", it.to_string_lossy()));
    let mut names: Vec<String> = names.filter(|it| it.ends_with(WORLD_ENDING)).collect();
    names.push("slider-crank.world.toml".to_owned());
    assert!(names.len() >= 6, "{names:?}");
    let copies = tempfile::tempdir().unwrap();
    for name in names {
        let mut window = open(&name);
        until(&mut window, |it| it.status.time > 0.1);
        let front = snapshot(&mut window);
        assert!(!front.outlines.is_empty() && front.blocks.len() > 1, "{name}");
        assert_eq!(window.state().actions.refusals, Vec::<String>::new(), "{name}");
        assert!(window.query_by_label("Pause world").is_some());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(&name);
        let (description, copy) = (read(&path).unwrap(), copies.path().join("copy.world.toml"));
        write(&description, &copy).unwrap();
        assert_eq!(read(&copy).unwrap(), description, "{name}");
    }
}

#[test]
fn a_particle_that_is_pulled_follows_and_undo_puts_it_back() {
    let mut window = open("interactive/net.world.toml");
    click(&mut window, "Pause world");
    until(&mut window, |it| !it.status.is_playing);
    let before = snapshot(&mut window);
    let from = at(&mut window, "n6_2");
    press_and_move(&mut window, from, from + vec2(60.0, -10.0));
    until(&mut window, |it| it.drag.is_some_and(|[from, to]| to[0] > from[0] + 0.05));
    click(&mut window, "Run world");
    let start = value(&before, "n6_2.x");
    until(&mut window, |it| value(it, "n6_2.x") > start + 0.02);
    click(&mut window, "Pause world");
    until(&mut window, |it| !it.status.is_playing);
    button(&mut window, from + vec2(60.0, -10.0), false);
    until(&mut window, |it| it.drag.is_none());
    assert!(value(&snapshot(&mut window), "n6_2.x") > start, "it stays where it was let go");
    click(&mut window, "Undo in world");
    until(&mut window, |it| value(it, "n6_2.x") == start);
}

#[test]
fn a_formula_is_edited_while_it_runs_and_a_bad_one_is_told_and_refused() {
    let mut window = open("interactive/curves.world.toml");
    let field = "formula of circle_area";
    enter(&mut window, field, "2*pi*circle.r");
    let is = |text: &str, it: &WorldSnapshot| {
        it.blocks.iter().any(|block| block.formula.as_deref() == Some(text))
    };
    until(&mut window, |it| is("2*pi*circle.r", it));
    let front = snapshot(&mut window);
    let expected = std::f64::consts::TAU * value(&front, "circle.r");
    assert!((value(&front, "circle_area") - expected).abs() < 1e-9);
    enter(&mut window, field, "2*pi*cirkle.r");
    until(&mut window, |it| it.blocks.iter().any(|block| block.refusal.is_some()));
    window.run_steps(2);
    let told = "column 6: 'cirkle.r' is no output of a block";
    assert!(window.query_by_label_contains(told).is_some());
    assert!(is("2*pi*circle.r", &snapshot(&mut window)), "the old formula stays");
    click(&mut window, "Undo in world");
    until(&mut window, |it| is("pi*circle.r^2", it));
}

#[test]
fn a_slider_on_an_output_pulls_on_it_until_it_is_let_go() {
    let mut window = open("interactive/rectangle.world.toml");
    window.run_steps(3);
    let start = value(&snapshot(&mut window), "area");
    let slider = window.get_by_role_and_label(Role::Slider, "slider of area").rect();
    let rail = slider.left_center() + vec2(60.0, 0.0);
    press_and_move(&mut window, rail, slider.left_center() + vec2(88.0, 0.0));
    let pulled = |it: &WorldSnapshot| {
        let outputs = it.blocks.iter().flat_map(|block| &block.outputs);
        outputs.clone().find(|it| it.name == "area").unwrap().target
    };
    until(&mut window, |it| pulled(it).is_some());
    until(&mut window, |it| value(it, "area") > start + 0.5);
    let front = snapshot(&mut window);
    let [x, y] = ["corner.x", "corner.y"].map(|name| value(&front, name));
    assert!((x * x / 4.0 + y * y - 1.0).abs() < 0.02, "it stays on the ellipse: {x} {y}");
    button(&mut window, slider.left_center() + vec2(88.0, 0.0), false);
    until(&mut window, |it| pulled(it).is_none());
}

#[test]
fn a_slider_sets_a_value_and_reset_goes_back_to_the_start() {
    let mut window = open("interactive/rectangle.world.toml");
    let slider = window.get_by_role_and_label(Role::Slider, "slider of half_axes.1");
    slider.set_value_accesskit(1.2);
    until(&mut window, |it| value(it, "half_axes.1") > 1.0);
    until(&mut window, |it| it.status.time > 0.2);
    click(&mut window, "Pause world");
    until(&mut window, |it| !it.status.is_playing);
    click(&mut window, "Reset world");
    until(&mut window, |it| it.status.time == 0.0);
    let front = snapshot(&mut window);
    assert_eq!((value(&front, "ring.b"), value(&front, "corner.x")), (1.0, 1.9));
    assert!(value(&front, "half_axes.1") > 1.0, "values stay");
}

#[test]
fn a_world_that_is_saved_is_the_same_when_it_is_opened() {
    let mut window = open("interactive/puppet.world.toml");
    until(&mut window, |it| it.status.time > 0.1);
    click(&mut window, "Pause world");
    until(&mut window, |it| !it.status.is_playing);
    let before = snapshot(&mut window);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("later{WORLD_ENDING}"));
    enter(&mut window, "file of the world", &path.display().to_string());
    click(&mut window, "Save world");
    let begun = Instant::now();
    while !path.exists() && begun.elapsed() < Duration::from_secs(30) {
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
    let saved = read(&path).unwrap();
    assert_eq!(saved.time, before.status.time);
    click(&mut window, "Open world");
    until(&mut window, |it| it.world == 2);
    click(&mut window, "Pause world");
    until(&mut window, |it| !it.status.is_playing);
    click(&mut window, "Reset world");
    until(&mut window, |it| it.status.time == before.status.time);
    let again = snapshot(&mut window);
    assert_eq!((&again.outlines, &again.marks), (&before.outlines, &before.marks));
    assert_eq!(window.state().actions.refusals, Vec::<String>::new());
}

#[test]
fn an_output_is_plotted_and_a_file_that_is_none_is_told() {
    let mut window = open("slider-crank.world.toml");
    click(&mut window, "plot angle");
    until(&mut window, |it| it.status.time > 0.2);
    assert!(window.state().worlds.plotted.has("angle"));
    enter(&mut window, "file of the world", "/nowhere/none.world.toml");
    click(&mut window, "Open world");
    let begun = Instant::now();
    while window.state().actions.refusals.is_empty() && begun.elapsed() < Duration::from_secs(30) {
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(window.state().actions.refusals[0].contains("/nowhere/none.world.toml"));
    assert_eq!(snapshot(&mut window).world, 1, "the world stays");
}
