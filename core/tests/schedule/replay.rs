//! Whatever waypoint a run goes back to, it comes the same way again, bit for bit.

use sinew::material::PronySeries;
use sinew::model::Model;
use sinew::schedule::{
    CallbackError, Control, Controller, InputProbe, OutputProbe, SampleTimes, Scheduler,
};
use sinew::solve::LinearSolver;
use sinew::system::State;

use crate::scenes::{Rows, built, jaw_with_contact, scheduler, state};

/// States of a run after each of `count` steps of `step` [s], with waypoints after every third.
fn first_run(scheduler: &mut Scheduler, step: f64, count: usize) -> Vec<State> {
    scheduler.add_waypoints(3.0 * step, count as f64 * step).unwrap();
    let mut states = vec![state(scheduler)];
    for _ in 0..count {
        scheduler.step().unwrap();
        states.push(state(scheduler));
    }
    states
}

/// Asserts that the run comes the same way from every waypoint, in any order, and from the start.
fn assert_replays(model: Model, solver: LinearSolver, step: f64, count: usize) {
    let mut scheduler = scheduler(model, solver, step);
    let states = first_run(&mut scheduler, step, count);
    for waypoint in [6, 3, 9, 0, 6] {
        let time = scheduler.rewind(waypoint as f64 * step).unwrap();
        assert!((time - waypoint as f64 * step).abs() < 1e-9, "at t = {time} s");
        assert_eq!(state(&mut scheduler), states[waypoint], "at waypoint {waypoint}");
        for (k, expected) in states.iter().enumerate().skip(waypoint + 1) {
            scheduler.step().unwrap();
            assert_eq!(state(&mut scheduler), *expected, "step {k} from waypoint {waypoint}");
        }
    }
}

#[test]
fn the_jaw_with_its_muscles_comes_the_same_way_from_every_waypoint() {
    assert_replays(built("jaw-tongue-hyoid", &[]), LinearSolver::Auto, 0.01, 11);
}

#[test]
fn a_tissue_whose_stress_relaxes_comes_the_same_way_from_every_waypoint() {
    let mut model = built("jaw-tongue-hyoid", &[]);
    model.fem_mut(0).prony = PronySeries::new([[0.01, 0.5], [0.2, 0.3]]);
    assert_replays(model, LinearSolver::Auto, 0.01, 11);
    let mut model = built("beam", &[]);
    model.fem_mut(0).prony = PronySeries::new([[0.01, 0.5], [0.2, 0.3]]);
    assert_replays(model, LinearSolver::Auto, 0.01, 11);
}

#[test]
fn the_jaw_with_muscles_and_contact_comes_the_same_way_from_every_waypoint() {
    let model = jaw_with_contact();
    let mut touching = scheduler(model.clone(), LinearSolver::Auto, 0.01);
    let mut contacts = 0;
    for _ in 0..11 {
        contacts += touching.step().unwrap().contacts;
    }
    assert!(contacts > 20, "{contacts} contacts in all steps");
    assert_replays(model, LinearSolver::Auto, 0.01, 11);
}

#[test]
fn soft_and_rigid_contact_comes_the_same_way_from_every_waypoint() {
    assert_replays(built("plate", &["n=4"]), LinearSolver::Auto, 0.01, 12);
    assert_replays(built("boxes", &[]), LinearSolver::Auto, 0.01, 12);
}

#[test]
fn a_factor_that_is_kept_over_steps_is_no_obstacle() {
    assert_replays(built("tongue", &[]), LinearSolver::Hybrid, 0.01, 11);
    assert_replays(built("beam", &[]), LinearSolver::ConjugateGradients, 0.01, 11);
}

/// Raises an excitation by what it has seen so far: it has a memory.
struct Habit {
    sum: f64,
}

impl Controller for Habit {
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError> {
        self.sum += control.step();
        let property = control.property("/models/jaw-tongue-hyoid/exciters/0:excitation")?;
        control.set(&property, (2.0 * self.sum).min(1.0))?;
        Ok(())
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.sum);
    }

    fn restore(&mut self, numbers: &[f64]) {
        if let &[sum] = numbers {
            self.sum = sum;
        }
    }
}

#[test]
fn what_controllers_and_probes_have_set_and_remember_goes_back_too() {
    let (step, count) = (0.01, 11);
    let mut scheduler = scheduler(jaw_with_contact(), LinearSolver::Auto, step);
    let simulation = scheduler.simulation_mut();
    simulation.add_controller_object("habit", Box::new(Habit { sum: 0.0 }));
    // Set once, late: going back must put it back.
    simulation.add_controller("late", |control| {
        if control.time() > 0.055 {
            let gravity = control.property("/models/jaw-tongue-hyoid:gravity")?;
            control.set(&gravity, sinew::Vec3::new(0.0, 0.0, -5.0))?;
        }
        Ok(())
    });
    let path = "/models/jaw-tongue-hyoid/exciters/1:excitation";
    let property = simulation.property(path).unwrap();
    let gravity = simulation.property("/models/jaw-tongue-hyoid:gravity").unwrap();
    let ramp = |time: f64, values: &mut [f64]| values[0] = 5.0 * time;
    let probe = InputProbe::new("ramp", vec![property], Box::new(ramp)).unwrap();
    let rows = Rows::default();
    let energy = simulation.property("/:energy").unwrap();
    let times = SampleTimes::every(0.004);
    scheduler.add_input_probe(probe);
    let record = OutputProbe::new("energy", times, vec![energy], Box::new(rows.clone())).unwrap();
    scheduler.add_output_probe(record);

    let states = first_run(&mut scheduler, step, count);
    let recorded = rows.all();
    for waypoint in [3, 9, 0] {
        scheduler.rewind(waypoint as f64 * step).unwrap();
        if waypoint < 6 {
            let now = scheduler.simulation_mut().get(&gravity).unwrap().to_string();
            assert_eq!(now, "0 0 -9.8", "gravity at waypoint {waypoint}");
        }
        let kept = recorded.iter().filter(|row| row.0 < waypoint as f64 * step + 1e-9).count();
        if waypoint > 0 {
            assert_eq!(rows.all(), recorded[..kept], "rows after going back to {waypoint}");
        }
        scheduler.advance(count as f64 * step).unwrap();
        assert_eq!(state(&mut scheduler), states[count], "from waypoint {waypoint}");
        assert_eq!(rows.all(), recorded, "rows from waypoint {waypoint}");
    }
}

#[test]
fn a_waypoint_saved_in_one_run_is_gone_on_from_in_another() {
    let make = || scheduler(jaw_with_contact(), LinearSolver::Auto, 0.01);
    let mut first = make();
    first.advance(0.05).unwrap();
    let waypoint = first.save().unwrap();
    first.advance(0.1).unwrap();
    let mut second = make();
    second.restore(&waypoint).unwrap();
    assert_eq!((second.steps(), second.time()), (5, waypoint.time()));
    second.advance(0.1).unwrap();
    assert_eq!(state(&mut second), state(&mut first));
    let mut other = scheduler(built("boxes", &[]), LinearSolver::Auto, 0.01);
    let error = other.restore(&waypoint).unwrap_err().to_string();
    assert!(error.contains("other parts"), "{error}");
}
