//! The whole window, without a graphics card: panes, dialogs, models that come and go.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Rect, Ui, Vec2};
use egui_kittest::{Harness, kittest::Queryable};
use sinew::Vec3;
use sinew::model::{ControlPanel, Model, PanelItem, Particle};
use sinew::property::NamedProperty;
use sinew::schedule::{
    Command, FileError, NoFiles, OpenError, Scheduler, SchedulerSettings, Session, SessionFiles,
    Simulation, WaypointMark,
};
use sinew::snapshot::Quantity;
use sinew::solve::SolverSettings;

use super::commands::{FileCommand, RunCommand, WindowCommand};
use super::pane::Pane;
use super::*;
use crate::Titles;
use crate::window::Content;

/// A row of particles, paused at its start.
fn particles(name: &str, count: u32, reach: f64) -> Result<Scheduler, OpenError> {
    let mut model = Model::new(name);
    for k in 0..count {
        let place = Vec3::new(reach * f64::from(k), 0.0, 0.1 * f64::from(k % 2));
        model.add(Particle { name: format!("p{k}"), ..Particle::new(1.0, place) });
    }
    let simulation = Simulation::new(model, SolverSettings::default());
    let simulation = simulation.map_err(|error| error.to_string())?;
    let settings = SchedulerSettings::with_step(0.01);
    Scheduler::new(simulation, settings).map_err(|error| error.to_string().into())
}

/// Opens one model, keeps what was asked of it, and tells of files that change.
struct Files(std::sync::mpsc::Sender<String>, Receiver<std::path::PathBuf>);

/// Files of which none changes.
fn files(asked: std::sync::mpsc::Sender<String>) -> Box<Files> {
    Box::new(Files(asked, channel().1))
}

impl SessionFiles for Files {
    fn open(&mut self, path: &Path, params: &[String]) -> Result<Scheduler, OpenError> {
        let _ = self.0.send(format!("{} {params:?}", path.display()));
        match path.file_stem().and_then(|it| it.to_str()) {
            Some("other") => particles("other", 5, 100.0),
            _ => Err(format!("{}: line 3: that is no model", path.display()).into()),
        }
    }

    fn reload(&mut self) -> Result<Scheduler, OpenError> {
        particles("first", 3, 1.0)
    }

    fn changed(&mut self) -> Vec<std::path::PathBuf> {
        self.1.try_iter().collect()
    }

    fn save(&mut self, _: &mut Scheduler, _: &Path) -> Result<(), FileError> {
        Ok(())
    }

    fn save_model(&mut self, scheduler: &Scheduler, path: &Path) -> Result<(), FileError> {
        let name = scheduler.simulation().model().name().to_owned();
        let _ = self.0.send(format!("{name} to {}", path.display()));
        Ok(())
    }
}

fn window(size: [f32; 2], files: Box<dyn SessionFiles>) -> Harness<'static, App> {
    window_of(size, Session::start(|| particles("first", 2, 1.0), files))
}

/// A session of the first model.
pub(super) fn first_session() -> Session {
    Session::start(|| particles("first", 2, 1.0), Box::new(NoFiles))
}

/// A window on what a session shows.
pub(super) fn window_of(size: [f32; 2], session: Session) -> Harness<'static, App> {
    window_in(size, session, Path::new("pictures"))
}

/// A window that writes into a folder.
pub(super) fn window_in(size: [f32; 2], session: Session, folder: &Path) -> Harness<'static, App> {
    window_with(size, session, folder, Library::default())
}

/// A window that has a library.
pub(super) fn window_with(
    size: [f32; 2],
    session: Session,
    folder: &Path,
    library: Library,
) -> Harness<'static, App> {
    let titles = Titles::default();
    let folder = folder.to_owned();
    let app = App::new(session, Setup { folder, library, titles, drawing: None });
    let show = |ui: &mut Ui, app: &mut App| {
        app.build(ui, None);
        app.outbox.drain(..).for_each(|command| app.session.send(command));
    };
    let mut window = Harness::builder().with_size(size).build_ui_state(show, app);
    until(&mut window, |app| app.status.loaded && app.session.reader().front().serial > 0);
    window
}

/// Frames until something is so.
#[track_caller]
pub(super) fn until(window: &mut Harness<'_, App>, mut is: impl FnMut(&mut App) -> bool) {
    let begun = Instant::now();
    loop {
        window.run_steps(1);
        if is(window.state_mut()) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", window.state().notes);
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A file that a hand lets fall on the window.
#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("it is opened by its path".to_owned())
    }
}

fn drop_file(window: &mut Harness<'_, App>, path: &str) {
    window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path.into())));
    window.run_steps(1);
    window.input_mut().dropped_files.clear();
}

