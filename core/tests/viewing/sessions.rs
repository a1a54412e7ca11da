//! A model in a thread of its own does what it is asked, and says what it cannot.

use std::path::Path;

use sinew::Vec3;
use sinew::model::{MuscleExciter, RigidBody};
use sinew::schedule::{
    Assignment, Command, Grip, NoFiles, NoteKind, Scheduler, Session, SessionFiles,
};
use sinew::snapshot::{Quantity, Shape, Snapshot};
use sinew::system::MechSystem;

use crate::scenes::{built, scheduler, wait, wait_for_snapshot};

fn session(name: &'static str, step: f64) -> Session {
    let session = Session::start(move || Ok(scheduler(built(name, &[]), step)), Box::new(NoFiles));
    wait(&session, |status| status.loaded && status.busy.is_none());
    session
}

/// Sends commands, and waits until what follows from them is shown.
fn after(session: &mut Session, commands: impl IntoIterator<Item = Command>) -> Snapshot {
    commands.into_iter().for_each(|command| session.send(command));
    // A quantity of its own marks the snapshot after the last of them.
    let now = session.reader().front().field.quantity;
    let mark = if now == Quantity::Speed { Quantity::Displacement } else { Quantity::Speed };
    session.send(Command::ColorBy(mark));
    wait_for_snapshot(session, |snapshot| snapshot.field.quantity == mark)
}

fn refusals(session: &Session) -> Vec<String> {
    let bad = |kind| matches!(kind, NoteKind::Refused | NoteKind::Failed);
    session.take_notes().into_iter().filter(|it| bad(it.kind)).map(|it| it.text).collect()
}

#[test]
fn it_steps_runs_halts_and_goes_back() {
    let mut session = session("boxes", 0.01);
    assert_eq!(after(&mut session, [Command::Step, Command::Step]).steps, 2);
    let breakpoint = Command::AddWaypoint { time: Some(0.1), halts: true };
    after(&mut session, [breakpoint, Command::Play]);
    let status = wait(&session, |status| !status.playing && status.stats.linear_solves > 0);
    assert_eq!(status.waypoints.len(), 1);
    let there = wait_for_snapshot(&mut session, |snapshot| snapshot.time > 0.0999);
    assert!((there.time - 0.1).abs() < 1e-9, "t = {}", there.time);
    session.send(Command::RunUntil(0.2));
    wait_for_snapshot(&mut session, |snapshot| snapshot.time > 0.1999);
    let back = after(&mut session, [Command::Rewind(0.15)]);
    assert_eq!((back.time, &back.points), (there.time, &there.points));
    assert_eq!(after(&mut session, [Command::Reset]).time, 0.0);
    assert_eq!(refusals(&session), [""; 0]);
}

#[test]
fn properties_are_set_undone_and_refused_with_a_reason() {
    let mut session = session("jaw-tongue-hyoid", 0.01);
    let model = built("jaw-tongue-hyoid", &[]);
    let exciter = model.first::<MuscleExciter>().unwrap();
    let start = model[exciter].excitation;
    let path = model.path(exciter.id()) + ":excitation";
    let set = |value: &str| {
        let value = Some(value.to_owned());
        Command::Set(vec![Assignment { path: path.clone(), value }])
    };
    let follow = Command::Follow(vec![path.clone()]);
    assert_eq!(after(&mut session, [follow]).readings.numbers, [start]);
    assert_eq!(after(&mut session, [set("0.25")]).readings.numbers, [0.25]);
    // A slider that is drawn is one edit.
    let drawn = ["0.1", "0.15", "0.2"].map(set);
    assert_eq!(after(&mut session, drawn).readings.numbers, [0.2]);
    assert_eq!(after(&mut session, [Command::Undo]).readings.numbers, [start]);
    assert_eq!(after(&mut session, [set("0.25")]).readings.numbers, [0.25]);
    assert_eq!(after(&mut session, [Command::Undo]).readings.numbers, [start]);
    assert_eq!(after(&mut session, [Command::Redo]).readings.numbers, [0.25]);
    assert_eq!(refusals(&session), [""; 0]);
    assert_eq!(after(&mut session, [set("12"), set("red")]).readings.numbers, [0.25]);
    let said = refusals(&session);
    assert!(said.len() == 2 && said.iter().all(|text| text.contains("excitation")), "{said:?}");
}

