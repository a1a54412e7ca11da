//! Keyframes of what is selected on the timeline of the whole window: dragged, added, removed and undone.

use egui::Key;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, Model, RigidBody};
use sinew::property::{Setting, Value};
use sinew::schedule::{Scheduler, SchedulerSettings, Session, Simulation};
use sinew::solve::SolverSettings;

use super::*;
use crate::app::App;
use crate::app::hand::button;
use crate::app::tests::{until, window_of};

/// Keyframes at 0 s, 1 s and 2 s: along x, with a turn by half about z at the end.
const KEYS: [f64; 24] = [
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, //
    1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, //
    2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0,
];

const PATH: &str = "/models/guided/rigid_bodies/guide:keyframes";

fn guided() -> Harness<'static, App> {
    let make = || {
        let mut model = Model::new("guided");
        let inertia = SpatialInertia::of_sphere(1.0, 0.1).map_err(|error| error.to_string())?;
        model.add(RigidBody::new("guide", Inertia::Explicit(inertia)).fixed());
        let property = model.property(PATH).map_err(|error| error.to_string())?;
        let setting = Setting::Explicit(Value::List(KEYS.to_vec()));
        let edit = sinew::model::Edit::Set { property, setting };
        model.edit(edit).map_err(|error| error.to_string())?;
        let simulation = Simulation::new(model, SolverSettings::default());
        let simulation = simulation.map_err(|error| error.to_string())?;
        let settings = SchedulerSettings::with_step(0.01);
        Scheduler::new(simulation, settings).map_err(|error| error.to_string().into())
    };
    let session = Session::start(make, Box::new(sinew::schedule::NoFiles));
    let mut window = window_of([1280.0, 800.0], session);
    let app = window.state_mut();
    let outline = app.session.reader().front().scene.outline.clone();
    let id = outline.rows.iter().find(|row| row.label == "guide").expect("it is there").id;
    app.workspace.selection.set(vec![id]);
    until(&mut window, |app| app.session.reader().front().sheets.len() == 1);
    window.run_steps(3);
    window
}

/// Times of the keyframes now [s].
fn times(app: &mut App) -> Vec<f64> {
    let front = app.session.reader().front();
    let tracks = KeyTrack::all(&front.sheets);
    tracks.first().map_or_else(Vec::new, |track| track.times().to_vec())
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.011)
}

/// Place on the track of a time: it ends at 5 s.
fn at(window: &Harness<'_, App>, time: f32) -> Pos2 {
    let rect = window.get_by_label("keys guide keyframes").rect();
    pos2(rect.left() + time / 5.0 * rect.width(), rect.center().y)
}

fn drag(window: &mut Harness<'_, App>, from: f32, to: f32) {
    let [from, to] = [from, to].map(|time| at(window, time));
    window.hover_at(from);
    window.run_steps(1);
    button(window, from, true);
    window.hover_at(to);
    window.run_steps(2);
    button(window, to, false);
}

fn choose(window: &mut Harness<'_, App>, time: f32, entry: &str) {
    let pos = at(window, time);
    window.hover_at(pos);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        window.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.run_steps(1);
    }
    window.run_steps(2);
    window.get_by_label(entry).click();
    window.run_steps(2);
}

#[test]
fn keyframes_of_what_is_selected_are_dragged_added_removed_and_undone() {
    let mut window = guided();
    assert_eq!(times(window.state_mut()), [0.0, 1.0, 2.0]);
    drag(&mut window, 1.0, 1.5);
    until(&mut window, |app| near(&times(app), &[0.0, 1.5, 2.0]));
    // It does not pass its neighbour.
    drag(&mut window, 1.5, 3.0);
    until(&mut window, |app| near(&times(app), &[0.0, 1.99, 2.0]));
    choose(&mut window, 4.0, "Add a point");
    until(&mut window, |app| near(&times(app), &[0.0, 1.99, 2.0, 4.0]));
    choose(&mut window, 4.0, "Remove the point");
    until(&mut window, |app| near(&times(app), &[0.0, 1.99, 2.0]));
    for _ in 0..4 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        window.run_steps(2);
    }
    until(&mut window, |app| times(app) == [0.0, 1.0, 2.0]);
    window.state_mut().workspace.selection.clear();
    until(&mut window, |app| app.session.reader().front().sheets.is_empty());
    window.run_steps(2);
    assert!(window.query_by_label("keys guide keyframes").is_none());
}

#[test]
fn a_point_more_lies_on_the_line_and_turns_the_short_way() {
    let window = guided();
    let mut app = window;
    let sheets = app.state_mut().session.reader().front().sheets.clone();
    let tracks = KeyTrack::all(&sheets);
    let mut actions = Actions::default();
    tracks[0].add(1.5, &mut actions);
    let [Command::Edit(commands)] = &actions.commands[..] else { panic!("{actions:?}") };
    let [sinew::editing::EditCommand::Set { property, value }] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(property, PATH);
    let numbers: Vec<f64> = value.split_whitespace().map(|x| x.parse().unwrap()).collect();
    let half = 0.5_f64.sqrt();
    let expected = [1.5, 0.75, 0.0, 0.0, 0.0, 0.0, half, half];
    let found = &numbers[16..24];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
}
