//! Worlds that are built while they run: every kind of part is added, removed with what hangs on it, changed, and undone.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use sinew::interactive::{
    BehaviourKind, BlockKind, ConstraintRule, ImageDescription, Integrator, LiveWorld, ObjectKind,
    PartId, PartKind, PartList, Pick, Slot, WorldDescription, WorldPart, WorldPoint, part_kinds,
};

fn world(text: &str) -> LiveWorld {
    let description: WorldDescription = serde_json::from_str(text).unwrap();
    LiveWorld::new(description).unwrap()
}

/// One of every thing that can be clicked, in the plane.
fn plane() -> LiveWorld {
    world(
        r#"{
        "settings": { "integrator": "implicit", "gravity": [0.0, -1.0, 0.0] },
        "object": [
            { "name": "p0", "kind": { "particle": { "mass": 1.0, "dimensions": 2 } }, "state": [0.0, 0.0] },
            { "name": "p1", "kind": { "particle": { "mass": 1.0, "dimensions": 2 } }, "state": [1.0, 0.1] },
            { "name": "p2", "kind": { "particle": { "mass": 1.0, "dimensions": 2 } }, "state": [1.5, 1.0] },
            { "name": "p3", "kind": { "particle": { "mass": 1.0, "dimensions": 2 } }, "state": [0.5, 2.0] },
            { "name": "body", "kind": { "planar_body": { "mass": 1.0, "inertia": 0.1 } }, "state": [3.0, 0.0, 0.2] },
            { "name": "troid", "kind": { "troid": { "mass": 1.0, "sides": [1.0, 0.5] } },
              "state": [0.0, 4.0, 1.0, 0.0, 0.0, 1.0] }
        ],
        "image": [{ "name": "disc", "size": [20, 15], "brightness": "min(1, max(0, 6 - hypot(x - 9, y - 7)))" }],
        "block": [
            { "name": "d0", "kind": { "direction": { "object": "body", "at": [1.0, 0.0] } } },
            { "name": "d1", "kind": { "direction": { "object": "body", "at": [0.6, 0.8] } } },
            { "name": "height", "kind": { "formula": "p0.y" } }
        ]}"#,
    )
}

/// The same in space.
fn space() -> LiveWorld {
    world(
        r#"{
        "object": [
            { "name": "p0", "kind": { "particle": { "mass": 1.0, "dimensions": 3 } }, "state": [0.0, 0.0, 0.0] },
            { "name": "p1", "kind": { "particle": { "mass": 1.0, "dimensions": 3 } }, "state": [1.0, 0.1, 0.0] },
            { "name": "p2", "kind": { "particle": { "mass": 1.0, "dimensions": 3 } }, "state": [0.0, 1.0, 0.0] },
            { "name": "p3", "kind": { "particle": { "mass": 1.0, "dimensions": 3 } }, "state": [0.1, 0.2, 1.0] },
            { "name": "body", "kind": { "rigid_body": { "mass": 1.0, "inertia": [0.1, 0.1, 0.1] } },
              "state": [3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] },
            { "name": "troid", "kind": { "troid": { "mass": 1.0, "sides": [1.0, 0.5, 0.5] } },
              "state": [0.0, 4.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] }
        ],
        "block": [
            { "name": "d0", "kind": { "direction": { "object": "body", "at": [1.0, 0.0, 0.0] } } },
            { "name": "d1", "kind": { "direction": { "object": "body", "at": [0.6, 0.8, 0.0] } } },
            { "name": "height", "kind": { "formula": "p0.y" } }
        ]}"#,
    )
}

/// Kinds that are of space alone, and of the plane alone.
const OF_SPACE: [&str; 3] = ["space_angle", "triangle_normal", "enclosed_volume"];
const OF_PLANE: [&str; 4] = ["plane_angle", "polygon_area", "edges", "motor"];

/// A click that a slot takes, the `nth` of a part.
fn click(slot: Slot, nth: usize) -> Pick {
    let point = |object: &str, coordinates: Vec<f64>| Pick::Point {
        object: object.to_owned(),
        coordinates,
    };
    match slot {
        Slot::Free => Pick::At([2.0 + nth as f64, 0.5 * nth as f64, 0.0]),
        Slot::Point | Slot::Anchor => point(&format!("p{nth}"), vec![0.0; 3]),
        Slot::ObjectPoint => point("body", vec![0.1, 0.05, 0.0]),
        Slot::Troid => Pick::Name("troid".to_owned()),
        Slot::Block => Pick::Name(format!("p{nth}")),
        Slot::Direction => Pick::Name(format!("d{nth}")),
        Slot::Output => Pick::Name("height".to_owned()),
        Slot::Angle => Pick::Name("body.angle".to_owned()),
    }
}

