//! Worlds that are built in the window from nothing while they run, undone, done again, saved and opened.

use sinew::interactive::{ConstraintRow, PartId, PartList};

use super::*;

/// A pane with a new world.
fn begin() -> Harness<'static, Window> {
    let mut worlds = Worlds::default();
    worlds.set_files(Some(sinew_model_files::world_files()));
    let show = |ui: &mut Ui, it: &mut Window| it.worlds.ui(ui, &mut it.actions);
    let state = Window { worlds, actions: Actions::default() };
    let mut window = Harness::builder().with_size([1100.0, 800.0]).build_ui_state(show, state);
    window.run_steps(2);
    click(&mut window, "New world");
    until(&mut window, |it| it.world == 1);
    window.run_steps(12);
    window
}

/// Clicks a place of the plane.
#[track_caller]
fn click_at(window: &mut Harness<'_, Window>, place: [f64; 2]) {
    let seen = window.state().worlds.canvas.seen.expect("it is drawn");
    let at = seen.at([place[0], place[1], 0.0]);
    assert!(seen.plane.rect.contains(at), "{place:?} is not seen");
    window.hover_at(at);
    window.run_steps(1);
    button(window, at, true);
    button(window, at, false);
    window.run_steps(1);
}

/// Takes a kind from the palette and clicks for it, until the world has another number of parts.
#[track_caller]
fn add(window: &mut Harness<'_, Window>, kind: &str, places: &[[f64; 2]]) {
    let count = |it: &WorldSnapshot| it.blocks.len() + it.constraints.len();
    let before = count(&snapshot(window));
    click(window, &format!("add {kind}"));
    places.iter().for_each(|place| click_at(window, *place));
    until(window, |it| count(it) > before);
    assert_eq!(window.state().actions.refusals, Vec::<String>::new());
    window.key_press(Key::Escape);
    window.run_steps(2);
}

fn constraint<'s>(snapshot: &'s WorldSnapshot, name: &str) -> Option<&'s ConstraintRow> {
    snapshot.constraints.iter().find(|it| it.name == name)
}

/// The world as it is saved.
fn saved(window: &mut Harness<'_, Window>, path: &Path) -> WorldDescription {
    enter(window, "file of the world", &path.display().to_string());
    click(window, "Save world");
    let begun = Instant::now();
    while !path.exists() && begun.elapsed() < Duration::from_secs(30) {
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
    read(path).unwrap()
}

fn pause(window: &mut Harness<'_, Window>) {
    click(window, "Pause world");
    until(window, |it| !it.status.is_playing);
    window.run_steps(2);
}

/// Section 5.2 of Witkin1990: a circle is nailed to a line, and the line is pulled.
#[test]
fn a_circle_is_nailed_to_a_line_from_nothing_and_comes_back_from_its_file() {
    let mut window = begin();
    add(&mut window, "line", &[[-1.0, 0.0], [1.0, 0.0]]);
    add(&mut window, "circle", &[[0.5, 1.0], [0.5, 0.5]]);
    add(&mut window, "nail", &[[-1.0, 0.0]]);
    add(&mut window, "join", &[[1.0, 0.0], [0.5, 0.5]]);
    let gap = |it: &WorldSnapshot| {
        let value = |name: &str| value(it, name);
        (value("point_2.0") - value("point_3.0")).hypot(value("point_2.1") - value("point_3.1"))
    };
    until(&mut window, |it| gap(it) < 1e-3);
    let seen = window.state().worlds.canvas.seen.unwrap();
    let front = snapshot(&mut window);
    let [x, y] = [["point_1.0", "point_2.0"], ["point_1.1", "point_2.1"]]
        .map(|ends| 0.5 * (value(&front, ends[0]) + value(&front, ends[1])));
    let from = seen.at([x, y, 0.0]);
    press_and_move(&mut window, from, from + vec2(0.0, -80.0));
    until(&mut window, |it| it.drag.is_some());
    let turned = value(&front, "point_2.1") + 0.3;
    until(&mut window, |it| value(it, "point_2.1") > turned);
    until(&mut window, |it| gap(it) < 1e-3 && value(it, "point_1.1").abs() < 1e-3);
    pause(&mut window);
    button(&mut window, from + vec2(0.0, -80.0), false);
    until(&mut window, |it| it.drag.is_none());
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(format!("{name}{WORLD_ENDING}"));
    let built = saved(&mut window, &path("built"));
    assert_eq!((built.objects.len(), built.constraints.len()), (2, 2));
    while snapshot(&mut window).status.can_undo[0] {
        click(&mut window, "Undo in world");
    }
    assert!(snapshot(&mut window).blocks.is_empty(), "undone to the start");
    while snapshot(&mut window).status.can_undo[1] {
        click(&mut window, "Redo in world");
    }
    assert_eq!(saved(&mut window, &path("again")), built);
    click(&mut window, "Open world");
    until(&mut window, |it| it.world == 2);
    pause(&mut window);
    click(&mut window, "Reset world");
    until(&mut window, |it| it.status.time == built.time);
    assert_eq!(saved(&mut window, &path("opened")), built);
    assert_eq!(window.state().actions.refusals, Vec::<String>::new());
}

/// Crank, coupler and rocker above the ground: the shortest and the longest bar together are shorter than the others, so
/// that the crank goes around (Grashof).
#[test]
fn a_four_bar_linkage_is_built_driven_edited_and_taken_apart() {
    let mut window = begin();
    add(&mut window, "planar_body", &[[0.0, 0.0], [0.3, 0.0]]);
    add(&mut window, "nail", &[[0.0, 0.0]]);
    add(&mut window, "particle", &[[1.2, 0.8]]);
    add(&mut window, "rod", &[[0.3, 0.0], [1.2, 0.8]]);
    add(&mut window, "rod", &[[1.2, 0.8], [1.2, 0.0]]);
    let lengths = |it: &WorldSnapshot| [1, 2].map(|k| value(it, &format!("rod_length_{k}")));
    let start = lengths(&snapshot(&mut window));
    assert!((start[1] - 0.8).abs() < 0.02, "{start:?}");
    add(&mut window, "motor", &[[0.1, 0.1]]);
    until(&mut window, |it| value(it, "body_1.angle") > 7.0);
    let now = lengths(&snapshot(&mut window));
    for (now, start) in now.into_iter().zip(start) {
        assert!((now - start).abs() < 1e-3, "{now} was {start}");
    }
    click(&mut window, "Constraints and behaviours");
    window.run_steps(12);
    click(&mut window, "part motor_1");
    until(&mut window, |it| it.shown.as_ref().is_some_and(|it| it.text.contains("speed")));
    window.run_steps(2);
    enter_text(&mut window, "text of motor_1", MOTOR);
    click(&mut window, "Apply text");
    let told = |it: &WorldSnapshot| it.shown.as_ref().is_some_and(|it| it.text.contains("-2.0"));
    until(&mut window, told);
    until(&mut window, |it| value(it, "body_1.angle") < 5.0);
    // The crank is selected in the picture, and goes with what hangs on it.
    pause(&mut window);
    click_at(&mut window, [0.1, 0.15]);
    let crank = PartId::new(PartList::Object, "body_1");
    assert_eq!(window.state().worlds.builder.selected(), Some(&crank));
    window.key_press(Key::Delete);
    until(&mut window, |it| it.outlines.len() == 1);
    let left = snapshot(&mut window);
    let names: Vec<&str> = left.constraints.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["rod_2", "settings"]);
    click(&mut window, "Undo in world");
    until(&mut window, |it| it.outlines.len() == 2);
    assert!(constraint(&snapshot(&mut window), "motor_1").is_some());
    assert_eq!(window.state().actions.refusals, Vec::<String>::new());
}

