//! Commands from clicks on the timeline.

use egui::{Modifiers, Rect, pos2};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;

const SIZE: [f32; 2] = [816.0, 200.0];

struct Window {
    status: Status,
    now: f64,
    sheets: Vec<Sheet>,
    timeline: Timeline,
    actions: Actions,
}

/// At 0.5 s of 1 s; a waypoint that was passed at 0.2 s, a breakpoint to come at 0.8 s.
fn open() -> Harness<'static, Window> {
    let mark = |time, halts, saved| WaypointMark { time, halts, saved };
    let waypoints = vec![mark(0.2, false, true), mark(0.8, true, false)];
    let status = Status { waypoints, step: 0.005, ..Status::default() };
    let show = |ui: &mut Ui, it: &mut Window| {
        it.timeline.ui(ui, (&it.status, it.now), &it.sheets, &mut it.actions);
    };
    let (timeline, actions) = (Timeline::default(), Actions::default());
    let state = Window { status, now: 0.5, sheets: Vec::new(), timeline, actions };
    let mut window =
        Harness::builder().with_size(SIZE).with_step_dt(0.05).build_ui_state(show, state);
    window.run();
    assert_eq!(end(&window.state().status, &[], 0.5), 1.0);
    window
}

/// Position of a time, off by some points.
fn place(window: &Harness<'_, Window>, time: f32, off: f32) -> Pos2 {
    let rect = window.get_by_label("timeline").rect();
    pos2(rect.left() + 8.0 + time * (rect.width() - 16.0) + off, rect.top() + 10.0)
}

fn click(window: &mut Harness<'_, Window>, at: Pos2, button: PointerButton, times: usize) {
    window.hover_at(at);
    for pressed in [true, false].repeat(times) {
        let modifiers = Modifiers::NONE;
        window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    window.run();
}

fn taken(window: &mut Harness<'_, Window>) -> Vec<Command> {
    std::mem::take(&mut window.state_mut().actions.commands)
}

#[test]
fn a_click_near_a_waypoint_goes_back_to_it_and_one_that_is_ahead_does_nothing() {
    let mut window = open();
    let (near, far) = (place(&window, 0.2, 4.0), place(&window, 0.25, 0.0));
    click(&mut window, near, PointerButton::Primary, 1);
    assert_eq!(taken(&mut window), [Command::Rewind(0.2)]);
    click(&mut window, far, PointerButton::Primary, 1);
    let [Command::Rewind(time)] = taken(&mut window)[..] else { panic!("it goes back") };
    assert!((time - 0.25).abs() < 1e-6, "{time}");
    let ahead = place(&window, 0.8, 0.0);
    click(&mut window, ahead, PointerButton::Primary, 1);
    assert_eq!(taken(&mut window), []);
}

#[test]
fn a_double_click_runs_until_then_and_not_into_the_past() {
    let mut window = open();
    let (ahead, past) = (place(&window, 0.8, 3.0), place(&window, 0.4, 0.0));
    click(&mut window, ahead, PointerButton::Primary, 2);
    assert_eq!(taken(&mut window), [Command::RunUntil(0.8)]);
    click(&mut window, past, PointerButton::Primary, 2);
    let asked = taken(&mut window);
    assert!(asked.iter().all(|it| matches!(it, Command::Rewind(_))), "{asked:?}");
}

#[test]
fn a_right_click_adds_marks_at_a_step_and_removes_the_one_that_is_there() {
    let mut window = open();
    let [first, second] = [0.6012, 0.7012].map(|time| place(&window, time, 0.0));
    for (at, time) in [(first, 0.6), (second, 0.7)] {
        for (name, halts) in [("Add waypoint", false), ("Add breakpoint", true)] {
            click(&mut window, at, PointerButton::Secondary, 1);
            window.get_by_label(name).click();
            window.run();
            let asked = taken(&mut window);
            let [Command::AddWaypoint { time: Some(set), halts: halted }] = asked[..] else {
                panic!("{asked:?}")
            };
            assert!((set - time).abs() < 1e-9 && halted == halts, "{set} for {time}");
        }
    }
    let mark = place(&window, 0.8, 2.0);
    click(&mut window, mark, PointerButton::Secondary, 1);
    window.get_by_label("Remove the waypoint here").click();
    window.run();
    assert_eq!(taken(&mut window), [Command::RemoveWaypoint(0.8)]);
    let past = place(&window, 0.2, 0.0);
    click(&mut window, past, PointerButton::Secondary, 1);
    assert!(window.query_by_label("Add waypoint").is_none());
    window.get_by_label("Go back to here").click();
    window.run();
    assert_eq!(taken(&mut window), [Command::Rewind(0.2)]);
}

#[test]
fn the_marks_around_a_time_are_the_saved_one_before_and_any_after() {
    let window = open();
    let status = &window.state().status;
    let times = |now| {
        let [before, after] = [mark_before(status, now), mark_after(status, now)];
        [before.map(|mark| mark.time), after.map(|mark| mark.time)]
    };
    assert_eq!(times(0.5), [Some(0.2), Some(0.8)]);
    assert_eq!(times(0.2), [None, Some(0.8)]);
    assert_eq!(times(0.9), [Some(0.2), None], "what was not passed cannot be gone back to");
}

#[test]
fn ends_are_round_and_not_before_what_is_shown() {
    let cases = [(0.11, 0.2), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (55.0, 100.0)];
    for (x, expected) in cases {
        assert!((nice_above(x) / expected - 1.0).abs() < 1e-12, "{x}: {}", nice_above(x));
    }
}

#[test]
fn times_and_places_are_inverse() {
    let rect = Rect::from_min_max(pos2(10.0, 0.0), pos2(210.0, 30.0));
    let scale = Scale { rect, end: 2.0 };
    assert_eq!(scale.x(1.0), 110.0);
    assert!((scale.time(scale.x(0.3)) - 0.3).abs() < 1e-6);
}

#[test]
fn a_mark_ahead_is_dragged_to_another_time_and_one_that_was_passed_stays() {
    let mut window = open();
    let drag = |window: &mut Harness<'_, Window>, from: f32, to: f32| {
        let [from, to] = [from, to].map(|time| place(window, time, 0.0));
        window.hover_at(from);
        window.run();
        for (at, pressed) in [(from, true), (to, false)] {
            window.hover_at(at);
            window.run_steps(2);
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            window.run_steps(2);
        }
    };
    drag(&mut window, 0.8, 0.6);
    let moved = taken(&mut window);
    let [Command::MoveWaypoint { from: 0.8, to: time }] = moved[..] else { panic!("{moved:?}") };
    // A point of the window is less than two steps.
    assert!((time - 0.6).abs() < 0.011, "{time}");
    drag(&mut window, 0.2, 0.9);
    assert_eq!(taken(&mut window), []);
    assert!(window.state().actions.refusals[0].contains("was passed"));
    drag(&mut window, 0.8, 0.3);
    assert!(window.state().actions.refusals[1].contains("has passed"));
}

mod keys;
