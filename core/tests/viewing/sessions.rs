//! A model in a thread of its own does what it is asked, and says what it cannot.

use std::path::Path;
use std::time::{Duration, Instant};

use sinew::Vec3;
use sinew::editing::EditCommand;
use sinew::model::{MuscleExciter, RigidBody};
use sinew::schedule::{
    Assignment, Command, ControlItem, DragPoint, FileError, NoFiles, NoteKind, OpenError,
    PanelEdit, Scheduler, Session, SessionFiles, ShownPanel,
};
use sinew::snapshot::{Quantity, Shape, Snapshot, still};
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
        Command::set(vec![Assignment { path: path.clone(), value }])
    };
    let drawn = |gesture: u64, values: &[&str]| {
        let all = values.iter().map(|value| set(value).in_gesture(gesture));
        all.collect::<Vec<_>>()
    };
    let follow = Command::Follow(vec![path.clone()]);
    assert_eq!(after(&mut session, [follow]).readings.numbers, [start]);
    assert_eq!(after(&mut session, [set("0.25")]).readings.numbers, [0.25]);
    // A slider that is drawn is one edit, whatever comes between; drawn twice it is two.
    assert_eq!(after(&mut session, drawn(1, &["0.1", "0.15"])).readings.numbers, [0.15]);
    after(&mut session, [Command::Step]);
    assert_eq!(after(&mut session, drawn(1, &["0.2"])).readings.numbers, [0.2]);
    assert_eq!(after(&mut session, drawn(2, &["0.3", "0.4"])).readings.numbers, [0.4]);
    for before in [0.2, 0.25, start] {
        assert_eq!(after(&mut session, [Command::Undo]).readings.numbers, [before]);
    }
    // What a hand refuses to begin with takes nothing back.
    assert_eq!(after(&mut session, [set("0.1")]).readings.numbers, [0.1]);
    assert_eq!(after(&mut session, drawn(3, &["12", "0.3"])).readings.numbers, [0.3]);
    assert!(refusals(&session)[0].contains("excitation"));
    for before in [0.1, start] {
        assert_eq!(after(&mut session, [Command::Undo]).readings.numbers, [before]);
    }
    // Settings without a gesture are edits of their own.
    assert_eq!(after(&mut session, ["0.3", "0.25"].map(set)).readings.numbers, [0.25]);
    assert_eq!(after(&mut session, [Command::Undo]).readings.numbers, [0.3]);
    let again = [Command::Undo, Command::Redo, Command::Redo];
    assert_eq!(after(&mut session, again).readings.numbers, [0.25]);
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
    let grab = |target| Command::Drag { point: DragPoint::Point(point), target };
    let grabbed = after(&mut session, [grab(at), grab(target)]);
    assert!(grabbed.lines.len() > start.lines.len(), "the spring is shown");
    let spring = session.status().pull.expect("it is pulled");
    let item = grabbed.scene.items.iter().find(|item| item.owner == spring);
    let Some(Shape::Lines(lines)) = item.map(|item| &item.shape) else { panic!("{item:?}") };
    let [pulled, before] =
        [&grabbed.points[lines.points[1] as usize], &start.points[point as usize]];
    let apart = (0..3).map(|k| (pulled[k] - before[k]).abs()).fold(0.0, f32::max);
    assert!(apart < 1e-3, "{pulled:?} {before:?}");
    assert!(grabbed.lines[lines.value as usize][1] > 0.0, "its force is told");
    let steps = std::iter::repeat_n(Command::Step, 30);
    let pulled = after(&mut session, steps.clone());
    let height = |snapshot: &Snapshot| f64::from(snapshot.points[point as usize][2]);
    let free = after(&mut session, std::iter::once(Command::Release).chain(steps));
    assert_eq!(free.lines.len(), start.lines.len());
    assert!(height(&pulled) > height(&free) + 0.005, "{} {}", height(&pulled), height(&free));
    // The waypoint of before still fits, and edits of before can be undone.
    let status = session.status();
    assert!(status.waypoints[0].saved && status.pull.is_none(), "{status:?}");
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
    let point = DragPoint::Body(body.id(), at);
    let target = origin + Vec3::new(0.0, 0.0, 1.0);
    let steps = std::iter::repeat_n(Command::Step, 20);
    let lifted = after(&mut session, [Command::Drag { point, target }].into_iter().chain(steps));
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
    let (row, at) = free_point(&snapshot);
    let before = momentum(&mut scheduled);
    let velocity = Vec3::new(0.1, 0.2, -0.3);
    let mass = scheduled.simulation().compiled().masses()[row as usize];
    let mut session = session("beam", 0.01);
    let point = DragPoint::Point(row);
    let follow = Command::Follow(vec![format!("/models/beam/fem_models/beam:momentum")]);
    let pushed = after(&mut session, [follow, Command::Push { point, velocity }]);
    let after_push = Vec3::from_column_slice(&pushed.readings.numbers);
    assert!((after_push - before - velocity * mass).norm() < 1e-12, "{after_push}");
    let steps = std::iter::repeat_n(Command::Step, 20);
    let pin = [Command::Reset, Command::Pin { point, fixed: true }];
    let pinned = after(&mut session, pin.into_iter().chain(steps.clone()));
    let place = |snapshot: &Snapshot| {
        snapshot.scene.origin + Vec3::from(snapshot.points[row as usize].map(f64::from))
    };
    assert!((place(&pinned) - at).norm() < 1e-6, "{}", place(&pinned));
    let unpin = Command::Pin { point, fixed: false };
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
    let point = DragPoint::Body(body.id(), arm);
    let velocity = Vec3::new(0.0, 0.3, 0.4);
    let hit = [Command::Follow(follow.to_vec()), Command::Push { point, velocity }];
    let numbers = after(&mut session, hit).readings.numbers;
    let [v, turning] = [&numbers[..3], &numbers[3..]].map(Vec3::from_column_slice);
    let at_place = v + turning.cross(&(data.pose.rotation * arm));
    assert!(turning.norm() > 0.1, "{turning}");
    let along = velocity.normalize();
    assert!((at_place.dot(&along) - velocity.norm()).abs() < 1e-12, "{at_place}");
    assert_eq!(refusals(&session), [""; 0]);
}

