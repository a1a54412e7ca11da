//! Building by hand in a session: parts with the inertia of their solids, joints where things are now, and refusals.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::dynamics::SpatialInertia;
use sinew::model::{FemModel, Joint, Model, Particle, RigidBody};
use sinew::schedule::{
    Build, Command, Connection, DragPoint, FileError, NoteKind, OpenError, Part, Pick, Scheduler,
    Session, SessionFiles,
};

use crate::scenes::{scheduler, wait};

/// Hands out models that are saved.
struct Files(std::sync::mpsc::Sender<Model>);

impl SessionFiles for Files {
    fn open(&mut self, path: &Path, _: &[String]) -> Result<Scheduler, OpenError> {
        Err(FileError::NoFiles(path.to_owned()).into())
    }

    fn save(&mut self, _: &mut Scheduler, path: &Path) -> Result<(), FileError> {
        Err(FileError::NoFiles(path.to_owned()))
    }

    fn save_model(&mut self, scheduler: &Scheduler, _: &Path) -> Result<(), FileError> {
        let _ = self.0.send(scheduler.simulation().model().clone());
        Ok(())
    }
}

struct Bench {
    session: Session,
    models: Receiver<Model>,
}

impl Bench {
    /// A model of one fixed point, with weight.
    fn open() -> Self {
        let (sender, models) = channel();
        let mut model = Model::new("bench");
        let origin = Particle { fixed: true, ..Particle::new(1.0, Vec3::zeros()) };
        model.add(origin.named("origin"));
        let session = Session::start(move || Ok(scheduler(model, 0.01)), Box::new(Files(sender)));
        wait(&session, |status| status.loaded && status.busy.is_none());
        Self { session, models }
    }

    fn draw(&self, part: Part, from: [f64; 3], to: [f64; 3]) {
        let ends = [from, to].map(|place| Pick { grabbed: None, place: place.into() });
        self.session.send(Command::Build(Build::Part { part, ends, axes: Default::default() }));
    }