#[test]
fn a_dropped_model_is_fitted_and_named_and_what_was_there_goes() {
    let (sender, asked) = channel();
    let mut window = window([1280.0, 800.0], files(sender));
    let app = window.state_mut();
    app.workspace.plots.follow([("/models/first/particles/p0:position", "m")]);
    let outline = app.session.reader().front().scene.outline.clone();
    let first = outline.rows.iter().find(|row| row.label == "p0").unwrap().id;
    app.workspace.selection.set(vec![first]);
    let before = app.workspace.picture().view.camera.clone();
    assert_eq!(app.title(), "Sinew: first");
    drop_file(&mut window, "models/other.toml");
    until(&mut window, |app| app.asked.fitted == Some(app.status.model) && app.status.model > 1);
    assert_eq!(asked.try_recv().unwrap(), "models/other.toml []");
    let app = window.state_mut();
    assert_eq!(app.title(), "Sinew: other");
    assert!(app.workspace.plots.paths().is_empty(), "the curves of the old one went");
    assert!(app.workspace.selection.ids().is_empty());
    let camera = &app.workspace.picture().view.camera;
    assert!(camera.distance > 20.0 * before.distance, "{} {}", camera.distance, before.distance);
    let outline = &app.session.reader().front().scene.outline;
    let is_particle =
        |label: &str| label.strip_prefix('p').is_some_and(|k| k.parse::<u32>().is_ok());
    assert_eq!(outline.rows.iter().filter(|row| is_particle(&row.label)).count(), 5);
    assert_eq!(window.state().dialogs.recent(), [std::path::PathBuf::from("models/other.toml")]);
}

#[test]
fn a_refused_file_stays_told_and_the_model_stays() {
    let (sender, _asked) = channel();
    let mut window = window([1280.0, 800.0], files(sender));
    drop_file(&mut window, "models/bad.toml");
    let mut seen = 0;
    until(&mut window, |_| {
        seen += 1;
        seen > 30
    });
    // Ten seconds of the window.
    window.run_steps(700);
    assert!(window.query_by_label_contains("line 3: that is no model").is_some());
    let app = window.state_mut();
    assert_eq!((app.title(), app.status.loaded), ("Sinew: first".to_owned(), true));
    assert!(app.dialogs.recent().is_empty(), "what was refused is not offered again");
}

#[test]
fn escape_closes_a_dialog_before_it_clears_the_selection() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    let app = window.state_mut();
    let id = app.session.reader().front().scene.outline.rows[0].id;
    app.workspace.selection.set(vec![id]);
    for command in [
        WindowCommand::File(FileCommand::Open),
        WindowCommand::File(FileCommand::Import),
        WindowCommand::File(FileCommand::SaveAs),
        WindowCommand::File(FileCommand::SavePictureAs),
        WindowCommand::Palette,
    ] {
        let context = window.ctx.clone();
        window.state_mut().perform(command, &context);
        window.run_steps(3);
        let is_open = |app: &App| app.dialogs.is_open() || app.palette.is_open();
        assert!(is_open(window.state()), "{command:?}");
        for _ in 0..2 {
            window.key_press(Key::Escape);
            window.run_steps(2);
            if !is_open(window.state()) {
                break;
            }
        }
        assert!(!is_open(window.state()), "{command:?} stays open");
        assert_eq!(window.state().workspace.selection.ids(), [id], "{command:?}");
    }
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(window.state().workspace.selection.ids().is_empty());
}

/// Rectangles of the tabs of the panes.
fn tabs(window: &Harness<'_, App>) -> Vec<Rect> {
    let titles = ["Tree", "Properties", "Model", "Controls", "View"];
    let found = titles.into_iter().flat_map(|title| window.query_all_by_label(title));
    found.map(|node| node.rect()).filter(|rect| rect.top() > 20.0).collect()
}

#[test]
fn panes_fit_a_screen_of_800_by_600_and_one_of_twice_the_scale() {
    // 1280 x 800 pixels at twice the scale are 640 x 400 points.
    for (size, scale) in [([1280.0, 800.0], 1.0), ([800.0, 600.0], 1.0), ([640.0, 400.0], 2.0)] {
        let mut window = window(size.map(|side| scale * side), Box::new(NoFiles));
        window.set_pixels_per_point(scale);
        window.run_steps(4);
        let screen = Rect::from_min_size(egui::Pos2::ZERO, Vec2::from(size));
        let tabs = tabs(&window);
        assert!(tabs.len() >= 5, "{tabs:?}");
        for tab in &tabs {
            assert!(screen.contains_rect(*tab), "{tab:?} in {size:?}");
        }
        for label in ["Play", "Step", "timeline"] {
            let rect = window.get_by_label(label).rect();
            assert!(screen.contains_rect(rect), "{label} is at {rect:?} in {size:?}");
        }
        let [width, height] =
            window.state().workspace.picture().canvas.size().map(|side| side as f32);
        let part = width * height / (size[0] * size[1] * scale * scale);
        assert!(part > 0.3, "the model has {part} of the window of {size:?}");
    }
}