fn momentum(scheduler: &mut Scheduler) -> Vec3 {
    let state = scheduler.simulation_mut().state().unwrap().clone();
    scheduler.simulation().compiled().at(&state).momentum()
}

/// Opens the built-in models by their names.
struct Builtins;

impl SessionFiles for Builtins {
    fn open(&mut self, path: &Path, params: &[String]) -> Result<Scheduler, OpenError> {
        let name = path.to_str().unwrap_or_default();
        let params: Vec<&str> = params.iter().map(String::as_str).collect();
        match sinew_datasets::find(name) {
            Some(_) => Ok(scheduler(built(name, &params), 0.01)),
            None if name == "broken" => {
                let picture = Some(Box::new(still(&built("beam", &params))));
                let error = "broken: element 3 has no volume".to_owned().into();
                Err(OpenError { error, picture })
            }
            None => Err(format!("{name}: there is no such model").into()),
        }
    }

    fn save_model(&mut self, scheduler: &Scheduler, path: &Path) -> Result<(), FileError> {
        let name = scheduler.simulation().model().name();
        Err(format!("{}: no room for {name}", path.display()).into())
    }

    fn save(&mut self, _: &mut Scheduler, path: &Path) -> Result<(), FileError> {
        Err(format!("{}: the disk is full", path.display()).into())
    }
}

#[test]
fn a_model_that_cannot_be_opened_leaves_the_one_that_runs() {
    let mut session = Session::start(|| Err("no such file".to_owned().into()), Box::new(Builtins));
    let status = wait(&session, |status| status.busy.is_none());
    assert!(!status.loaded);
    assert_eq!(refusals(&session), ["no such file"]);
    session.send(Command::Play);
    session.send(open("boxes"));
    wait(&session, |status| status.loaded && status.busy.is_none());
    let boxes = after(&mut session, [Command::Step]);
    assert_eq!(boxes.steps, 1);
    let same = after(&mut session, [open("nobody")]);
    assert_eq!((same.steps, same.scene.items.len()), (1, boxes.scene.items.len()));
    let saves = [Command::SaveCheckpoint("x".into()), Command::SaveModel("y".into())];
    after(&mut session, saves);
    let said = refusals(&session);
    assert!(said[0].contains("nobody") && said[1].contains("disk is full"), "{said:?}");
    assert!(said[2].contains("y: no room for boxes"), "{said:?}");
}

fn open(name: &str) -> Command {
    Command::Open { path: name.into(), params: Vec::new() }
}