const MOTOR: &str = "name = \"motor_1\"\non = [\"body_1.angle\"]\n\
                     kind.motor = { speed = -2.0, gain = 10.0, max_torque = 20.0 }\n";

/// Replaces a text of several lines.
fn enter_text(window: &mut Harness<'_, Window>, field: &str, text: &str) {
    window.get_by_label(field).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    window.get_by_label(field).type_text(text);
    window.run_steps(2);
}

#[test]
fn formulas_of_blocks_and_curves_are_added_edited_and_constrained() {
    let mut window = begin();
    add(&mut window, "circle", &[[0.0, 0.0], [0.5, 0.0]]);
    add(&mut window, "formula", &[]);
    enter(&mut window, "formula of formula_1", "pi*circle_1.r^2");
    until(&mut window, |it| (value(it, "formula_1") - 0.25 * std::f64::consts::PI).abs() < 0.02);
    enter(&mut window, "formula of circle_1", "x + r*cos(s); y + b*sin(s)");
    until(&mut window, |it| it.blocks[0].outputs.iter().any(|it| it.name == "circle_1.b"));
    enter(&mut window, "formula of circle_1", "x + q*cos(s); y + b*sin(s)");
    until(&mut window, |it| it.blocks[0].refusal.is_some());
    window.run_steps(2);
    assert!(window.query_by_label_contains("the old formula stays").is_some());
    click(&mut window, "add hold");
    click(&mut window, "take formula_1");
    until(&mut window, |it| constraint(it, "hold_1").is_some());
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(window.query_by_label("take formula_1").is_none(), "it is put away");
    // What the world refuses is told, and nothing changes.
    let before = snapshot(&mut window);
    click(&mut window, "add objective");
    click(&mut window, "take circle_1.x");
    until(&mut window, |it| constraint(it, "objective_1").is_some());
    click(&mut window, "add edges");
    click_at(&mut window, [0.5, 0.0]);
    click(&mut window, "Done");
    let begun = Instant::now();
    while window.state().actions.refusals.is_empty() && begun.elapsed() < Duration::from_secs(30) {
        window.run_steps(1);
    }
    assert!(window.state().actions.refusals[0].contains("there is no image"));
    assert_eq!(snapshot(&mut window).constraints.len(), before.constraints.len() + 1);
}