/// A point of the tissue that nothing holds, with its place in the world [m].
fn free_point(snapshot: &Snapshot) -> (u32, Vec3) {
    let tissue = snapshot.scene.items.iter().find_map(|item| match &item.shape {
        Shape::Tissue { triangles, .. } => Some(triangles.clone()),
        _ => None,
    });
    let place = |k: u32| Vec3::from(snapshot.points[k as usize].map(f64::from));
    let points = tissue.unwrap().iter().flatten().copied().collect::<Vec<u32>>();
    // The free end of the beam: furthest along x.
    let far = points.into_iter().max_by(|&a, &b| place(a).x.total_cmp(&place(b).x)).unwrap();
    (far, snapshot.scene.origin + place(far))
}

#[test]
fn a_grabbed_point_follows_the_hand_and_goes_back_when_it_is_let_go() {
    let mut session = session("beam", 0.01);
    let start = after(&mut session, []);
    let waypoint = Command::AddWaypoint { time: None, halts: false };
    after(&mut session, [waypoint, Command::Step]);
    let (point, at) = free_point(&start);
    let target = at + Vec3::new(0.0, 0.0, 0.05);
    let grab = |target| Command::Grab { grip: Grip::Point(point), target };
    let grabbed = after(&mut session, [grab(at), grab(target)]);
    assert!(grabbed.lines.len() > start.lines.len(), "the spring is shown");
    let steps = std::iter::repeat_n(Command::Step, 30);
    let pulled = after(&mut session, steps.clone());
    let height = |snapshot: &Snapshot| f64::from(snapshot.points[point as usize][2]);
    let free = after(&mut session, std::iter::once(Command::Release).chain(steps));
    assert_eq!(free.lines.len(), start.lines.len());
    assert!(height(&pulled) > height(&free) + 0.005, "{} {}", height(&pulled), height(&free));
    // The waypoint of before still fits, and edits of before can be undone.
    let status = session.status();
    assert!(status.waypoints[0].saved && !status.grabbed, "{status:?}");
    let back = after(&mut session, [Command::Rewind(1.0)]);
    assert_eq!((back.time, &back.points), (0.0, &start.points));
    assert_eq!(refusals(&session), [""; 0]);
}

#[test]
fn a_body_is_grabbed_at_a_place_of_its_own() {
    let mut session = session("boxes", 0.01);
    let start = after(&mut session, []);
    let model = built("boxes", &[]);
    let (body, _) = model.iter::<RigidBody>().find(|(_, body)| body.dynamic).unwrap();
    let at = Vec3::new(0.0, 0.0, 0.0);
    let origin = model[body].pose.translation.vector;
    let grip = Grip::Body(body.id(), at);
    let target = origin + Vec3::new(0.0, 0.0, 1.0);
    let steps = std::iter::repeat_n(Command::Step, 20);
    let lifted = after(&mut session, [Command::Grab { grip, target }].into_iter().chain(steps));
    let frame = start.scene.items.iter().find_map(|item| match item.shape {
        Shape::Frame { frame, .. } if item.owner == body.id() => Some(frame as usize),
        _ => None,
    });
    let height = |snapshot: &Snapshot| snapshot.frames[frame.unwrap()].position[2];
    assert!(height(&lifted) > height(&start) + 0.02, "{}", height(&lifted));
    assert_eq!(refusals(&session), [""; 0]);
}

