//! Building by hand with the tools, in the whole window, by the names of its buttons.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable};
use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::model::{AxialSpring, FrameMarker, Joint, Model, Particle, RigidBody};
use sinew::schedule::{
    FileError, OpenError, Scheduler, SchedulerSettings, Session, SessionFiles, Simulation,
};
use sinew::solve::SolverSettings;
use sinew_datasets::Params;
use sinew_model_files::{LoadOptions, SaveOptions};
use sinew_run_files::{Recordings, follow};

use crate::app::App;
use crate::app::hand::button;
use crate::app::tests::{until, window_of};

mod brush;
mod by_name;
mod gizmos;

fn scheduler(model: Model) -> Result<Scheduler, OpenError> {
    let simulation = Simulation::new(model, SolverSettings::default());
    let simulation = simulation.map_err(|error| error.to_string())?;
    let settings = SchedulerSettings::with_step(0.005);
    let made = Scheduler::new(simulation, settings).map_err(|error| error.to_string());
    let mut scheduler = made?;
    let here = Path::new(".");
    let followed = follow(&mut scheduler, here, Recordings::Curves(here.to_owned()));
    followed.map_err(|error| error.to_string())?;
    Ok(scheduler)
}

/// A model of one fixed point, without weight.
fn bench() -> Model {
    let mut model = Model::new("bench");
    let origin = Particle { fixed: true, ..Particle::new(1.0, Vec3::zeros()) };
    model.add(origin.named("origin"));
    model.set_gravity(Vec3::zeros());
    model
}

/// Saves models as files, and hands them out.
struct Files(Sender<Model>);

impl SessionFiles for Files {
    fn open(&mut self, path: &Path, _: &[String]) -> Result<Scheduler, OpenError> {
        Err(FileError::NoFiles(path.to_owned()).into())
    }

    fn create(&mut self) -> Result<Scheduler, OpenError> {
        scheduler(bench())
    }

    fn save(&mut self, _: &mut Scheduler, path: &Path) -> Result<(), FileError> {
        Err(FileError::NoFiles(path.to_owned()))
    }

    fn save_model(&mut self, scheduler: &Scheduler, path: &Path) -> Result<(), FileError> {
        let model = scheduler.simulation().model();
        if path.extension().is_some() {
            let saved = sinew_model_files::save(model, path, &SaveOptions::default());
            saved.map_err(|error| error.to_string())?;
        }
        let _ = self.0.send(model.clone());
        Ok(())
    }
}

/// A window, and the models that it saves.
struct Bench {
    window: Harness<'static, App>,
    models: Receiver<Model>,
}

impl Bench {
    fn on(model: Model) -> Self {
        let (sender, models) = channel();
        let session = Session::start(move || scheduler(model), Box::new(Files(sender)));
        let mut window = window_of([1280.0, 800.0], session);
        window.key_press(Key::Num4);
        window.key_press(Key::F7);
        // A metre from top to bottom.
        window.state_mut().workspace.picture_mut().view.camera.distance = 1.9;
        window.run_steps(3);
        Self { window, models }
    }

    /// Place in the window at which a place is seen.
    fn at(&self, place: Vec3) -> Pos2 {
        let workspace = &self.window.state().workspace;
        let canvas = &workspace.picture().canvas;
        let seen = workspace.picture().view.camera.project(place, canvas.size());
        let ([x, y], _) = seen.expect("it is before the eye");
        canvas.rect.expect("it is drawn").min + vec2(x as f32, y as f32)
    }

    fn button(&mut self, at: Pos2, pressed: bool) {
        button(&mut self.window, at, pressed);
    }

    fn click(&mut self, place: Vec3) {
        let at = self.at(place);
        self.window.hover_at(at);
        self.window.run_steps(1);
        [true, false].into_iter().for_each(|pressed| self.button(at, pressed));
        self.window.run_steps(1);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.window.hover_at(from);
        self.window.run_steps(1);
        self.button(from, true);
        for part in [0.3, 0.7, 1.0] {
            self.window.hover_at(from + (to - from) * part);
            self.window.run_steps(1);
        }
    }

    fn draw(&mut self, from: Vec3, to: Vec3) {
        let [from, to] = [from, to].map(|place| self.at(place));
        self.drag(from, to);
        self.button(to, false);
    }

    fn take(&mut self, tool: &str) {
        self.window.get_by_label(tool).click();
        self.window.run_steps(2);
    }

