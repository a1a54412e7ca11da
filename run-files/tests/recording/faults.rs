//! Writing that fails at any call: the run says so, and goes on from where it was saved as if nothing had
//! been; files that are there are not written over unasked.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sinew::model::{Model, Particle};
use sinew::schedule::{
    CallbackError, OutputProbe, SampleTimes, ScheduleError, Scheduler, SchedulerSettings,
    Simulation, Sink, Waypoint,
};
use sinew::solve::SolverSettings;
use sinew_run_files::write::create;
use sinew_run_files::{Opening, RecordingError};

/// Steps of a run, and after how many it is saved.
const STEPS: u64 = 6;
const SAVED_EVERY: u64 = 2;

/// A file that cannot be written once: at the call that brings the count to nothing.
struct Failing {
    inner: Box<dyn Sink>,
    left: Arc<AtomicI64>,
}

impl Failing {
    fn call(&self) -> Result<(), CallbackError> {
        match self.left.fetch_sub(1, Ordering::SeqCst) {
            0 => Err("the disk is full".into()),
            _ => Ok(()),
        }
    }
}

impl Sink for Failing {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.call()?;
        self.inner.write(time, values)
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.call()?;
        self.inner.place()
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.call()?;
        self.inner.go_back(place)
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        self.call()?;
        self.inner.finish()
    }
}

/// A particle that falls, recorded into `file`.
fn scheduler(file: &Path, left: &Arc<AtomicI64>) -> Scheduler {
    let mut model = Model::new("fall");
    model.add(Particle::default());
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    let energy = scheduler.simulation().property("/:energy").unwrap();
    let inner = create(file, &["energy".to_owned()], Opening::New).unwrap();
    let sink = Failing { inner, left: Arc::clone(left) };
    let probe = OutputProbe::new("e", SampleTimes::every(0.005), vec![energy], Box::new(sink));
    scheduler.add_output_probe(probe.unwrap());
    scheduler
}

/// Goes on to the end, saving on the way.
fn run(scheduler: &mut Scheduler, saved: &mut Option<Waypoint>) -> Result<(), ScheduleError> {
    while scheduler.steps() < STEPS {
        scheduler.step()?;
        if scheduler.steps().is_multiple_of(SAVED_EVERY) {
            *saved = Some(scheduler.save()?);
        }
    }
    scheduler.finish_outputs()
}

/// The file of a run whose call number `at` fails; whether it came to that call.
fn file_of(file: &Path, at: i64) -> (Vec<u8>, bool) {
    let left = Arc::new(AtomicI64::new(at));
    let (mut scheduler, mut saved) = (scheduler(file, &left), None);
    let failed = run(&mut scheduler, &mut saved).err();
    if let Some(error) = &failed {
        assert_eq!(left.load(Ordering::SeqCst), -1, "the run ends with the first failure");
        let text = error.to_string();
        assert!(text.contains("'e'") && text.contains("the disk is full"), "{text}");
        match &saved {
            Some(waypoint) => scheduler.restore(waypoint).unwrap(),
            None => scheduler.reset().unwrap(),
        }
        run(&mut scheduler, &mut saved).unwrap();
    }
    drop(scheduler);
    (fs::read(file).unwrap(), failed.is_some())
}

#[test]
fn a_write_that_fails_at_any_call_is_told_and_nothing_is_missing_afterwards() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["e.csv", "e.npy", "e.sto"] {
        let file = directory.path().join(name);
        let (expected, failed) = file_of(&file, i64::MAX);
        assert!(!failed && expected.len() > 100, "{} bytes", expected.len());
        let mut calls = 0;
        loop {
            let (found, failed) = file_of(&file, calls);
            assert!(found == expected, "{name} differs where call {calls} failed");
            if !failed {
                break;
            }
            calls += 1;
        }
        // Two samples a step, three places, the end.
        assert!(calls as u64 > 2 * STEPS + STEPS / SAVED_EVERY, "{name}: {calls} calls");
    }
}

#[test]
fn a_file_that_is_made_later_is_made_with_its_first_row_and_replaces_recordings_alone() {
    let directory = tempfile::tempdir().unwrap();
    let columns = ["a".to_owned(), "b,c".to_owned()];
    for name in ["r.csv", "r.npy", "r.sto", "r.parquet"] {
        let path = directory.path().join(name);
        let mut sink = create(&path, &columns, Opening::Later).unwrap();
        sink.finish().unwrap();
        drop(sink);
        assert!(!path.exists(), "{name} was made by nothing");
        for _ in 0..2 {
            let mut sink = create(&path, &columns, Opening::Later).unwrap();
            sink.write(0.0, &[1.0, 2.0]).unwrap();
            sink.finish().unwrap();
        }
        assert!(path.exists());
        let others = ["a".to_owned()];
        let error = create(&path, &others, Opening::Later).err().unwrap();
        assert!(matches!(error, RecordingError::Occupied { .. }), "{name}: {error}");
        let before = b"time,a\nall my work";
        fs::write(&path, before).unwrap();
        let error = create(&path, &columns, Opening::Later).err().unwrap();
        assert!(matches!(error, RecordingError::Occupied { .. }), "{name}: {error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[cfg(unix)]
#[test]
fn a_new_file_takes_the_place_of_a_link_and_not_of_what_it_leads_to() {
    let directory = tempfile::tempdir().unwrap();
    let [file, link] = ["work.csv", "link.csv"].map(|name| directory.path().join(name));
    fs::write(&file, "time,a\n").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let columns = ["a".to_owned()];
    let error = create(&link, &columns, Opening::Later).err().unwrap();
    assert!(matches!(error, RecordingError::Occupied { .. }), "{error}");
    let mut sink = create(&link, &columns, Opening::New).unwrap();
    sink.write(0.0, &[1.0]).unwrap();
    drop(sink);
    assert_eq!(fs::read(&file).unwrap(), b"time,a\n");
    assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn samples_too_dense_to_be_taken_end_the_run_with_the_name_of_the_probe() {
    let mut model = Model::new("fall");
    model.add(Particle::default());
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    let energy = scheduler.simulation().property("/:energy").unwrap();
    for (every, start) in [(1e-300, 0.0), (1e-9, -1e300), (f64::MIN_POSITIVE, 0.0)] {
        struct Nothing;
        impl Sink for Nothing {
            fn write(&mut self, _: f64, _: &[f64]) -> Result<(), CallbackError> {
                Ok(())
            }
            fn place(&mut self) -> Result<u64, CallbackError> {
                Ok(0)
            }
            fn go_back(&mut self, _: u64) -> Result<(), CallbackError> {
                Ok(())
            }
        }
        let times = SampleTimes { start, ..SampleTimes::every(every) };
        let probe = OutputProbe::new("dense", times, vec![energy], Box::new(Nothing)).unwrap();
        scheduler.add_output_probe(probe);
        let error = scheduler.run_until(0.02).unwrap_err().to_string();
        assert!(error.contains("'dense'") && error.contains("sample less often"), "{error}");
        let last = scheduler.output_probes_mut().last_mut().unwrap();
        last.enabled = false;
    }
}