#[test]
fn another_model_has_another_number_and_its_parameters() {
    let make = || Ok(scheduler(built("boxes", &[]), 0.01));
    let mut session = Session::start(make, Box::new(Builtins));
    let first = wait_for_snapshot(&mut session, |snapshot| snapshot.serial > 0);
    let status = wait(&session, |status| status.loaded);
    assert_eq!((first.model, status.model, status.name.as_str()), (1, 1, "boxes"));
    let params = vec!["nx=3".to_owned()];
    session.send(Command::Open { path: "beam".into(), params });
    let beam = wait_for_snapshot(&mut session, |snapshot| snapshot.model == 2);
    assert_eq!(session.status().name, "beam");
    let three = still(&built("beam", &["nx=3"]));
    assert_eq!(beam.points.len(), three.points.len());
}

#[test]
fn what_can_be_drawn_and_not_simulated_is_shown_and_the_refusal_told() {
    let make = || Ok(scheduler(built("boxes", &[]), 0.01));
    let mut session = Session::start(make, Box::new(Builtins));
    wait(&session, |status| status.loaded);
    session.send(open("broken"));
    let picture = wait_for_snapshot(&mut session, |snapshot| snapshot.model == 2);
    let status = wait(&session, |status| status.busy.is_none() && status.model == 2);
    assert!(!status.loaded && status.name == "beam", "{status:?}");
    assert!(matches!(picture.scene.items[0].shape, Shape::Tissue { .. }));
    let told = session.take_notes().pop().expect("a note");
    assert_eq!(
        (told.kind, told.text.as_str()),
        (NoteKind::Failed, "broken: element 3 has no volume")
    );
}

#[test]
fn every_step_of_what_is_recorded_is_sampled_whatever_a_window_looks_at() {
    let mut session = session("boxes", 0.01);
    let model = built("boxes", &[]);
    let (body, _) = model.iter::<RigidBody>().find(|(_, body)| body.dynamic).unwrap();
    let path = model.path(body.id()) + ":velocity";
    after(&mut session, [Command::Record(vec![path.clone()])]);
    // Nobody takes a snapshot meanwhile.
    session.send(Command::RunUntil(0.5));
    let status = wait(&session, |status| !status.playing && status.step_seconds > 0.0);
    assert!(status.loaded);
    let samples = session.take_samples();
    let times: Vec<f64> = samples.iter().flat_map(|it| it.times.clone()).collect();
    let steps: Vec<_> = times.windows(2).filter(|pair| pair[1] > pair[0]).collect();
    assert_eq!(steps.len(), 50, "{times:?}");
    assert!(samples.iter().all(|it| *it.readings.paths == [path.clone()] && it.width() == 3));
    // Free fall, and then the ground: the greatest speed is that of one step.
    let all: Vec<Vec3> = samples
        .iter()
        .flat_map(|it| it.readings.numbers.chunks(3).map(Vec3::from_column_slice))
        .collect();
    let mut alone = scheduler(built("boxes", &[]), 0.01);
    let mut greatest = 0.0f64;
    for _ in 0..50 {
        alone.step().unwrap();
        let simulation = alone.simulation_mut();
        simulation.state().unwrap();
        let property = simulation.model().property(&path).unwrap();
        let velocity = simulation.get(&property).unwrap();
        greatest = greatest.max(Vec3::from_iterator(velocity.numbers()).norm());
    }
    let peak = all.iter().map(|v| v.norm()).fold(0.0, f64::max);
    assert_eq!(peak, greatest);
    let back = after(&mut session, [Command::Reset]);
    assert_eq!((back.time, session.take_samples().last().unwrap().times.last()), (0.0, Some(&0.0)));
}

#[test]
fn a_mark_is_told_with_its_time() {
    let mut session = session("boxes", 0.01);
    let marks = [
        Command::Step,
        Command::AddWaypoint { time: None, halts: false },
        Command::AddWaypoint { time: Some(0.07), halts: true },
    ];
    after(&mut session, marks);
    let told: Vec<String> = session.take_notes().into_iter().map(|note| note.text).collect();
    assert_eq!(told, ["waypoint at t = 0.0100 s", "breakpoint at t = 0.0700 s"]);
}

