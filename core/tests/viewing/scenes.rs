//! Models that are looked at, and ways to wait for a session.

use std::time::{Duration, Instant};

use sinew::model::Model;
use sinew::schedule::{Scheduler, SchedulerSettings, Session, Simulation, Status};
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

/// A built-in model.
pub(crate) fn built(name: &str, arguments: &[&str]) -> Model {
    let mut params = Params::parse(arguments).unwrap();
    (find(name).unwrap().build)(&mut params).unwrap()
}

pub(crate) fn simulation(model: Model) -> Simulation {
    Simulation::new(model, SolverSettings::default()).unwrap()
}

pub(crate) fn scheduler(model: Model, step: f64) -> Scheduler {
    Scheduler::new(simulation(model), SchedulerSettings::with_step(step)).unwrap()
}

/// Snapshot of a simulation now.
pub(crate) fn shown(simulation: &mut Simulation, wanted: &Wanted) -> Snapshot {
    let mut snapshot = Snapshot::default();
    Capture::new().capture(simulation, 0, wanted, &mut snapshot).unwrap();
    snapshot
}

/// Status of a session once `is_so`; it has half a minute.
pub(crate) fn wait(session: &Session, is_so: impl Fn(&Status) -> bool) -> Status {
    let begun = Instant::now();
    loop {
        let status = session.status();
        if is_so(&status) {
            return status;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not happen: {status:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The newest snapshot once `is_so`.
pub(crate) fn wait_for_snapshot(
    session: &mut Session,
    is_so: impl Fn(&Snapshot) -> bool,
) -> Snapshot {
    let begun = Instant::now();
    loop {
        session.reader().update();
        let front = session.reader().front();
        if is_so(front) {
            return front.clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not come: t = {}", front.time);
        std::thread::sleep(Duration::from_millis(1));
    }
}