    fn model(&self) -> Model {
        self.session.send(Command::SaveModel("bench".into()));
        self.models.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    fn refusals(&self) -> Vec<String> {
        let notes = self.session.take_notes();
        let bad = notes.into_iter().filter(|note| note.kind == NoteKind::Refused);
        bad.map(|note| note.text).collect()
    }
}

/// The place on a body under a place of the world at the start.
fn on(model: &Model, name: &str, place: [f64; 3]) -> Pick {
    let (body, data) = model.iter::<RigidBody>().find(|(_, it)| it.name == name).unwrap();
    let at = data.pose.inverse_transform_point(&place.into()).coords;
    Pick { grabbed: Some(DragPoint::Body(body.id(), at)), place: place.into() }
}

const SKY: Pick = Pick { grabbed: None, place: Vec3::new(9.0, 9.0, 9.0) };

fn connect(connection: Connection, ends: [Pick; 2]) -> Command {
    Command::Build(Build::Connection { connection, ends, axis: Vec3::y() })
}

#[test]
fn parts_have_the_inertia_of_water_in_their_shape_and_a_block_is_where_it_was_drawn() {
    let bench = Bench::open();
    bench.draw(Part::Rod, [0.0; 3], [0.0, 0.3, 0.4]);
    bench.draw(Part::Ball, [1.0, 0.0, 0.0], [1.0, 0.1, 0.0]);
    bench.draw(Part::Plate, [2.0, 0.0, 0.0], [2.4, 0.3, 0.0]);
    bench.draw(Part::Wheel, [5.0, 0.0, 0.0], [5.125, 0.0, 0.0]);
    bench.draw(Part::Block, [3.0, 0.0, 0.0], [3.2, 0.1, 0.0]);
    let model = bench.model();
    assert_eq!(bench.refusals(), [""; 0]);
    let pi = std::f64::consts::PI;
    let rod = SpatialInertia::of_cylinder(1000.0 * pi * 0.02f64.powi(2) * 0.5, 0.02, 0.5).unwrap();
    let ball = SpatialInertia::of_sphere(1000.0 * 4.0 / 3.0 * pi * 1e-3, 0.1).unwrap();
    let size = Vec3::new(0.4, 0.3, 0.02);
    let plate = SpatialInertia::of_box(1000.0 * 0.4 * 0.3 * 0.02, &size).unwrap();
    let wheel = SpatialInertia::of_cylinder(1000.0 * pi * 0.125f64.powi(2) * 0.0375, 0.125, 0.0375)
        .unwrap();
    assert_eq!(model.iter::<RigidBody>().count(), 4);
    for ((_, body), expected) in model.iter::<RigidBody>().zip([rod, ball, plate, wheel]) {
        let inertia = body.spatial_inertia().unwrap();
        // A few roundings.
        assert!((inertia.mass() / expected.mass() - 1.0).abs() < 1e-14, "{}", body.name);
        let off = inertia.rotational() - expected.rotational();
        assert!(off.norm() < 1e-14 * expected.rotational().norm(), "{}", body.name);
    }
    let (_, rod) = model.iter::<RigidBody>().next().unwrap();
    let along = rod.pose.rotation * Vec3::z();
    assert!((along - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-14, "{along}");
    let (_, block) = model.iter::<FemModel>().next().unwrap();
    let [low, high] = block.mesh.bounding_box().unwrap();
    assert!((low - Vec3::new(3.0, 0.0, -0.05)).norm() < 1e-12, "{low}");
    assert!((high - Vec3::new(3.2, 0.1, 0.05)).norm() < 1e-12, "{high}");
}

#[test]
fn a_hinge_on_what_falls_holds_it_where_it_is_now_and_the_file_starts_there() {
    let bench = Bench::open();
    bench.draw(Part::Rod, [0.0; 3], [0.4, 0.0, 0.0]);
    let start = bench.model();
    (0..20).for_each(|_| bench.session.send(Command::Step));
    bench.session.send(connect(Connection::Hinge, [on(&start, "rod1", [0.0; 3]), SKY]));
    let model = bench.model();
    assert_eq!(bench.refusals(), [""; 0]);
    let (_, rod) = model.iter::<RigidBody>().next().unwrap();
    // Twenty steps of backward Euler fall by g h² n (n + 1) / 2.
    let fallen = 9.8 * 1e-4 * 210.0;
    let z = rod.pose.translation.vector.z;
    assert!((z + fallen).abs() < 1e-9, "it starts at {z} m, and fell by {fallen} m");
    let (_, joint) = model.iter::<Joint>().next().unwrap();
    assert!((joint.d.pose.translation.vector.z + fallen).abs() < 1e-9, "{}", joint.d.pose);
    let mut run = scheduler(model, 0.01);
    run.run_until(0.5).unwrap();
    let body = run.simulation().model().first::<RigidBody>().unwrap();
    let end = run.simulation_mut().pose(body).unwrap();
    let hinged = end.transform_point(&Vec3::new(0.0, 0.0, -0.2).into()).coords;
    assert!((hinged - Vec3::new(0.0, 0.0, -fallen)).norm() < 1e-8, "the hinge is at {hinged}");
}

#[test]
fn a_free_part_goes_to_what_it_is_joined_to_and_two_that_are_joined_are_refused() {
    let bench = Bench::open();
    bench.draw(Part::Rod, [0.0; 3], [0.4, 0.0, 0.0]);
    bench.draw(Part::Rod, [0.0, 0.0, 1.0], [0.4, 0.0, 1.0]);
    let model = bench.model();
    let lower = |x: f64| on(&model, "rod1", [x, 0.0, 0.0]);
    let upper = |x: f64| on(&model, "rod2", [x, 0.0, 1.0]);
    bench.session.send(connect(Connection::Weld, [lower(0.0), SKY]));
    bench.session.send(connect(Connection::Nail, [lower(0.4), upper(0.0)]));
    let model = bench.model();
    assert_eq!(bench.refusals(), [""; 0]);
    let (_, moved) = model.iter::<RigidBody>().nth(1).unwrap();
    let place = moved.pose.translation.vector;
    assert!((place - Vec3::new(0.6, 0.0, 0.0)).norm() < 1e-12, "{place}");
    bench.session.send(connect(Connection::Hinge, [lower(0.0), upper(0.4)]));
    bench.session.send(connect(Connection::Hinge, [lower(0.1), lower(0.2)]));
    bench.session.send(connect(Connection::Attachment, [lower(0.1), upper(0.4)]));
    bench.session.send(Command::Build(Build::Marker(SKY)));
    let after = bench.model();
    assert_eq!(after.component_count(), model.component_count());
    let told = bench.refusals();
    let words =
        ["both are joined to others", "both clicks are on", "goes from a particle", "met none"];
    assert!(
        told.len() == 4 && told.iter().zip(words).all(|(it, word)| it.contains(word)),
        "{told:?}"
    );
    // Four edits, taken back to the start.
    (0..4).for_each(|_| bench.session.send(Command::Undo));
    assert_eq!(bench.model().iter::<RigidBody>().count(), 0);
}

#[test]
fn an_edit_of_five_thousand_components_is_one_snapshot_away() {
    let (sender, models) = channel();
    let mut model = Model::new("many");
    for k in 0..5000 {
        let place = Vec3::new(f64::from(k % 1000), f64::from(k / 1000), 0.0);
        model.add(Particle { name: format!("p{k}"), fixed: true, ..Particle::new(1.0, place) });
    }
    let session = Session::start(move || Ok(scheduler(model, 0.01)), Box::new(Files(sender)));
    wait(&session, |status| status.loaded && status.busy.is_none());
    let mut bench = Bench { session, models };
    let before = crate::scenes::wait_for_snapshot(&mut bench.session, |it| it.serial > 0).serial;
    bench.draw(Part::Ball, [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]);
    let shown = crate::scenes::wait_for_snapshot(&mut bench.session, |it| it.serial > before);
    assert_eq!(shown.serial, before + 1);
    assert!(shown.scene.outline.rows.iter().any(|row| row.label == "ball1"));
}