#[test]
fn panes_do_not_grow_with_what_is_in_them_and_properties_are_beside_the_controls() {
    let make = move || {
        let mut scheduler = particles("first", 2, 1.0)?;
        let model = scheduler.simulation_mut().model_mut();
        let first = model.first::<Particle>().unwrap();
        let named = |k| NamedProperty::new(first, format!("a_property_of_a_long_name_{k}"));
        let items = (0..40).map(|k| PanelItem::new(named(k))).collect();
        model.add(ControlPanel::new("Many", items));
        Ok(scheduler)
    };
    let before = tabs(&window([1280.0, 800.0], Box::new(NoFiles)));
    let session = Session::start(make, Box::new(NoFiles));
    let mut window = window_of([1280.0, 800.0], session);
    until(&mut window, |app| app.status.panels.len() == 1);
    let app = window.state_mut();
    let outline = app.session.reader().front().scene.outline.clone();
    app.workspace
        .selection
        .set(vec![outline.rows.iter().find(|row| row.label == "p0").unwrap().id]);
    until(&mut window, |app| !app.session.reader().front().sheets.is_empty());
    window.run_steps(10);
    assert_eq!(tabs(&window), before);
    let mass = window.get_all_by_label("mass").next().expect("a property").rect();
    assert!(mass.top() < 780.0 && mass.left() < 300.0, "the properties are seen at {mass:?}");
}

#[test]
fn the_default_cut_keeps_the_face_and_shows_the_section_to_the_eye() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    for (direction, expected) in [([1.0, -1.0, 0.7], -Vec3::y()), ([0.0, 1.0, 0.0], Vec3::y())] {
        let app = window.state_mut();
        app.workspace.picture_mut().view.camera.look_along(-Vec3::from(direction));
        app.workspace.picture_mut().view.options.slice = None;
        window.key_press(Key::X);
        window.run_steps(2);
        let app = window.state();
        let slice = app.workspace.picture().view.options.slice.expect("it is cut");
        assert_eq!(slice.normal, expected);
        assert!(app.dock.is_seen(Pane::View));
    }
}

#[test]
fn further_views_have_cameras_of_their_own_and_keys_turn_the_active_one() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    let context = window.ctx.clone();
    let first = window.state().workspace.picture().view.camera.clone();
    window.state_mut().perform(WindowCommand::AnotherView, &context);
    window.run_steps(3);
    assert_eq!(window.state().workspace.viewports.active_number(), 1);
    let eye = |app: &App| app.workspace.picture().view.camera.back();
    assert!((eye(window.state()) - Vec3::x()).norm() < 1e-9, "it looks from the front");
    window.key_press(Key::Num4);
    window.run_steps(2);
    assert!((eye(window.state()) + Vec3::y()).norm() < 1e-9, "a key turns the active one");
    // A press in the first picture makes that the active one, whose camera has not moved.
    let place = window.get_by_label("Model").rect().center_bottom() + Vec2::new(0.0, 60.0);
    window.drag_at(place);
    window.run_steps(2);
    window.drop_at(place);
    window.run_steps(2);
    assert_eq!(window.state().workspace.viewports.active_number(), 0);
    assert_eq!(window.state().workspace.picture().view.camera, first);
    // Four at most; a closed one leaves the first active.
    for _ in 0..3 {
        window.state_mut().perform(WindowCommand::AnotherView, &context);
        window.run_steps(2);
    }
    let told = "4 views are open: close one first";
    assert!(window.query_by_label(told).is_some(), "{:?}", window.state().notes);
}

#[test]
fn a_step_that_is_none_is_refused_in_words() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    let field = window.get_all_by_role(egui::accesskit::Role::SpinButton).next().unwrap();
    field.set_value_accesskit(-3.0);
    window.run_steps(4);
    let told = "`step` must be > 0 ms, got -3 ms";
    assert!(window.query_by_label(told).is_some(), "{:?}", window.state().notes);
    assert_eq!(window.state().status.step, 0.01);
}

