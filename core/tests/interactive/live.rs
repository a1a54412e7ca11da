//! Worlds that run for a window: pulls, edits while they run, undo, images, the thread.

use std::path::Path;
use std::time::{Duration, Instant};

use sinew::interactive::{
    Behaviour, BehaviourDescription, BehaviourKind, BlockDescription, BlockKind,
    ConstraintDescription, ConstraintRule, EdgeField, GrayImage, ImageDescription, LiveWorld,
    MarkKind, ObjectDescription, ObjectKind, Order, PartId, PartList, Pick, PortMotion,
    WorldCommand, WorldDescription, WorldFiles, WorldPart, WorldPoint, WorldSession, WorldSnapshot,
    WorldStatus,
};

fn object(name: &str, kind: ObjectKind, order: Order, state: &[f64]) -> ObjectDescription {
    ObjectDescription {
        name: name.to_owned(),
        kind,
        order,
        state: state.to_vec(),
        velocity: Vec::new(),
    }
}

fn block(name: &str, kind: BlockKind) -> BlockDescription {
    BlockDescription { name: name.to_owned(), kind }
}

fn zero(name: &str, output: &str) -> ConstraintDescription {
    let rule = ConstraintRule::Zero(vec![output.to_owned()]);
    ConstraintDescription { name: name.to_owned(), rule, feedback: None }
}

/// A bead on a wire, with a parameter.
fn bead() -> WorldDescription {
    let particle = ObjectKind::Particle { mass: 0.5, dimensions: 2 };
    let formula = |text: &str| BlockKind::Formula(text.to_owned());
    WorldDescription {
        objects: vec![object("bead", particle, Order::Second, &[0.5, 0.25])],
        blocks: vec![
            block("bend", BlockKind::Parameters(vec![1.0])),
            block("wire", formula("bead.y - bend*bead.x^2")),
            block("height", formula("bead.y")),
        ],
        constraints: vec![zero("on_wire", "wire")],
        ..WorldDescription::default()
    }
}

/// A corner in an ellipse.
fn corner() -> WorldDescription {
    let (names, masses) = (vec!["x".to_owned(), "y".to_owned()], vec![1.0; 2]);
    let variables = ObjectKind::Variables { names, masses };
    let formula = |text: &str| BlockKind::Formula(text.to_owned());
    WorldDescription {
        objects: vec![object("corner", variables, Order::First, &[1.9, 0.312_249_9])],
        blocks: vec![
            block("area", formula("4*corner.x*corner.y")),
            block("ellipse", formula("corner.x^2/4 + corner.y^2 - 1")),
        ],
        constraints: vec![zero("on_ellipse", "ellipse")],
        ..WorldDescription::default()
    }
}

fn run(live: &mut LiveWorld, steps: usize) {
    (0..steps).for_each(|_| live.step(0.005).unwrap());
}

fn state(live: &LiveWorld, at: usize) -> Vec<f64> {
    live.saved().unwrap().objects[at].state.clone()
}

fn point(object: &str, coordinates: [f64; 3]) -> WorldPoint {
    WorldPoint { object: object.to_owned(), coordinates: coordinates.to_vec() }
}

#[test]
fn mobility_is_that_of_the_closed_form() {
    let body = ObjectKind::PlanarBody { mass: 2.0, inertia: 0.5 };
    let at = BlockKind::Point { object: "body".to_owned(), at: vec![0.3, 0.0] };
    let description = WorldDescription {
        objects: vec![object("body", body, Order::Second, &[1.0, 2.0, 0.0])],
        blocks: vec![block("tip", at), block("double", BlockKind::Formula("2*body.x".to_owned()))],
        ..WorldDescription::default()
    };
    let mut world = description.build().unwrap();
    let mut mobility = |name: &str| {
        let port = world.graph().resolve(name).unwrap();
        let mobility = world.mobility(port).unwrap();
        assert_eq!(mobility.order, Order::Second);
        mobility.value
    };
    for (output, expected) in [
        ("tip.0", 1.0 / 2.0),
        // A force across the arm turns the body too.
        ("tip.1", 1.0 / 2.0 + 0.3 * 0.3 / 0.5),
        ("double", 4.0 / 2.0),
        ("body.angle", 1.0 / 0.5),
    ] {
        assert!((mobility(output) - expected).abs() < 1e-12, "{output}: {}", mobility(output));
    }
    let mut world = corner().build().unwrap();
    let port = world.graph().resolve("area").unwrap();
    let mobility = world.mobility(port).unwrap();
    let expected = 16.0 * (1.9_f64.powi(2) + 0.312_249_9_f64.powi(2));
    assert!((mobility.value - expected).abs() < 1e-9 && mobility.order == Order::First);
}