    /// Waits for a component of this name.
    fn await_row(&mut self, name: &str) {
        until(&mut self.window, |app| has_row(app, name));
    }

    /// The model as it is now, as it would be saved.
    fn model(&mut self, path: &Path) -> Model {
        self.window.state_mut().answer(super::super::dialogs::Request::SaveModel(path.into()));
        self.window.run_steps(2);
        self.models.recv_timeout(std::time::Duration::from_secs(60)).expect("it is saved")
    }
}

fn has_row(app: &mut App, name: &str) -> bool {
    app.session.reader().front().scene.outline.rows.iter().any(|row| row.label == name)
}

/// Corners of a four-bar linkage: crank, coupler, rocker, of which the crank can turn all the way [m].
const CORNERS: [[f64; 3]; 4] =
    [[-0.2, 0.0, -0.1], [-0.2, 0.0, 0.05], [0.15, 0.0, 0.15], [0.2, 0.0, -0.1]];

#[test]
fn a_four_bar_linkage_with_a_motor_is_built_while_it_runs_and_runs_from_its_file() {
    let mut bench = Bench::on(bench());
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::N);
    until(&mut bench.window, |app| app.status.model == 2 && app.status.loaded);
    bench.window.state_mut().workspace.picture_mut().view.camera.distance = 1.9;
    bench.window.key_press(Key::Space);
    bench.window.run_steps(3);
    let corners = CORNERS.map(Vec3::from);
    bench.take("Rod");
    for k in 0..3 {
        bench.draw(corners[k], corners[k + 1]);
        bench.await_row(&format!("rod{}", k + 1));
    }
    bench.take("Hinge");
    let ground = Vec3::new(0.3, 0.0, 0.3);
    let clicks = [[0, 4], [1, 1], [2, 2], [3, 4]];
    for (k, clicks) in clicks.into_iter().enumerate() {
        for corner in clicks {
            bench.click(*corners.get(corner).unwrap_or(&ground));
        }
        bench.await_row(&format!("hinge{}", k + 1));
    }
    bench.take("Motor");
    bench.click(corners[0]);
    bench.await_row("motor1");
    assert!(bench.window.state().status.playing, "{:?}", bench.window.state().notes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linkage.toml");
    bench.model(&path);
    let file = sinew_model_files::load(&path, &LoadOptions::default()).unwrap();
    let mut run = scheduler(file.model).unwrap();
    let model = run.simulation().model();
    let joints: Vec<_> = model.iter::<Joint>().map(|(joint, _)| joint).collect();
    assert_eq!(joints.len(), 4);
    run.run_until(1.5).unwrap();
    let turned = run.simulation_mut().coordinates(joints[0]).unwrap()[0];
    assert!(turned.abs() > 6.0, "the crank turned by {turned} rad");
    for joint in joints {
        let path = format!("{}:errors", run.simulation().model().path(joint));
        let property = run.simulation().property(&path).unwrap();
        let errors = run.simulation_mut().get(&property).unwrap();
        // A chain of lengths of 0.4 m, held to a millionth of them.
        assert!(errors.numbers().all(|x| x.abs() < 1e-6), "{path}: {errors}");
    }
}

#[test]
fn a_muscle_between_two_landmarks_of_the_jaw_is_undone_to_the_start() {
    let builtin = sinew_datasets::find("jaw-tongue-hyoid").expect("a built-in model");
    let start = (builtin.build)(&mut Params::default()).expect("the defaults are in range");
    let marker = |name: &str| start.iter::<FrameMarker>().find(|(_, it)| it.name == name).unwrap();
    let names = ["lower_incisor", "lsm_origin"];
    let [first, second] = names.map(|name| marker(name).1.position(&start).unwrap());
    let mut bench = Bench::on(start.clone());
    // From the side, landmarks of the left lie before those of the right.
    bench.window.key_press(Key::Num7);
    bench.window.run_steps(2);
    bench.take("Muscle");
    bench.click(first);
    bench.click(second);
    bench.await_row("muscle1");
    let model = bench.model(Path::new("jaw"));
    let (_, muscle) = model.iter::<AxialSpring>().find(|(_, it)| it.name == "muscle1").unwrap();
    let ends = muscle.ends.map(|end| model.name_of(end.component()).to_owned());
    assert_eq!(ends, names);
    let length = (first - second).norm();
    assert!((muscle.rest_length - length).abs() < 1e-6 * length, "{}", muscle.rest_length);
    by_name::edit_a_probe_of(&mut bench, "muscle1");
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    until(&mut bench.window, |app| !has_row(app, "muscle1"));
    assert_eq!(bench.model(Path::new("jaw")).component_count(), start.component_count());
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.window.run_steps(5);
    let nothing = "there is nothing to undo";
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains(nothing));
}

