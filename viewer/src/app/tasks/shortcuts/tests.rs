//! Every command does something, by its key too.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};
use sinew::Vec3;
use sinew::model::{Edit, Model, Particle};
use sinew::property::{Setting, Value};
use sinew::schedule::{
    Command, NoFiles, NoteKind, Scheduler, SchedulerSettings, Session, Simulation, Status,
    WaypointMark,
};
use sinew::solve::SolverSettings;

use super::*;
use crate::Titles;
use crate::app::commands::{FileCommand, Line, PictureCommand, WindowCommand};
use crate::app::files::ModelFiles;
use crate::app::{Library, Setup};

/// Three particles of which one is hidden, paused, when they can be seen.
fn session() -> Session {
    let make = || {
        let mut model = Model::new("two");
        for x in [0.0, 1.0, 2.0] {
            model.add(Particle::new(1.0, Vec3::new(x, 0.0, 0.0)));
        }
        let hidden = model.property("/models/two/particles/2:render.visible");
        let property = hidden.map_err(|error| error.to_string())?;
        let setting = Setting::Explicit(Value::Bool(false));
        let edited = model.edit(Edit::Set { property, setting });
        edited.map_err(|error| error.to_string())?;
        let simulation = Simulation::new(model, SolverSettings::default());
        let simulation = simulation.map_err(|error| error.to_string())?;
        let settings = SchedulerSettings::with_step(0.1);
        Scheduler::new(simulation, settings).map_err(|error| error.to_string().into())
    };
    let mut session = Session::start(make, Box::new(NoFiles));
    let begun = Instant::now();
    while session.reader().front().serial == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", session.take_notes());
        std::thread::sleep(Duration::from_millis(1));
        session.reader().update();
    }
    session
}

/// An application in which every command has something to be done.
fn app() -> App {
    let session = session();
    let (library, titles) = (Library::default(), Titles::default());
    let setup = Setup { folder: "pictures".into(), library, titles, drawing: None };
    let mut app = App::new(session, setup);
    let mark = |time, saved| WaypointMark { time, halts: false, saved };
    let waypoints = vec![mark(0.0, true), mark(1.0, false)];
    app.status = Status { waypoints, step: 0.1, loaded: true, ..Status::default() };
    app.workspace.selection.set(vec![Model::new("one").add(Particle::default()).id()]);
    app.workspace.plots.follow([("/a:x", "m")]);
    app.say(NoteKind::Failed, "something");
    app.workspace.picture_mut().view.camera.orbit(0.3, 0.2);
    app.workspace.picture_mut().view.camera.distance = 7.0;
    app
}

fn open() -> Harness<'static, App> {
    let show = |ui: &mut egui::Ui, app: &mut App| {
        app.shortcuts(ui);
        app.menu_bar(ui);
    };
    let mut window = Harness::builder().with_size([1200.0, 600.0]).build_ui_state(show, app());
    window.run_steps(2);
    window
}

/// Text of all state that a command can change.
fn state(window: &Harness<'_, App>) -> String {
    let app = window.state();
    let tool = app.workspace.picture().canvas.tool();
    let looks =
        (app.dock.seen(), &app.workspace.picture().view, app.workspace.selection.ids(), tool);
    let (notes, plots) = (&app.notes, app.workspace.plots.paths());
    let open = (app.dialogs.is_open(), &app.tour);
    let rest = (&app.outbox, notes, &app.palette, plots, open, app.closing);
    format!("{looks:?} {rest:?} {:?}", window.ctx.theme())
}

#[test]
fn no_key_and_no_name_stands_for_two_things() {
    let keys: Vec<_> = TABLE.iter().filter_map(|line| line.key).collect();
    for (k, key) in keys.iter().enumerate() {
        assert!(!keys[..k].contains(key), "{key:?}");
    }
    let names: HashSet<_> = TABLE.iter().map(|line| line.name).collect();
    assert_eq!(names.len(), TABLE.len());
}