#[test]
fn a_point_of_a_body_is_pulled_to_its_place_and_undone() {
    let body = ObjectKind::PlanarBody { mass: 1.0, inertia: 0.02 };
    let sheet = ObjectKind::Troid { mass: 1.0, sides: vec![0.4, 0.2] };
    let cube = ObjectKind::RigidBody { mass: 3.0, inertia: [0.1, 0.1, 0.1] };
    let description = WorldDescription {
        objects: vec![
            object("body", body, Order::Second, &[0.0, 0.0, 0.0]),
            object("sheet", sheet, Order::First, &[1.0, 0.0, 1.0, 0.0, 0.0, 1.0]),
            object("cube", cube, Order::Second, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
        ],
        ..WorldDescription::default()
    };
    let mut live = LiveWorld::new(description).unwrap();
    let start = live.saved().unwrap();
    let places =
        [("body", [0.15, 0.1, 0.0]), ("sheet", [1.2, 0.2, 0.0]), ("cube", [0.15, 0.1, 1.05])];
    for (at, (name, place)) in places.into_iter().enumerate() {
        let before = live.saved().unwrap();
        live.drag(&point(name, [0.1, 0.05, 0.0]), place).unwrap();
        run(&mut live, 400);
        let mut snapshot = WorldSnapshot::default();
        live.write_snapshot(&WorldStatus::default(), &mut snapshot).unwrap();
        let [from, to] = snapshot.drag.expect("it is pulled");
        let gap = (0..3).map(|k| (from[k] - to[k]).abs()).fold(0.0, f64::max);
        // A body that turns about the point pulls on it.
        assert!(gap < 0.02, "{name} is {gap} off: {from:?}");
        live.release().unwrap();
        assert_ne!(live.saved().unwrap().objects[at], before.objects[at]);
        assert!(live.undo().unwrap());
        let undone = live.saved().unwrap();
        assert_eq!(undone.objects, before.objects, "{name} is where it was");
    }
    assert!(!live.undo().unwrap() && live.redo().unwrap());
    assert_eq!(live.saved().unwrap().blocks, start.blocks, "pulls leave no blocks");
    let error = live.drag(&point("none", [0.0; 3]), [0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "there is no object 'none'");
}

#[test]
fn a_formula_is_edited_while_it_runs_and_a_bad_one_leaves_the_old_one() {
    let mut live = LiveWorld::new(bead()).unwrap();
    // The one that it has already is no edit: one undo takes both back.
    for _ in 0..2 {
        live.set_formula("wire", "hypot(bead.x, bead.y) - 1").unwrap();
    }
    run(&mut live, 400);
    let at = state(&live, 0);
    assert!((at[0].hypot(at[1]) - 1.0).abs() < 1e-3, "{at:?}");
    for (text, told) in [
        ("bead.y - beed.x", "block 'wire': column 10: 'beed.x' is no output of a block"),
        ("bead.y -", "block 'wire': column"),
        ("wire + bead.x", "cannot depend on itself"),
        ("ln(-1 - bead.x^2)", "block 'wire', output 0, is NaN"),
    ] {
        let error = live.set_formula("wire", text).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
        let kept = BlockKind::Formula("hypot(bead.x, bead.y) - 1".to_owned());
        assert_eq!(live.saved().unwrap().blocks[1].kind, kept);
        run(&mut live, 5);
    }
    let error = live.set_formula("bend", "2").unwrap_err();
    assert!(error.to_string().starts_with("block 'bend' has no formula"), "{error}");
    let mut snapshot = WorldSnapshot::default();
    live.write_snapshot(&WorldStatus::default(), &mut snapshot).unwrap();
    let row = snapshot.blocks.iter().find(|it| it.name == "wire").unwrap();
    assert_eq!(row.refusal.as_ref().unwrap().text, "ln(-1 - bead.x^2)");
    assert!(live.undo().unwrap());
    run(&mut live, 400);
    let at = state(&live, 0);
    assert!((at[1] - at[0] * at[0]).abs() < 1e-3, "the wire is as it was: {at:?}");
}

/// Files list a block below those that it uses.
#[test]
fn a_formula_may_use_a_block_below_and_have_more_outputs_and_the_file_can_be_read() {
    let mut live = LiveWorld::new(bead()).unwrap();
    live.set_formula("wire", "bead.y - bend*bead.x^2 + 0*height").unwrap();
    let saved = live.saved().unwrap();
    let names: Vec<&str> = saved.blocks.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["bend", "height", "wire"]);
    live.set_formula("height", "bead.y; bead.x").unwrap();
    assert!(live.value("height.1").is_ok());
    live.saved().unwrap().build().unwrap();
    let error = live.set_formula("height", "wire; bead.x").unwrap_err();
    assert!(error.to_string().contains("cannot depend on itself"), "{error}");
}

#[test]
fn a_slider_on_an_output_pulls_it_as_far_as_constraints_allow() {
    let mut live = LiveWorld::new(corner()).unwrap();
    live.pull("area", 10.0).unwrap();
    run(&mut live, 2000);
    // The largest rectangle in an ellipse of half axes 2 and 1 has the area 4.
    let area = live.value("area").unwrap();
    assert!((area - 4.0).abs() < 1e-2, "{area}");
    let mut snapshot = WorldSnapshot::default();
    live.write_snapshot(&WorldStatus::default(), &mut snapshot).unwrap();
    let row = snapshot.blocks.iter().find(|it| it.name == "area").unwrap();
    assert_eq!(row.outputs[0].target, Some(10.0));
    live.release_output("area").unwrap();
    // Nothing pulls away from where the slope is zero.
    live.set_value("corner.x", 1.9).unwrap();
    live.pull("area", 2.0).unwrap();
    run(&mut live, 2000);
    assert!((live.value("area").unwrap() - 2.0).abs() < 1e-3);
    assert!(live.pull("surface", 1.0).is_err() && live.pull("area", f64::NAN).is_err());
}

#[test]
fn values_that_follow_each_other_are_one_edit_and_reset_keeps_them() {
    let mut live = LiveWorld::new(bead()).unwrap();
    let start = live.saved().unwrap();
    for value in [1.5, 2.0, 3.0] {
        live.set_value("bend", value).unwrap();
    }
    live.release_output("bend").unwrap();
    assert_eq!(live.value("bend").unwrap(), 3.0);
    run(&mut live, 100);
    live.reset().unwrap();
    let reset = live.saved().unwrap();
    assert_eq!((reset.time, &reset.objects), (0.0, &start.objects));
    assert_eq!(reset.blocks[0].kind, BlockKind::Parameters(vec![3.0]));
    assert!(live.undo().unwrap() && live.world().time() > 0.4);
    assert!(live.undo().unwrap() && live.value("bend").unwrap() == 1.0);
    assert_eq!(live.can_undo(), [false, true]);
    let error = live.set_value("height", 1.0).unwrap_err();
    assert!(error.to_string().starts_with("'height' is computed"), "{error}");
    let error = live.set_value("t", 1.0).unwrap_err();
    assert!(error.to_string().starts_with("'t' is computed"), "{error}");
    let mut live = LiveWorld::new(corner()).unwrap();
    live.set_value("corner.y", 0.5).unwrap();
    assert_eq!(state(&live, 0), [1.9, 0.5]);
}

#[test]
fn parts_have_marks_where_they_are() {
    let mut description = bead();
    let spring = BehaviourKind::Spring { stiffness: 1.0, damping: 0.0, rest_length: 0.0 };
    let on = vec!["bead".to_owned(), "post".to_owned()];
    description.blocks.push(block("post", BlockKind::Parameters(vec![0.0, 2.0])));
    description.behaviours.push(BehaviourDescription {
        name: "spring".to_owned(),
        kind: spring,
        on,
    });
    let keyframes = vec![vec![0.0, 0.5, 0.25], vec![1.0, 1.0, 1.0]];
    let rule = ConstraintRule::Follow { block: "bead".to_owned(), keyframes };
    let (name, feedback) = ("path".to_owned(), None);
    description.constraints = vec![ConstraintDescription { name, rule, feedback }];
    let mut live = LiveWorld::new(description).unwrap();
    let mut snapshot = WorldSnapshot::default();
    live.write_snapshot(&WorldStatus::default(), &mut snapshot).unwrap();
    let of = |kind: MarkKind| &snapshot.marks.iter().find(|it| it.kind == kind).unwrap().points;
    assert_eq!(of(MarkKind::Spring)[..], [[0.5, 0.25, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(of(MarkKind::Guide)[..], [[0.5, 0.25, 0.0]]);
    let path = of(MarkKind::Path);
    assert_eq!((path[0], path[path.len() - 1]), ([0.5, 0.25, 0.0], [1.0, 1.0, 0.0]));
    let bead = &snapshot.outlines[0];
    assert!(bead.is_planar && bead.lines[0][0].place == [0.5, 0.25, 0.0]);
}

#[test]
fn the_edges_of_an_image_act_on_many_points_as_on_each() {
    let image = GrayImage::of(40, 30, |x, y| f64::from((x - 20.0).hypot(y - 15.0) < 9.0)).unwrap();
    let field = EdgeField::new(&[image], 1.0, 2.0, 100.0).unwrap();
    let (x, v) = ([12.0, 14.0, 27.5, 20.0], [0.0; 4]);
    let mut together = [0.0; 4];
    let both = field.clone().on_points(2);
    both.add_forces(PortMotion { time: 0.0, x: &x, v: &v }, &mut together);
    let mut stiffness = [0.0; 16];
    both.add_stiffness(PortMotion { time: 0.0, x: &x, v: &v }, &mut stiffness);
    for k in 0..2 {
        let at = PortMotion { time: 0.0, x: &x[2 * k..2 * k + 2], v: &v[..2] };
        let (mut alone, mut own) = ([0.0; 2], [0.0; 4]);
        field.add_forces(at, &mut alone);
        field.add_stiffness(at, &mut own);
        assert_eq!(alone[..], together[2 * k..2 * k + 2]);
        assert!(alone[0] != 0.0);
        for (i, entry) in own.into_iter().enumerate() {
            assert_eq!(stiffness[4 * (2 * k + i / 2) + 2 * k + i % 2], entry);
        }
    }
    assert_eq!(stiffness[2], 0.0, "points do not feel each other");
}

#[test]
fn an_image_that_cannot_be_made_is_told() {
    let image = |brightness: &str, frames: usize| ImageDescription {
        name: "disc".to_owned(),
        size: [64, 48],
        brightness: brightness.to_owned(),
        frames,
        ..ImageDescription::default()
    };
    for (image, told) in [
        (image("x +", 1), "image 'disc': column"),
        (image("ln(x - 10)", 1), "image 'disc': pixel (0, 0) is NaN"),
        (image("x", 0), "width times height times frames must be from 1"),
        (image("x", 1 << 20), "width times height times frames must be from 1"),
    ] {
        let description = WorldDescription { images: vec![image], ..WorldDescription::default() };
        let error = description.build().map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(told), "{told}: {error}");
    }
    let mut description = bead();
    let kind = BehaviourKind::Edges { image: "none".to_owned(), deviation: 1.0, gain: 1.0 };
    let (name, on) = ("edges".to_owned(), vec!["bead".to_owned()]);
    description.behaviours.push(BehaviourDescription { name, kind, on });
    let error = description.build().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("there is no image 'none'"), "{error}");
}

fn read(path: &Path) -> Result<WorldDescription, String> {
    match path.to_str() {
        Some("bead") => Ok(bead()),
        _ => Err(format!("{}: no such world", path.display())),
    }
}

fn write(world: &WorldDescription, path: &Path) -> Result<(), String> {
    Err(format!("{}: {} parts", path.display(), world.objects.len()))
}

fn read_part(list: PartList, text: &str, _: &Path) -> Result<WorldPart, String> {
    Err(format!("{text} is no {}", list.name()))
}

fn write_part(part: &WorldPart) -> Result<String, String> {
    Ok(format!("this is {}", part.id()))
}

#[track_caller]
fn until(session: &mut WorldSession, is: impl Fn(&WorldSnapshot) -> bool) -> WorldSnapshot {
    let begun = Instant::now();
    loop {
        session.reader().update();
        if is(session.reader().front()) {
            return session.reader().front().clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", session.take_notes());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_world_in_its_thread_runs_halts_steps_and_tells_what_was_refused() {
    let mut session = WorldSession::start(WorldFiles { read, write, read_part, write_part });
    session.send(WorldCommand::Play);
    session.send(WorldCommand::Open("nowhere".into()));
    session.send(WorldCommand::Open("bead".into()));
    session.send(WorldCommand::Drag(point("bead", [0.0; 3]), [1.0, 1.0, 0.0]));
    until(&mut session, |it| it.world == 1 && it.status.time > 0.05);
    session.send(WorldCommand::Pause);
    session.send(WorldCommand::SetStep(0.25));
    let halted = until(&mut session, |it| !it.status.is_playing && it.status.step == 0.25);
    assert!(halted.drag.is_some() && halted.outlines[0].lines[0][0].place[0] > 0.5);
    session.send(WorldCommand::SetSpeed(-1.0));
    session.send(WorldCommand::Save("kept".into()));
    session.send(WorldCommand::Release);
    session.send(WorldCommand::SetStep(0.01));
    session.send(WorldCommand::Step);
    let time = halted.status.time;
    let stepped = until(&mut session, |it| it.status.time > time);
    assert!((stepped.status.time - time - 0.01).abs() < 1e-12);
    assert_eq!(stepped.drag, None);
    let notes = session.take_notes();
    let told = [
        "there is no world",
        "nowhere: no such world",
        "`speed` must be > 0, got -1",
        "kept: 1 parts",
    ];
    assert_eq!(notes.len(), told.len(), "{notes:?}");
    for (note, told) in notes.iter().zip(told) {
        assert!(note.contains(told), "{note} for {told}");
    }
}

#[test]
fn a_world_in_its_thread_is_built_from_nothing_and_shows_a_part_as_text() {
    let mut session = WorldSession::start(WorldFiles { read, write, read_part, write_part });
    session.send(WorldCommand::New);
    let kind = "particle".to_owned();
    session.send(WorldCommand::Add { kind, picks: vec![Pick::At([1.0, 2.0, 0.0])] });
    let part = PartId::new(PartList::Object, "particle_1");
    session.send(WorldCommand::Show(Some(part.clone())));
    let shown = until(&mut session, |it| it.shown.is_some());
    assert_eq!(shown.shown.unwrap().text, "this is object 'particle_1'");
    assert_eq!(shown.outlines[0].lines[0][0].place, [1.0, 2.0, 0.0]);
    let text = "stone".to_owned();
    session.send(WorldCommand::Replace { part: part.clone(), text });
    session.send(WorldCommand::Remove(vec![part]));
    until(&mut session, |it| it.outlines.is_empty() && it.shown.is_none());
    session.send(WorldCommand::Undo);
    until(&mut session, |it| !it.outlines.is_empty() && it.shown.is_some());
    assert_eq!(session.take_notes(), ["object 'particle_1': stone is no object"]);
}