#[test]
fn waypoints_are_set_at_even_times_and_panels_are_edited_in_one_order_with_the_model() {
    let mut session = session("boxes", 0.01);
    let even = |interval, end| Command::AddWaypoints { interval, end };
    after(&mut session, [even(0.05, 0.2)]);
    let status = wait(&session, |status| status.waypoints.len() == 4);
    let times: Vec<f64> = status.waypoints.iter().map(|mark| mark.time).collect();
    let off = times.iter().zip([0.05, 0.1, 0.15, 0.2]).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-12, "{times:?}");
    after(&mut session, [even(0.0, 0.2)]);
    assert!(refusals(&session)[0].contains("take a longer interval"));
    let model = built("boxes", &[]);
    let body = model.first::<RigidBody>().unwrap();
    let path = model.path(body);
    let item =
        |name: &str| ControlItem { property: format!("{path}:{name}"), ..ControlItem::default() };
    let add = |panel: &str, name: &str| {
        Command::EditPanel(PanelEdit::Add { panel: panel.to_owned(), item: item(name) })
    };
    let rename = EditCommand::Rename { path: path.clone(), name: "other".to_owned() };
    after(
        &mut session,
        [add("Mine", "mass"), Command::Edit(vec![rename]), add("Yours", "nothing")],
    );
    let told = refusals(&session);
    assert!(told.len() == 1 && told[0].contains("nothing"), "{told:?}");
    // The status comes after the snapshot.
    let panels = |session: &Session, names: &[&str]| {
        let are = |panels: &[ShownPanel]| panels.iter().map(|it| &it.name).eq(names);
        wait(session, |status| are(&status.panels)).panels.to_vec()
    };
    let property = |session: &Session, ending: &str| {
        let ends = |panel: &ShownPanel| panel.items[0].property.ends_with(ending);
        wait(session, |status| status.panels.first().is_some_and(ends)).panels.to_vec()
    };
    let shown = property(&session, "/other:mass");
    let name = "Ours".to_owned();
    let edits = [PanelEdit::Rename { panel: 0, name }, PanelEdit::Remove { panel: 0, item: 0 }];
    after(&mut session, edits.map(Command::EditPanel));
    let emptied = |panels: &[ShownPanel]| panels.len() == 1 && panels[0].items.is_empty();
    wait(&session, |status| emptied(&status.panels));
    // Back in the order in which it was done: the item, the name of the panel, that of the body, the panel.
    after(&mut session, [Command::Undo]);
    panels(&session, &["Ours"]);
    after(&mut session, [Command::Undo]);
    assert_eq!(panels(&session, &["Mine"]), shown);
    after(&mut session, [Command::Undo]);
    assert_eq!(property(&session, &format!("{path}:mass")).len(), 1);
    after(&mut session, [Command::Undo]);
    panels(&session, &[]);
    after(&mut session, [Command::Redo, Command::Redo]);
    assert_eq!(property(&session, "/other:mass"), shown);
    // It is a component as all others are.
    assert_eq!(shown[0].path.as_deref(), Some("/models/boxes/panels/Mine"));
    let paths = vec!["/models/boxes/panels/Mine".to_owned()];
    after(&mut session, [Command::Edit(vec![EditCommand::Delete { paths }])]);
    panels(&session, &[]);
    assert_eq!(refusals(&session), [""; 0]);
}

#[test]
fn it_comes_back_to_what_was_kept_and_leaves_no_edit() {
    let mut session = session("boxes", 0.01);
    assert!(refusals(&session).is_empty());
    after(&mut session, [Command::Return]);
    assert!(refusals(&session)[0].contains("nothing was kept"));
    let steps = |count| std::iter::repeat_n(Command::Step, count);
    let there = after(&mut session, steps(3).chain([Command::Keep]));
    let further = after(&mut session, steps(4));
    let back = after(&mut session, [Command::Return]);
    assert_eq!((back.time, &back.points, &back.frames), (there.time, &there.points, &there.frames));
    // It comes the same way again.
    assert_eq!(after(&mut session, steps(4)).frames, further.frames);
    assert_eq!(refusals(&session), [""; 0]);
    after(&mut session, [Command::Undo]);
    assert!(refusals(&session)[0].contains("nothing to undo"));
    assert!(session.status().waypoints.is_empty());
}

#[test]
fn a_session_that_is_dropped_does_not_wait_for_a_long_step() {
    struct Slow;
    impl SessionFiles for Slow {
        fn open(&mut self, _: &Path, _: &[String]) -> Result<Scheduler, OpenError> {
            std::thread::sleep(Duration::from_secs(20));
            Err(String::new().into())
        }

        fn save(&mut self, _: &mut Scheduler, _: &Path) -> Result<(), FileError> {
            Ok(())
        }

        fn save_model(&mut self, _: &Scheduler, _: &Path) -> Result<(), FileError> {
            Ok(())
        }
    }
    let session = Session::start(|| Ok(scheduler(built("boxes", &[]), 0.01)), Box::new(Slow));
    session.send(open("anything"));
    wait(&session, |status| status.busy.as_deref().is_some_and(|busy| busy.contains("anything")));
    let begun = Instant::now();
    drop(session);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}
