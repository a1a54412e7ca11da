//! Gizmos by hand: squares and the middle, whole steps, Escape, axes of a body, a run under way.

use super::*;
use crate::app::tools::motion::Axes;
use crate::app::tools::{Motion, Tool};

/// Place of the ball.
const PLACE: Vec3 = Vec3::new(0.1, 0.0, 0.1);

/// A bench with a ball that is selected, and a gizmo in the hand.
fn with_gizmo(key: Key) -> Bench {
    let mut bench = Bench::on(bench());
    bench.take("Ball");
    bench.click(PLACE);
    bench.await_row("ball1");
    bench.window.key_press(Key::Escape);
    bench.window.run_steps(2);
    bench.click(PLACE);
    assert_eq!(bench.window.state().workspace.selection.ids().len(), 1);
    bench.window.key_press(key);
    bench.window.run_steps(3);
    bench
}

fn ball(bench: &mut Bench) -> RigidBody {
    let model = bench.model(Path::new("bench"));
    model.iter::<RigidBody>().next().expect("the ball").1.clone()
}

fn mass(bench: &mut Bench) -> f64 {
    ball(bench).spatial_inertia().unwrap().mass()
}

fn center(bench: &mut Bench) -> Vec3 {
    ball(bench).pose.translation.vector
}

/// Drags from the middle of the gizmo, off by some points, by others, and lets go.
fn drag_handle(bench: &mut Bench, off: [f32; 2], by: [f32; 2]) {
    let middle = center(bench);
    let from = bench.at(middle) + off.into();
    let to = from + by.into();
    bench.drag(from, to);
    bench.window.run_steps(1);
    bench.button(to, false);
    bench.window.run_steps(3);
}

#[test]
fn a_square_moves_along_two_axes_and_ctrl_takes_whole_steps() {
    let mut bench = with_gizmo(Key::M);
    let before = center(&mut bench);
    // Seen from the right, x goes to the right and z up.
    drag_handle(&mut bench, [30.0, -30.0], [63.0, 40.0]);
    let free = center(&mut bench) - before;
    assert!(free.x > 0.02 && free.z < -0.02 && free.y.abs() < 1e-9, "{free}");
    let steps = |x: f64| (x / 0.01 - (x / 0.01).round()).abs();
    assert!(steps(free.x) > 1e-3, "the drag is no whole step by chance: {free}");
    let before = center(&mut bench);
    bench.window.event(Event::ModifiersChanged(Modifiers::COMMAND));
    drag_handle(&mut bench, [30.0, -30.0], [63.0, 40.0]);
    bench.window.event(Event::ModifiersChanged(Modifiers::NONE));
    let snapped = center(&mut bench) - before;
    assert!((snapped - free).amax() < 0.006, "{snapped} for {free}");
    assert!([snapped.x, snapped.z].into_iter().all(|x| steps(x) < 1e-9), "{snapped}");
}

#[test]
fn the_middle_moves_across_the_line_of_sight_and_scales_all_axes_alike() {
    let mut bench = with_gizmo(Key::M);
    let before = center(&mut bench);
    drag_handle(&mut bench, [0.0, 0.0], [-50.0, -20.0]);
    let moved = center(&mut bench) - before;
    assert!(moved.x < -0.02 && moved.z > 0.01 && moved.y.abs() < 1e-6, "{moved}");
    bench.window.key_press(Key::S);
    bench.window.run_steps(3);
    let (before, light) = (center(&mut bench), mass(&mut bench));
    // As many points as an arrow is long: twice as large.
    drag_handle(&mut bench, [0.0, 0.0], [80.0, 0.0]);
    let factor = mass(&mut bench) / light;
    assert!((factor - 8.0).abs() < 1e-3, "{factor} times the mass");
    assert!((center(&mut bench) - before).norm() < 1e-6);
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.window.run_steps(3);
    assert!((mass(&mut bench) / light - 1.0).abs() < 1e-12, "one edit takes it back");
}

