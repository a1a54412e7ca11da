//! Times at which a run halts, and the pace that it is held to.

use std::time::{Duration, Instant};

use sinew::component::ComponentType;
use sinew::editing::EditCommand;
use sinew::schedule::{Halt, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{LinearSolver, SolverSettings};

use crate::scenes::{built, scheduler, state};

#[test]
fn a_run_ends_on_time_and_halts_at_breakpoints_between_steps() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    scheduler.add_waypoint(0.0234, true).unwrap();
    scheduler.add_waypoint(0.031, false).unwrap();
    assert_eq!(scheduler.run_until(0.05).unwrap(), Halt::Breakpoint);
    assert!((scheduler.time() - 0.0234).abs() < 1e-15, "{}", scheduler.time());
    let mut times = Vec::new();
    let halt = scheduler.run_while(0.055, |scheduler, _| {
        times.push(scheduler.time());
        true
    });
    assert_eq!(halt.unwrap(), Halt::Reached);
    let expected = [0.03, 0.031, 0.04, 0.05, 0.055];
    let near = times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15);
    assert!(near && times.len() == expected.len(), "{times:?}");
    let known: Vec<_> = scheduler.waypoints().collect();
    assert_eq!(known, [(0.0234, true, true), (0.031, false, true)]);
}

#[test]
fn steps_are_those_of_a_plain_loop_where_nothing_cuts_them() {
    let model = built("chain", &["n=2"]);
    let mut plain = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    let mut scheduler = scheduler(model, LinearSolver::Auto, 0.01);
    for _ in 0..200 {
        plain.step(0.01).unwrap();
        scheduler.step().unwrap();
    }
    assert_eq!(*plain.state().unwrap(), state(&mut scheduler));
}

#[test]
fn waypoints_of_before_an_edit_of_the_structure_are_not_gone_back_to() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    scheduler.add_waypoint(0.02, false).unwrap();
    scheduler.advance(0.03).unwrap();
    let particle = sinew::model::Particle::new(1.0, sinew::Vec3::z());
    scheduler.simulation_mut().model_mut().add(particle);
    scheduler.advance(0.04).unwrap();
    assert_eq!(scheduler.waypoints().next(), Some((0.02, false, false)));
    assert_eq!(scheduler.rewind(0.02).unwrap(), 0.0);
    scheduler.advance(0.04).unwrap();
    assert_eq!(scheduler.rewind(0.03).unwrap(), 0.02);
}

/// Does commands, one edit each.
fn edit<const N: usize>(scheduler: &mut Scheduler, commands: [&str; N]) {
    for command in commands {
        let command: EditCommand = command.parse().unwrap();
        scheduler.apply(&[command]).unwrap();
    }
}

#[test]
fn waypoints_are_components_that_are_set_copied_deleted_and_undone() {
    let mut model = built("chain", &["n=2"]);
    model.add(sinew::model::Waypoint::new(0.02, true).named("halt"));
    let mut scheduler = scheduler(model, LinearSolver::Auto, 0.01);
    assert_eq!(scheduler.run_until(0.1).unwrap(), Halt::Breakpoint);
    let all = |run: &Scheduler| run.waypoints().collect::<Vec<_>>();
    assert_eq!(all(&scheduler), [(0.02, true, true)]);
    let halt = "/models/chain/waypoints/halt";
    edit(&mut scheduler, [&format!("set {halt}:breakpoint false"), "add waypoint later time=0.05"]);
    // What is no other time keeps its state, and the structure is the same.
    assert_eq!(all(&scheduler), [(0.02, false, true), (0.05, false, false)]);
    assert_eq!(scheduler.run_until(0.06).unwrap(), Halt::Reached);
    assert_eq!(all(&scheduler), [(0.02, false, true), (0.05, false, true)]);
    edit(&mut scheduler, [&format!("set {halt}:time 0.03"), &format!("duplicate {halt}")]);
    assert_eq!(all(&scheduler)[..2], [(0.03, false, false); 2]);
    assert!((scheduler.rewind(0.1).unwrap() - 0.05).abs() < 1e-15);
    assert_eq!(scheduler.rewind(0.04).unwrap(), 0.0, "none was passed since it was set");
    edit(&mut scheduler, ["undo", "undo", "undo"]);
    assert_eq!(all(&scheduler), [(0.02, false, false)]);
    edit(&mut scheduler, ["undo"]);
    assert_eq!(scheduler.run_until(0.1).unwrap(), Halt::Breakpoint);
    edit(&mut scheduler, [&format!("delete {halt}")]);
    assert_eq!(all(&scheduler), []);
    edit(&mut scheduler, ["undo"]);
    assert_eq!(all(&scheduler), [(0.02, true, false)]);
    let refused = "add waypoint never time=inf".parse().unwrap();
    let error = scheduler.apply(&[refused]).unwrap_err().to_string();
    assert!(error.contains("time"), "{error}");
}

#[test]
fn what_adds_moves_and_removes_waypoints_edits_their_components() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    scheduler.add_waypoints(0.02, 0.06).unwrap();
    scheduler.add_waypoint(0.04, true).unwrap();
    assert!(scheduler.move_waypoint(0.06, 0.05).unwrap());
    assert!(!scheduler.move_waypoint(0.06, 0.05).unwrap());
    assert!(scheduler.remove_waypoint(0.02).unwrap() && !scheduler.remove_waypoint(0.02).unwrap());
    let all = |run: &Scheduler| run.waypoints().map(|(time, ..)| time).collect::<Vec<_>>();
    let components = scheduler.simulation().model().iter::<sinew::model::Waypoint>();
    let halts: Vec<_> = components.map(|(_, it)| (it.time, it.breakpoint)).collect();
    assert_eq!(halts, [(0.04, true), (0.05, false)]);
    assert_eq!(all(&scheduler), [0.04, 0.05]);
    edit(&mut scheduler, ["undo", "undo", "undo"]);
    assert_eq!(all(&scheduler).len(), 3);
    assert!(scheduler.waypoints().all(|(_, halts, _)| !halts));
    edit(&mut scheduler, ["undo"]);
    assert!(all(&scheduler).is_empty() && !scheduler.has_edits());
}

#[test]
fn the_past_takes_no_waypoints_and_too_many_are_refused() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    scheduler.advance(0.02).unwrap();
    let error = scheduler.add_waypoint(0.01, false).unwrap_err().to_string();
    assert!(error.contains("rewind"), "{error}");
    for (interval, end) in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1e-9, 1e9)] {
        assert!(scheduler.add_waypoints(interval, end).is_err(), "{interval} until {end}");
    }
}

#[test]
fn a_paced_run_takes_its_time() {
    let model = built("chain", &["n=2"]);
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let settings = SchedulerSettings { pace: Some(0.5), ..SchedulerSettings::with_step(0.01) };
    let mut scheduler = Scheduler::new(simulation, settings).unwrap();
    let begun = Instant::now();
    scheduler.advance(0.05).unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(99), "{:?}", begun.elapsed());
    for wrong in [0.0, -1.0, f64::NAN] {
        assert!(scheduler.set_settings(SchedulerSettings::with_step(wrong)).is_err());
    }
}
