//! A second of each task of the anatomical models at resolution 0, without failure. Models whose second takes less than some two
//! seconds of one core are stepped always; `SINEW_TASKS=1` steps all of them, `SINEW_TASKS=2` at resolution 1 too.

use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

/// Length of a step [s], and steps of a second.
const STEP: f64 = 0.02;
const STEPS: usize = 50;

/// Resolutions that are asked for: none of the models that take long unless the variable says so.
fn asked() -> &'static [usize] {
    match std::env::var("SINEW_TASKS").as_deref() {
        Err(_) => &[],
        Ok("1") => &[0],
        Ok("2") => &[0, 1],
        Ok(other) => panic!("SINEW_TASKS is 1 or 2, got {other}"),
    }
}

/// Steps every task of a model for a second.
fn step_all(model: &str, tasks: &[&str], resolutions: &[usize]) {
    for resolution in resolutions {
        for task in tasks {
            let arguments = [format!("task={task}"), format!("resolution={resolution}")];
            let mut params = Params::parse(&arguments).unwrap();
            let built = (find(model).unwrap().build)(&mut params).unwrap();
            let simulation = Simulation::new(built, SolverSettings::default()).unwrap();
            let settings = SchedulerSettings::with_step(STEP);
            let mut scheduler = Scheduler::new(simulation, settings).unwrap();
            for step in 0..STEPS {
                let done = scheduler.step();
                done.unwrap_or_else(|error| panic!("{model} {arguments:?} {step}: {error}"));
            }
            let state = scheduler.simulation_mut().state().unwrap();
            let finite = state.q.iter().chain(&state.u).all(|x| x.iter().all(|x| x.is_finite()));
            assert!(finite, "{model} {arguments:?}");
        }
    }
}

#[test]
fn the_jaw_does_its_tasks() {
    step_all("jaw-tongue-hyoid", &["open", "chew", "clench", "protrude", "laterotrude"], &[0]);
}

#[test]
fn the_tongue_in_the_jaw_does_its_tasks() {
    step_all(
        "jaw-tongue-hyoid",
        &["protrusion", "retraction", "tip_up", "i", "a", "swallow"],
        &[0],
    );
}

#[test]
fn the_larynx_does_its_tasks() {
    step_all("larynx", &["adduct", "abduct", "pitch", "rest"], &[0]);
}

#[test]
fn the_airway_does_its_tasks() {
    step_all("airway", &["raise", "obstruct", "rest"], asked());
}

#[test]
fn the_face_does_its_tasks() {
    step_all("face", &["smile", "pucker", "frown", "blink", "rest"], asked());
}

#[test]
fn the_knee_does_its_tasks() {
    step_all("knee", &["extend", "drawer", "press", "rest"], asked());
}

#[test]
fn liver_and_ventricle_do_their_tasks() {
    step_all("liver", &["press", "rest"], asked());
    step_all("ventricle", &["contract", "inflate"], asked());
}