fn clicks(kind: &PartKind) -> Vec<Pick> {
    kind.slots.iter().enumerate().map(|(nth, slot)| click(*slot, nth)).collect()
}

/// Kinds of the parts of a list.
fn kinds_in(world: &WorldDescription, list: PartList) -> Vec<&'static str> {
    match list {
        PartList::Object => world.objects.iter().map(|it| it.kind.name()).collect(),
        PartList::Image => world.images.iter().map(|_| "image").collect(),
        PartList::Block => world.blocks.iter().map(|it| it.kind.name()).collect(),
        PartList::Constraint => world.constraints.iter().map(|it| it.rule.name()).collect(),
        PartList::Behaviour => world.behaviours.iter().map(|it| it.kind.name()).collect(),
        PartList::Settings => vec!["settings"],
    }
}

/// Words of the kinds that files of worlds hold, by the message of the reader.
fn in_files<T: DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
    let told = serde_json::from_str::<T>(r#"{ "?": 1 }"#).unwrap_err().to_string();
    let (_, expected) = told.split_once("expected").expect(&told);
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_table_has_every_kind_that_files_hold() {
    let in_table = |list: PartList| -> BTreeSet<String> {
        let of_list = part_kinds().iter().filter(|row| row.list == list);
        of_list.map(|row| row.kind.to_owned()).collect()
    };
    assert_eq!(in_files::<ObjectKind>(), in_table(PartList::Object));
    assert_eq!(in_files::<BlockKind>(), in_table(PartList::Block));
    assert_eq!(in_files::<ConstraintRule>(), in_table(PartList::Constraint));
    assert_eq!(in_files::<BehaviourKind>(), in_table(PartList::Behaviour));
    let names: BTreeSet<&str> = part_kinds().iter().map(|row| row.name).collect();
    assert_eq!(names.len(), part_kinds().len(), "a word is that of one row");
}

#[test]
fn every_kind_is_added_while_it_runs_and_undone_and_done_again() {
    for (make, others) in [(plane as fn() -> LiveWorld, &OF_SPACE[..]), (space, &OF_PLANE)] {
        for kind in part_kinds().iter().filter(|kind| !others.contains(&kind.name)) {
            let mut live = make();
            (0..10).for_each(|_| live.step(0.01).unwrap());
            let before = live.saved().unwrap();
            live.add(kind.name, &clicks(kind)).unwrap_or_else(|it| panic!("{}: {it}", kind.name));
            let after = live.saved().unwrap();
            assert!(kinds_in(&after, kind.list).len() > kinds_in(&before, kind.list).len());
            assert_eq!(kinds_in(&after, kind.list).last(), Some(&kind.kind), "{}", kind.name);
            assert_eq!(after.objects[..before.objects.len()], before.objects, "{}", kind.name);
            assert!(live.undo().unwrap());
            assert_eq!(live.saved().unwrap(), before, "{}", kind.name);
            assert!(live.redo().unwrap());
            assert_eq!(live.saved().unwrap(), after, "{}", kind.name);
            for _ in 0..5 {
                live.step(0.01).unwrap_or_else(|it| panic!("{}: {it}", kind.name));
            }
            after.build().unwrap();
        }
    }
}

#[test]
fn clicks_of_which_no_part_is_made_are_told_and_change_nothing() {
    let mut live = plane();
    let before = live.saved().unwrap();
    let name = |it: &str| Pick::Name(it.to_owned());
    for (kind, picks, told) in [
        ("wheel", vec![], "there is no kind of part 'wheel'"),
        ("spring", vec![name("p0")], "takes 2 click(s), got 1"),
        ("join", vec![name("p0"), name("troid")], "constraint 'joint_1': 'joint_1' takes 2"),
        ("nail", vec![name("nothing")], "'nothing' does not fit here: click a part"),
        ("particle", vec![name("p0")], "'p0' does not fit here: click a place"),
        ("motor", vec![name("body")], "takes 1 port(s), got 3"),
        ("hold", vec![name("body")], "'body' does not fit here: click an output"),
        ("point", vec![Pick::At([0.0; 3])], "click a point of an object"),
    ] {
        let error = live.add(kind, &picks).unwrap_err().to_string();
        assert!(error.contains(told), "{kind}: {error}");
        assert_eq!(live.saved().unwrap(), before, "{kind}");
        assert_eq!(live.can_undo(), [false; 2], "{kind}");
    }
}

/// Section 5.2 of Witkin1990: a circle is nailed to a line, and the line is pulled.
#[test]
fn a_circle_that_is_nailed_to_a_line_goes_along_with_it() {
    let mut live = LiveWorld::new(WorldDescription::default()).unwrap();
    live.step(0.005).unwrap();
    live.add("line", &[Pick::At([-1.0, 0.0, 0.0]), Pick::At([1.0, 0.0, 0.0])]).unwrap();
    live.add("circle", &[Pick::At([0.0, 1.0, 0.0]), Pick::At([0.5, 1.0, 0.0])]).unwrap();
    let point = |object: &str, s: f64| Pick::Point {
        object: object.to_owned(),
        coordinates: vec![s, 0.0, 0.0],
    };
    live.add("nail", &[point("line_1", 0.0)]).unwrap();
    live.add("join", &[point("line_1", 1.0), point("circle_1", 4.7)]).unwrap();
    (0..200).for_each(|_| live.step(0.005).unwrap());
    let middle = WorldPoint { object: "line_1".to_owned(), coordinates: vec![0.5, 0.0, 0.0] };
    live.drag(&middle, [-0.2, 0.8, 0.0]).unwrap();
    (0..400).for_each(|_| live.step(0.005).unwrap());
    let mut value = |output: &str| live.value(output).unwrap();
    let (end, rim) = (["point_2.0", "point_2.1"], ["point_3.0", "point_3.1"]);
    for (end, rim) in end.into_iter().zip(rim) {
        assert!((value(end) - value(rim)).abs() < 1e-3, "{} and {}", value(end), value(rim));
    }
    assert!(value("point_1.0") + 1.0 < 1e-3 && value("point_1.1").abs() < 1e-3, "it is nailed");
    let at = [value("point_1.0") + value("point_2.0"), value("point_1.1") + value("point_2.1")];
    assert!((0.5 * at[0] + 0.2).hypot(0.5 * at[1] - 0.8) < 0.02, "it was pulled: {at:?}");
}

/// A bead on a rod is a pendulum: its length and its energy stay.
#[test]
fn a_rod_of_two_clicks_keeps_the_length_that_it_was_clicked_with() {
    let mut live = world(r#"{ "settings": { "gravity": [0.0, -9.81, 0.0] } }"#);
    live.add("particle", &[Pick::At([0.6, 0.8, 0.0])]).unwrap();
    live.add("rod", &[Pick::Name("particle_1".to_owned()), Pick::At([0.0; 3])]).unwrap();
    let energy = |live: &mut LiveWorld| {
        let [vx, vy] = live.saved().unwrap().objects[0].velocity[..] else { panic!("two") };
        0.5 * (vx * vx + vy * vy) + 9.81 * live.value("particle_1.y").unwrap()
    };
    let begin = energy(&mut live);
    for _ in 0..1000 {
        live.step(0.002).unwrap();
        let length = live.value("rod_length_1").unwrap();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
    assert!((energy(&mut live) - begin).abs() < 1e-3, "{} after {begin}", energy(&mut live));
}

#[test]
fn what_hangs_on_a_part_goes_with_it_and_comes_back() {
    let mut live = plane();
    let name = |it: &str| Pick::Name(it.to_owned());
    live.add("rod", &[name("p0"), name("p1")]).unwrap();
    live.add("spring", &[name("p1"), name("p2")]).unwrap();
    live.add("edges", &[name("p3")]).unwrap();
    let whole = live.saved().unwrap();
    live.remove_parts(&[PartId::new(PartList::Object, "p1")]).unwrap();
    (0..20).for_each(|_| live.step(0.01).unwrap());
    let left = live.saved().unwrap();
    assert!(left.constraints.is_empty(), "{:?}", left.constraints);
    let names: Vec<&str> = left.blocks.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["d0", "d1", "height"]);
    assert_eq!(left.behaviours, whole.behaviours[1..]);
    live.remove_parts(&[PartId::new(PartList::Image, "disc")]).unwrap();
    assert!(live.saved().unwrap().behaviours.is_empty());
    assert!(live.undo().unwrap() && live.undo().unwrap());
    let back = live.saved().unwrap();
    assert_eq!((&back.constraints, &back.behaviours), (&whole.constraints, &whole.behaviours));
    // The others went on; it is where it was when it was taken away.
    assert_eq!(back.objects[1], whole.objects[1]);
    assert_eq!(back.objects[0].state, left.objects[0].state);
    let none = live.remove_parts(&[PartId::new(PartList::Block, "none")]).unwrap_err();
    assert!(none.to_string().starts_with("there is no block 'none'"), "{none}");
    assert!(live.remove_parts(&[PartId::new(PartList::Settings, "settings")]).is_err());
}

#[test]
fn a_reset_puts_parts_back_to_where_they_were_added_or_began() {
    let mut live = plane();
    (0..20).for_each(|_| live.step(0.01).unwrap());
    live.remove_parts(&[PartId::new(PartList::Object, "p1")]).unwrap();
    live.add("particle", &[Pick::At([7.0, 7.0, 0.0])]).unwrap();
    (0..20).for_each(|_| live.step(0.01).unwrap());
    live.reset().unwrap();
    let reset = live.saved().unwrap();
    let state = |name: &str| reset.objects.iter().find(|it| it.name == name).unwrap().state.clone();
    assert_eq!((state("p2"), state("particle_1")), (vec![1.5, 1.0], vec![7.0, 7.0]));
    (0..3).for_each(|_| assert!(live.undo().unwrap()));
    live.reset().unwrap();
    assert_eq!(live.saved().unwrap().objects[1].state, [1.0, 0.1]);
}

/// The bead goes around, and has a logarithm of x on one side alone.
#[test]
fn an_edit_whose_undo_fails_is_not_lost() {
    let mut live = world(
        r#"{
        "object": [{ "name": "bead", "kind": { "particle": { "mass": 1.0, "dimensions": 2 } },
                     "order": "first", "state": [1.0, 0.0] }],
        "block": [{ "name": "x", "kind": { "formula": "ln(bead.x)" } },
                  { "name": "gap", "kind": { "formula": "bead.x - cos(t); bead.y - sin(t)" } }],
        "constraint": [{ "name": "on_circle", "rule": { "zero": ["gap"] } }],
        "behaviour": [{ "name": "nothing", "kind": { "objective": 0.0 }, "on": ["x"] }]}"#,
    );
    let start = live.saved().unwrap().blocks;
    live.set_formula("x", "bead.x").unwrap();
    let step = |live: &mut LiveWorld, until: f64| {
        while live.world().time() < until {
            live.step(0.01).unwrap();
        }
    };
    step(&mut live, 3.0);
    for _ in 0..3 {
        let error = live.undo().unwrap_err().to_string();
        assert!(error.contains("'x'") && live.can_undo() == [true, false], "{error}");
    }
    step(&mut live, 6.0);
    assert!(live.undo().unwrap());
    assert_eq!(live.saved().unwrap().blocks, start);
    // The other way round: what cannot be done again now can be later.
    live.set_formula("x", "ln(-bead.x)").unwrap_err();
    assert_eq!(live.can_undo(), [false, true]);
    assert!(live.redo().unwrap() && live.can_undo() == [true, false]);
}

#[test]
fn the_formula_of_a_curve_is_edited_with_its_parameters() {
    let mut live = LiveWorld::new(WorldDescription::default()).unwrap();
    live.add("circle", &[Pick::At([1.0, 2.0, 0.0]), Pick::At([1.5, 2.0, 0.0])]).unwrap();
    let before = live.saved().unwrap();
    live.set_formula("circle_1", "x + r*cos(s); y + b*r*sin(s)").unwrap();
    let curve = &live.saved().unwrap().objects[0];
    assert_eq!(curve.state, [1.0, 2.0, 0.5, 1.0], "those of before keep their values");
    live.step(0.01).unwrap();
    let edited = live.saved().unwrap();
    for (text, told) in [
        ("x + r*cos(s", "object 'circle_1': column"),
        ("x + r*cos(s)", "output(s)"),
        ("x + ln(0 - r)*s; y + s", "circle_1"),
    ] {
        let error = live.set_formula("circle_1", text).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
        assert_eq!(live.saved().unwrap(), edited, "{text}");
    }
    live.add("hold", &[Pick::Name("circle_1.r".to_owned())]).unwrap();
    let error = live.set_formula("circle_1", "x + q*cos(s); y + q*sin(s)").unwrap_err();
    assert!(error.to_string().contains("'circle_1.r'"), "{error}");
    let same = "x + r*cos(s); y + b*r*sin(s)";
    live.set_formula("circle_1", same).unwrap();
    assert!(live.undo().unwrap() && live.undo().unwrap(), "the same formula is no edit");
    assert_eq!(live.saved().unwrap().objects[0].kind, before.objects[0].kind);
    assert_eq!(live.saved().unwrap().objects[0].state, before.objects[0].state);
    assert!(live.redo().unwrap());
    assert_eq!(live.saved().unwrap().objects, edited.objects);
}

#[test]
fn a_part_is_replaced_and_keeps_its_state_and_settings_are_edited() {
    let mut live = plane();
    (0..10).for_each(|_| live.step(0.01).unwrap());
    let before = live.saved().unwrap();
    let id = PartId::new(PartList::Object, "p0");
    let Some(WorldPart::Object(mut part)) = live.part(&id) else { panic!("an object") };
    part.kind = ObjectKind::Particle { mass: 5.0, dimensions: 2 };
    (part.state, part.velocity) = (Vec::new(), Vec::new());
    live.replace_part(&id, WorldPart::Object(part.clone())).unwrap();
    assert_eq!(live.saved().unwrap().objects[0].state, before.objects[0].state);
    part.kind = ObjectKind::Particle { mass: -5.0, dimensions: 2 };
    let error = live.replace_part(&id, WorldPart::Object(part)).unwrap_err().to_string();
    assert!(error.contains("mass must be > 0, got -5"), "{error}");
    let settings = PartId::new(PartList::Settings, "settings");
    let Some(WorldPart::Settings(mut new)) = live.part(&settings) else { panic!("settings") };
    assert_eq!(new.integrator, Integrator::Implicit);
    new.gravity = [0.0, 0.0, -3.0];
    live.replace_part(&settings, WorldPart::Settings(new)).unwrap();
    assert_eq!(live.world().settings().gravity, [0.0, 0.0, -3.0]);
    assert!(live.undo().unwrap() && live.undo().unwrap());
    assert_eq!(live.saved().unwrap(), before);
    let image = WorldPart::Image(ImageDescription::default());
    assert!(live.replace_part(&settings, image).is_err());
}

#[test]
fn a_pull_on_an_output_goes_on_while_parts_come_and_go() {
    let mut live = plane();
    live.pull("p0.x", 0.7).unwrap();
    live.add("particle", &[Pick::At([5.0, 5.0, 0.0])]).unwrap();
    live.remove_parts(&[PartId::new(PartList::Object, "p2")]).unwrap();
    (0..400).for_each(|_| live.step(0.005).unwrap());
    let x = live.value("p0.x").unwrap();
    assert!((x - 0.7).abs() < 0.01, "{x}");
    live.remove_parts(&[PartId::new(PartList::Object, "p0")]).unwrap();
    live.step(0.005).unwrap();
}

/// A description without what steps change.
fn at_rest(live: &LiveWorld) -> WorldDescription {
    let mut saved = live.saved().unwrap();
    saved.time = 0.0;
    for object in &mut saved.objects {
        (object.state, object.velocity) = (Vec::new(), Vec::new());
    }
    saved
}

#[test]
fn a_hundred_edits_between_steps_are_undone_to_the_start_and_done_again() {
    let mut live = plane();
    let (start, mut seed, mut edits) = (at_rest(&live), 7_u64, 0);
    let mut draw = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count
    };
    let kinds: Vec<&PartKind> =
        part_kinds().iter().filter(|it| !OF_SPACE.contains(&it.name)).collect();
    while edits < 100 {
        let saved = live.saved().unwrap();
        let done = match draw(4) {
            0 | 1 => {
                let kind = kinds[draw(kinds.len())];
                live.add(kind.name, &clicks(kind)).is_ok()
            }
            2 => {
                let block = &saved.blocks[draw(saved.blocks.len())].name;
                live.set_formula(block, ["t^2", "2*t; t"][draw(2)]).is_ok()
            }
            _ => {
                // The parts of the start stay, so that there is something to click.
                let added = saved.blocks.len().saturating_sub(start.blocks.len()).min(8);
                let part = |k: usize| &saved.blocks[saved.blocks.len() - 1 - k].name;
                added > 0
                    && live.remove_parts(&[PartId::new(PartList::Block, part(draw(added)))]).is_ok()
            }
        };
        edits += usize::from(done);
        // A step may fail where random constraints contradict each other: it changes nothing then.
        let _ = live.step(0.001);
    }
    let end = at_rest(&live);
    while live.undo().unwrap() {}
    assert_eq!(at_rest(&live), start);
    while live.redo().unwrap() {}
    assert_eq!(at_rest(&live), end);
}