#[test]
fn the_model_is_saved_where_it_was_saved_before() {
    let (sender, asked) = channel();
    let mut window = window([1280.0, 800.0], files(sender));
    let context = window.ctx.clone();
    window.state_mut().perform(WindowCommand::File(FileCommand::Save), &context);
    assert!(window.state().dialogs.is_open(), "it asks the first time");
    window.state_mut().dialogs.close();
    window.state_mut().answer(dialogs::Request::SaveModel("out/mine.toml".into()));
    window.state_mut().perform(WindowCommand::File(FileCommand::Save), &context);
    assert!(!window.state().dialogs.is_open());
    window.run_steps(2);
    for _ in 0..2 {
        let saved = asked.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(saved, "first to out/mine.toml");
    }
}

#[test]
fn a_mark_that_is_set_in_a_run_is_told_with_its_own_time() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    let context = window.ctx.clone();
    window.state_mut().send(Command::Play);
    window.run_steps(5);
    window.state_mut().perform(WindowCommand::Run(RunCommand::Waypoint), &context);
    until(&mut window, |app| !app.status.waypoints.is_empty());
    window.run_steps(3);
    let marks: Vec<WaypointMark> = window.state().status.waypoints.clone();
    let told = format!("waypoint at t = {:.4} s", marks[0].time);
    assert!(window.query_by_label(&told).is_some(), "{told}: {:?}", window.state().notes);
}

/// However long a drag lasts; and two in quick succession are two.
#[test]
fn a_drag_of_a_number_is_one_edit_and_two_are_two() {
    let mut window = window([1280.0, 800.0], Box::new(NoFiles));
    let app = window.state_mut();
    let outline = app.session.reader().front().scene.outline.clone();
    let first = outline.rows.iter().find(|row| row.label == "p0").unwrap().id;
    app.workspace.selection.set(vec![first]);
    until(&mut window, |app| mass(app).is_some());
    window.run_steps(3);
    let drag = |window: &mut Harness<'_, App>| {
        let place = window.get_by_role_and_label(Role::SpinButton, "mass").rect().center();
        window.hover_at(place);
        window.drag_at(place);
        window.run_steps(1);
        for by in 1..=8 {
            window.hover_at(place + Vec2::new(5.0 * by as f32, 0.0));
            window.run_steps(20);
        }
        window.drop_at(place + Vec2::new(40.0, 0.0));
        window.run_steps(1);
    };
    drag(&mut window);
    let between = settled(&mut window, Quantity::Speed);
    drag(&mut window);
    let last = settled(&mut window, Quantity::Displacement);
    assert!(1.0 < between && between < last, "{between} {last}");
    for expected in [between, 1.0] {
        window.state_mut().send(Command::Undo);
        until(&mut window, |app| mass(app) == Some(expected));
    }
    assert!(format!("{:?}", window.state().notes).matches("Refused").count() == 0);
}

/// Mass of the particle that is selected [kg], when all that was asked for is done: another quantity marks that.
fn settled(window: &mut Harness<'_, App>, quantity: Quantity) -> f64 {
    window.state_mut().send(Command::ColorBy(quantity));
    until(window, |app| app.session.reader().front().field.quantity == quantity);
    mass(window.state_mut()).expect("it is selected")
}

/// Mass of the particle that is selected, as the session tells it [kg].
fn mass(app: &mut App) -> Option<f64> {
    let sheet = app.session.reader().front().sheets.first()?;
    let row = sheet.rows.iter().find(|row| row.info.name == "mass")?;
    row.value.numbers().next()
}

/// Loads again, with the view of before; not where there are edits, unless it is asked for.
#[test]
fn a_file_that_changes_is_loaded_again_unless_edits_would_be_lost() {
    let ((asked, _asked), (changes, changed)) = (channel(), channel());
    let mut window = window([1280.0, 800.0], Box::new(Files(asked, changed)));
    let view = window.state().workspace.picture().view.camera.clone();
    changes.send("first.toml".into()).unwrap();
    until(&mut window, |app| format!("{:?}", app.notes).contains("first.toml changed"));
    until(&mut window, |app| app.status.model == 2 && app.status.loaded);
    let app = window.state_mut();
    assert!(app.status.reloaded && app.workspace.picture().view.camera == view);
    let path = "/models/first/particles/p0:mass".to_owned();
    let heavier = sinew::schedule::Assignment { path, value: Some("3".to_owned()) };
    app.send(Command::set(vec![heavier]));
    window.run_steps(5);
    changes.send("first.toml".into()).unwrap();
    let told = "the model is kept, for it was edited here";
    until(&mut window, |app| format!("{:?}", app.notes).contains(told));
    assert_eq!(window.state().status.model, 2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::R);
    until(&mut window, |app| app.status.model == 3);
}