#[test]
fn every_command_with_a_key_does_what_it_does_from_the_menu() {
    for line in TABLE {
        // These draw with a graphics card or work on files, in threads: tests of the whole window and below press them.
        let apart = [
            WindowCommand::File(FileCommand::SavePicture),
            WindowCommand::File(FileCommand::Film),
            WindowCommand::Picture(PictureCommand::SaveView),
            WindowCommand::Picture(PictureCommand::NextView),
        ];
        let Some(key) = line.key.filter(|_| !apart.contains(&line.command)) else { continue };
        let mut window = open();
        let before = state(&window);
        window.key_press_modifiers(key.modifiers, key.logical_key);
        window.run_steps(2);
        let by_key = state(&window);
        assert_ne!(by_key, before, "{} does nothing", line.name);
        let mut window = open();
        window.get_by_label(line.menu).click();
        window.run_steps(3);
        let button = |it: &egui_kittest::Node<'_>| {
            use egui_kittest::kittest::NodeT;
            it.accesskit_node().label().is_some_and(|label| label.starts_with(line.name))
        };
        let buttons: Vec<_> = window.get_all_by_label_contains(line.name).filter(button).collect();
        buttons.last().expect(line.name).click();
        window.run_steps(3);
        assert_eq!(state(&window), by_key, "{}", line.name);
    }
}

#[test]
fn a_command_without_a_key_does_something_too() {
    // A film of the waypoints draws with a graphics card, and has a test of its own.
    let is_apart = |line: &&Line| line.command == WindowCommand::File(FileCommand::FilmOfWaypoints);
    let without: Vec<_> =
        TABLE.iter().filter(|line| line.key.is_none() && !is_apart(line)).collect();
    for line in without {
        let mut window = open();
        let (before, context) = (state(&window), window.ctx.clone());
        window.state_mut().perform(line.command, &context);
        assert_ne!(state(&window), before, "{} does nothing", line.name);
    }
}

#[test]
fn a_view_is_kept_by_a_key_and_gone_back_to_by_another() {
    let folder = std::env::temp_dir().join(format!("sinew-kept-{}", std::process::id()));
    let mut window = open();
    window.state_mut().files = ModelFiles::new(folder.clone());
    let kept = window.state().workspace.picture().view.camera.clone();
    let until = |window: &mut Harness<'_, App>, done: &dyn Fn(&App) -> bool| {
        let begun = Instant::now();
        while !done(window.state()) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", window.state().notes);
            std::thread::sleep(Duration::from_millis(1));
            window.state_mut().receive_views();
        }
    };
    window.key_press(Key::V);
    window.run_steps(2);
    until(&mut window, &|app| app.workspace.views.names() == ["view-1"]);
    window.state_mut().workspace.picture_mut().view.camera.orbit(0.5, 0.1);
    assert_ne!(window.state().workspace.picture().view.camera, kept);
    window.key_press_modifiers(Modifiers::SHIFT, Key::V);
    window.run_steps(2);
    until(&mut window, &|app| app.workspace.picture().view.camera == kept);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn shift_makes_another_command_of_a_key() {
    let mut window = open();
    window.key_press_modifiers(Modifiers::SHIFT, Key::W);
    window.run_steps(2);
    assert_eq!(window.state().outbox, [Command::AddWaypoint { time: None, halts: true }]);
    window.state_mut().outbox.clear();
    window.key_press_modifiers(Modifiers::SHIFT, Key::Space);
    window.run_steps(2);
    assert_eq!(window.state().outbox, [Command::RunUntil(1.0)]);
}

#[test]
fn bare_keys_are_left_to_a_field_that_is_typed_into() {
    let show = |ui: &mut egui::Ui, (app, text): &mut (App, String)| {
        app.shortcuts(ui);
        let field = ui.text_edit_singleline(text);
        crate::panels::name(&field, "a text");
        field.request_focus();
    };
    let mut window = Harness::new_ui_state(show, (app(), String::new()));
    window.run_steps(2);
    window.key_press(Key::W);
    window.run_steps(2);
    assert_eq!(window.state().0.outbox, []);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(window.state().0.outbox, [Command::Undo]);
}

#[test]
fn each_key_of_a_view_looks_from_the_side_that_its_name_tells() {
    for (key, side) in [
        (Key::Num1, Vec3::x()),
        (Key::Num2, -Vec3::x()),
        (Key::Num3, Vec3::y()),
        (Key::Num4, -Vec3::y()),
        (Key::Num5, Vec3::z()),
        (Key::Num6, -Vec3::z()),
        (Key::Num7, Vec3::new(1.0, -1.0, 0.7).normalize()),
    ] {
        let mut window = open();
        window.key_press(key);
        window.run_steps(2);
        let eye = window.state().workspace.picture().view.camera.back();
        assert!((eye - side).norm() < 1e-12, "{key:?} looks from {eye}");
    }
}

#[test]
fn every_menu_of_the_table_is_in_the_bar() {
    let window = open();
    let menus: HashSet<_> = TABLE.iter().map(|line| line.menu).collect();
    for menu in menus {
        assert!(window.query_by_label(menu).is_some(), "{menu}");
    }
}