#[test]
fn escape_ends_a_drag_without_an_edit_and_leaves_the_gizmo_in_the_hand() {
    let mut bench = with_gizmo(Key::M);
    let before = center(&mut bench);
    let from = bench.at(before) + vec2(60.0, 0.0);
    let lines = |bench: &Bench| bench.window.output().shapes.len();
    let at_rest = lines(&bench);
    bench.drag(from, from + vec2(70.0, 0.0));
    assert!(lines(&bench) > at_rest + 100, "a ghost of the ball is drawn where it leads");
    bench.window.key_press(Key::Escape);
    // The picture without the ghost may be a few frames away.
    let is_gone = |bench: &Bench| lines(bench) < at_rest + 50;
    for _ in 0..50 {
        if is_gone(&bench) {
            break;
        }
        bench.window.run_steps(1);
    }
    assert!(is_gone(&bench));
    bench.button(from + vec2(70.0, 0.0), false);
    bench.window.run_steps(3);
    assert_eq!(center(&mut bench), before);
    let tools = bench.window.state_mut().workspace.picture_mut().canvas.tools();
    assert_eq!(tools.tool(), Tool::Gizmo(Motion::Move));
}

#[test]
fn own_axes_are_those_of_the_body_and_a_ring_turns_about_them() {
    let mut bench = with_gizmo(Key::R);
    // A quarter of the ring about y over its top, away from the rings that are seen from their edges.
    drag_handle(&mut bench, [56.6, -56.6], [-113.2, 0.0]);
    let turn = ball(&mut bench).pose.rotation.scaled_axis().map(f64::to_degrees);
    assert!((turn - Vec3::new(0.0, -90.0, 0.0)).norm() < 0.5, "{turn}");
    bench.window.key_press(Key::M);
    bench.window.state_mut().workspace.picture_mut().canvas.tools().gizmo.axes = Axes::Own;
    bench.window.run_steps(3);
    let before = center(&mut bench);
    bench.window.get_by_label("move x").set_value_accesskit(0.2);
    bench.window.run_steps(3);
    bench.window.get_by_label("Apply").click();
    bench.window.run_steps(3);
    let moved = center(&mut bench) - before;
    assert!((moved - Vec3::new(0.0, 0.0, 0.2)).norm() < 2e-3, "x of the body is up: {moved}");
}

#[test]
fn a_body_is_moved_where_it_is_while_it_runs_and_so_is_its_start() {
    let mut bench = with_gizmo(Key::M);
    // Gravity takes it away from its start.
    bench.window.state_mut().send(sinew::schedule::Command::set(vec![
        sinew::schedule::Assignment {
            path: "/models/bench:gravity".to_owned(),
            value: Some("0 0 -1".to_owned()),
        },
    ]));
    bench.window.state_mut().send(sinew::schedule::Command::RunUntil(0.2));
    until(&mut bench.window, |app| !app.status.playing && front_time(app) > 0.19);
    let frame = |app: &mut App| {
        let front = app.session.reader().front();
        let ball = front
            .scene
            .items
            .iter()
            .find(|item| item.owner.kind() == sinew::component::Kind::RigidBody);
        let sinew::snapshot::Shape::Frame { frame, .. } = ball.expect("the ball").shape else {
            panic!("a body has a frame")
        };
        let place = front.frames[frame as usize].position.map(f64::from);
        front.scene.origin + Vec3::from(place)
    };
    let (before, start) = (frame(bench.window.state_mut()), center(&mut bench));
    assert!(start.z - before.z > 0.015, "it has fallen: {before} from {start}");
    bench.window.get_by_label("move x").set_value_accesskit(0.25);
    bench.window.run_steps(3);
    bench.window.get_by_label("Apply").click();
    until(&mut bench.window, |app| (frame(app).x - before.x - 0.25).abs() < 1e-6);
    assert!((frame(bench.window.state_mut()).z - before.z).abs() < 1e-6, "it is where it fell to");
    let moved = center(&mut bench) - start;
    assert!((moved - Vec3::new(0.25, 0.0, 0.0)).norm() < 1e-9, "{moved}");
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    until(&mut bench.window, |app| (frame(app) - before).norm() < 1e-6);
    assert!((center(&mut bench) - start).norm() < 1e-12);
}

fn front_time(app: &mut App) -> f64 {
    app.session.reader().front().time
}