#[test]
fn a_gizmo_moves_a_body_by_what_its_entry_says() {
    let mut bench = Bench::on(bench());
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.take("Ball");
    let x = |bench: &mut Bench| {
        let model = bench.model(Path::new("bench"));
        let (_, ball) = model.iter::<RigidBody>().next().unwrap();
        ball.pose.translation.vector.x
    };
    let before = x(&mut bench);
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.window.key_press(Key::M);
    bench.window.run_steps(3);
    let entry = |bench: &Bench| {
        use egui_kittest::kittest::NodeT;
        let field = bench.window.get_by_label("move x");
        field.accesskit_node().numeric_value().unwrap()
    };
    let from = bench.at(Vec3::new(before, 0.0, 0.1)) + vec2(60.0, 0.0);
    bench.drag(from, from + vec2(90.0, 0.0));
    bench.window.run_steps(1);
    let told = entry(&bench);
    bench.button(from + vec2(90.0, 0.0), false);
    bench.window.run_steps(3);
    let moved = x(&mut bench) - before;
    assert!(moved > 0.05 && (moved - told).abs() < 1e-9, "{moved} m, and {told} m are told");
    bench.window.get_by_label("move x").set_value_accesskit(-0.25);
    bench.window.run_steps(3);
    bench.window.get_by_label("Apply").click();
    bench.window.run_steps(3);
    let last = x(&mut bench) - before - moved;
    assert!((last + 0.25).abs() < 1e-12, "{last} m");
}

#[test]
fn a_mirror_takes_a_body_to_the_other_side_and_back() {
    let mut bench = Bench::on(bench());
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.window.key_press(Key::Escape);
    bench.window.run_steps(2);
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.window.key_press_modifiers(Modifiers::SHIFT, Key::M);
    bench.window.run_steps(3);
    let center = |bench: &mut Bench| {
        let model = bench.model(Path::new("bench"));
        model.iter::<RigidBody>().next().unwrap().1.pose.translation.vector
    };
    let before = center(&mut bench);
    // A click on a handle mirrors across its own middle, where the ball stays.
    let handle = bench.at(before) + vec2(60.0, 0.0);
    bench.window.hover_at(handle);
    bench.window.run_steps(1);
    [true, false].into_iter().for_each(|pressed| bench.button(handle, pressed));
    bench.window.run_steps(3);
    assert_eq!(bench.window.state().workspace.selection.ids().len(), 1);
    // Places in a picture are of single precision.
    let mirrored = center(&mut bench);
    assert!((mirrored - before).norm() < 1e-6, "{mirrored}");
    bench.window.get_by_label("the origin").click();
    bench.window.run_steps(2);
    bench.window.get_by_label("Mirror x").click();
    bench.window.run_steps(3);
    let expected = Vec3::new(-mirrored.x, mirrored.y, mirrored.z);
    assert!((center(&mut bench) - expected).norm() < 1e-12, "{}", center(&mut bench));
    // Both edits are taken back; nothing is left but the ball as it was drawn.
    for _ in 0..2 {
        bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        bench.window.run_steps(2);
    }
    assert!((center(&mut bench) - before).norm() < 1e-12, "{}", center(&mut bench));
    assert!(has_row(bench.window.state_mut(), "ball1"));
}

#[test]
fn what_cannot_be_built_is_told_in_words() {
    let mut bench = Bench::on(bench());
    bench.take("Rod");
    bench.draw(Vec3::new(-0.2, 0.0, 0.0), Vec3::new(0.2, 0.0, 0.0));
    bench.await_row("rod1");
    bench.take("Hinge");
    for (clicks, told) in [
        ([[-0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]], "both clicks are on"),
        ([[0.0, 0.0, 0.3], [0.1, 0.0, 0.3]], "needs a part on one side at least"),
    ] {
        clicks.into_iter().for_each(|place| bench.click(place.into()));
        until(&mut bench.window, |app| format!("{:?}", app.notes).contains(told));
    }
    bench.window.key_press(Key::Delete);
    let told = "nothing is selected";
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains(told));
}
