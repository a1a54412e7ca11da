//! Steps that fail are taken in shorter ones, down to a floor; the last good state is kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::backend::{Backend, CpuBackend, Description, Precision};
use sinew::schedule::{
    CallbackError, Control, Controller, ScheduleError, Scheduler, SchedulerSettings, Simulation,
    SimulationError, StopFlag,
};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State, StepError, StepStats};

use crate::scenes::{built, state};

/// The CPU, but for steps that pass a moment: these fail where they are too long.
struct Brittle {
    inner: CpuBackend,
    /// Time at which it breaks [s].
    at: f64,
    /// Longest step over it that is taken [s].
    longest: f64,
    device: bool,
    tries: Arc<AtomicUsize>,
}

impl Backend for Brittle {
    fn name(&self) -> String {
        "brittle".into()
    }

    fn precision(&self) -> Precision {
        self.inner.precision()
    }

    fn description(&self) -> Description {
        self.inner.description()
    }

    fn system(&self) -> &CompiledModel {
        self.inner.system()
    }

    fn time(&self) -> f64 {
        self.inner.time()
    }

    fn stop_on(&mut self, flag: StopFlag) {
        self.inner.stop_on(flag);
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        self.tries.fetch_add(1, Ordering::Relaxed);
        let time = self.time();
        if time < self.at && time + h > self.at && h > self.longest {
            if self.device {
                return Err(StepError::Device { detail: "it fell".into(), time });
            }
            return Err(StepError::NotFinite { point: "the tip".into(), time });
        }
        self.inner.step(h)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        self.inner.read_state(state)
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.inner.write_state(state)
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}

fn brittle(at: f64, longest: f64, device: bool) -> (Scheduler, Arc<AtomicUsize>) {
    let tries = Arc::new(AtomicUsize::new(0));
    let count = tries.clone();
    let make = move |system| {
        let inner = CpuBackend::new(system, SolverSettings::default())?;
        let tries = count.clone();
        Ok(Box::new(Brittle { inner, at, longest, device, tries }) as Box<dyn Backend>)
    };
    let simulation = Simulation::with_backend(built("beam", &[]), Box::new(make)).unwrap();
    let scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    (scheduler, tries)
}

#[test]
fn a_step_that_fails_is_taken_in_parts_and_ends_where_it_should() {
    let (mut scheduler, tries) = brittle(0.0234, 0.003, false);
    scheduler.advance(0.05).unwrap();
    assert!((scheduler.time() - 0.05).abs() < 1e-12, "{}", scheduler.time());
    assert_eq!(scheduler.steps(), 5);
    // The third step fails, so does its first half; quarters of 2.5 ms pass.
    assert_eq!(scheduler.halved_steps(), 2);
    assert_eq!(tries.load(Ordering::Relaxed), 4 + 1 + 1 + 2 + 1);
}

#[test]
fn what_fails_at_every_length_ends_at_the_last_good_state_for_a_clear_reason() {
    let (mut scheduler, _) = brittle(0.0234, 0.0, false);
    let error = scheduler.advance(0.05).unwrap_err();
    let ScheduleError::TooShort { length, smallest, excited, source } = &error else {
        panic!("{error}")
    };
    assert!(excited.0.is_empty() && !error.to_string().contains("excited"), "{error}");
    assert!(*length < 2.0 * smallest && *smallest == 0.01 / 256.0, "{length}");
    assert!(matches!(source, StepError::NotFinite { .. }), "{source}");
    assert!(error.to_string().contains("the tip"), "{error}");
    // Good steps lead up to less than the floor before the moment.
    let time = scheduler.time();
    assert!(time < 0.0234 && time > 0.0234 - 0.01 / 128.0, "{time}");
    assert_eq!(state(&mut scheduler).time, time);
}

#[test]
fn a_step_that_fails_again_and_again_ends_between_its_parts_when_it_is_asked_to() {
    let (mut scheduler, tries) = brittle(0.0234, 0.0, false);
    let flag = StopFlag::default();
    scheduler.stop_on(flag.clone());
    scheduler.advance(0.02).unwrap();
    flag.set();
    let error = scheduler.step().unwrap_err();
    assert!(
        matches!(error, ScheduleError::Stopped { time } if time == scheduler.time()),
        "{error}"
    );
    // Two steps before, one try of the third; without the flag its parts are tried a dozen times.
    assert_eq!(tries.load(Ordering::Relaxed), 3);
    assert_eq!(state(&mut scheduler).time, scheduler.time());
    // A step that passes as a whole within a second is not held up.
    let flag = StopFlag::default();
    let (mut sound, _) = brittle(1.0, 0.0, false);
    sound.stop_on(flag.clone());
    flag.set();
    sound.step().unwrap();
}

#[test]
fn a_step_that_goes_on_a_second_after_the_request_is_given_up_and_leaves_the_state() {
    let (mut scheduler, _) = brittle(1.0, 0.0, false);
    let flag = StopFlag::default();
    scheduler.stop_on(flag.clone());
    scheduler.step().unwrap();
    let before = state(&mut scheduler);
    flag.set();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let error = scheduler.step().unwrap_err();
    assert!(matches!(error, ScheduleError::Stopped { time } if time == before.time), "{error}");
    assert_eq!(state(&mut scheduler), before);
    flag.clear();
    scheduler.step().unwrap();
}

#[test]
fn a_lost_device_is_not_tried_again() {
    let (mut scheduler, tries) = brittle(0.0234, 0.003, true);
    let error = scheduler.advance(0.05).unwrap_err();
    let ScheduleError::Simulation(error) = error else { panic!("{error}") };
    let SimulationError::Step(StepError::Device { .. }) = *error else { panic!("{error}") };
    assert_eq!(tries.load(Ordering::Relaxed), 3);
}

/// Counts the time that it was asked about.
struct Clock(f64);

impl Controller for Clock {
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError> {
        self.0 += control.step();
        Ok(())
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.0);
    }

    fn restore(&mut self, numbers: &[f64]) {
        self.0 = numbers[0];
    }
}

#[test]
fn controllers_do_not_remember_tries_that_failed() {
    let (mut scheduler, _) = brittle(0.0234, 0.003, false);
    scheduler.simulation_mut().add_controller_object("clock", Box::new(Clock(0.0)));
    scheduler.advance(0.05).unwrap();
    let waypoint = scheduler.save().unwrap();
    assert!((waypoint.memories[0][0] - 0.05).abs() < 1e-12, "{:?}", waypoint.memories);
}