#[test]
fn a_push_gives_its_velocity_and_a_pin_holds() {
    let mut scheduled = scheduler(built("beam", &[]), 0.01);
    let snapshot = crate::scenes::shown(scheduled.simulation_mut(), &Default::default());
    let (point, at) = free_point(&snapshot);
    let before = momentum(&mut scheduled);
    let velocity = Vec3::new(0.1, 0.2, -0.3);
    let mass = scheduled.simulation().compiled().masses()[point as usize];
    let mut session = session("beam", 0.01);
    let grip = Grip::Point(point);
    let follow = Command::Follow(vec![format!("/models/beam/fem_models/beam:momentum")]);
    let pushed = after(&mut session, [follow, Command::Push { grip, velocity }]);
    let after_push = Vec3::from_column_slice(&pushed.readings.numbers);
    assert!((after_push - before - velocity * mass).norm() < 1e-12, "{after_push}");
    let steps = std::iter::repeat_n(Command::Step, 20);
    let pin = [Command::Reset, Command::Pin { grip, held: true }];
    let pinned = after(&mut session, pin.into_iter().chain(steps.clone()));
    let place = |snapshot: &Snapshot| {
        snapshot.scene.origin + Vec3::from(snapshot.points[point as usize].map(f64::from))
    };
    assert!((place(&pinned) - at).norm() < 1e-6, "{}", place(&pinned));
    let unpin = Command::Pin { grip, held: false };
    let freed = after(&mut session, std::iter::once(unpin).chain(steps));
    assert!((place(&freed) - at).norm() > 1e-4, "{}", place(&freed));
    assert_eq!(refusals(&session), [""; 0]);
}

#[test]
fn a_body_that_is_hit_aside_gives_its_place_the_velocity_and_turns() {
    let mut session = session("boxes", 0.01);
    let model = built("boxes", &[]);
    let (body, data) = model.iter::<RigidBody>().find(|(_, body)| body.dynamic).unwrap();
    let arm = data.pose.rotation.inverse() * Vec3::new(0.05, 0.02, 0.0);
    let path = model.path(body.id());
    let follow = ["velocity", "angular_velocity"].map(|name| format!("{path}:{name}"));
    let grip = Grip::Body(body.id(), arm);
    let velocity = Vec3::new(0.0, 0.3, 0.4);
    let hit = [Command::Follow(follow.to_vec()), Command::Push { grip, velocity }];
    let numbers = after(&mut session, hit).readings.numbers;
    let [v, spin] = [&numbers[..3], &numbers[3..]].map(Vec3::from_column_slice);
    let at_place = v + spin.cross(&(data.pose.rotation * arm));
    assert!(spin.norm() > 0.1, "{spin}");
    let along = velocity.normalize();
    assert!((at_place.dot(&along) - velocity.norm()).abs() < 1e-12, "{at_place}");
    assert_eq!(refusals(&session), [""; 0]);
}

fn momentum(scheduler: &mut Scheduler) -> Vec3 {
    let state = scheduler.simulation_mut().state().unwrap().clone();
    scheduler.simulation().compiled().momentum(&state)
}

/// Opens the built-in models by their names.
struct Builtins;

impl SessionFiles for Builtins {
    fn open(&mut self, path: &Path) -> Result<Scheduler, String> {
        let name = path.to_str().unwrap_or_default();
        match sinew_datasets::find(name) {
            Some(_) => Ok(scheduler(built(name, &[]), 0.01)),
            None => Err(format!("{name}: there is no such model")),
        }
    }

    fn save(&mut self, _: &mut Scheduler, path: &Path) -> Result<(), String> {
        Err(format!("{}: the disk is full", path.display()))
    }
}

#[test]
fn a_model_that_cannot_be_opened_leaves_the_one_that_runs() {
    let mut session = Session::start(|| Err("no such file".to_owned()), Box::new(Builtins));
    let status = wait(&session, |status| status.busy.is_none());
    assert!(!status.loaded);
    assert_eq!(refusals(&session), ["no such file"]);
    session.send(Command::Play);
    session.send(Command::Open("boxes".into()));
    wait(&session, |status| status.loaded && status.busy.is_none());
    let boxes = after(&mut session, [Command::Step]);
    assert_eq!(boxes.steps, 1);
    let same = after(&mut session, [Command::Open("nobody".into())]);
    assert_eq!((same.steps, same.scene.items.len()), (1, boxes.scene.items.len()));
    after(&mut session, [Command::SaveCheckpoint("x".into())]);
    let said = refusals(&session);
    assert!(said[0].contains("nobody") && said[1].contains("disk is full"), "{said:?}");
}
