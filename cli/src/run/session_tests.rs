//! The loop over a backend that keeps its state to itself, as a device does: the CPU in disguise.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Parser;
use sinew::backend::{Backend, CpuBackend, Description, Precision};
use sinew::system::{CompiledModel, State, StepError, StepStats};

use sinew_model_files::Solver;
use sinew_run_files::spec::ProbeSet;

use super::args::RunArgs;
use super::checkpoints::Checkpoints;
use super::plan::Plan;
use super::progress::Progress;
use super::recorder;
use super::session::{Ending, Session};
use crate::command_line::{Cli, Command};
use crate::compute::{Chosen, Interrupt, Kind};
use crate::load::Prepared;
use crate::options::EditArgs;

/// Faults of a device in disguise.
#[derive(Clone, Copy, Debug, Default)]
struct Trouble {
    /// It is lost in this step.
    lost_in_step: Option<u64>,
    /// It gives no state once it is lost.
    silent: bool,
    /// After this step a velocity is no number.
    spoiled_after: Option<u64>,
}

struct Device {
    inner: CpuBackend,
    trouble: Trouble,
    steps: u64,
    lost: bool,
    /// Number of requests for the state.
    looks: Arc<AtomicU32>,
}

impl Backend for Device {
    fn name(&self) -> String {
        "a device (disguise)".to_owned()
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

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        self.steps += 1;
        self.lost |= self.trouble.lost_in_step == Some(self.steps);
        if self.lost {
            return Err(StepError::Device { detail: "it fell".into(), time: self.time() });
        }
        let stats = self.inner.step(h)?;
        if self.trouble.spoiled_after == Some(self.steps) {
            let mut state = self.inner.state().clone();
            state.u[0].x = f64::NAN;
            self.inner.write_state(&state)?;
        }
        Ok(StepStats { bytes_up: 100, bytes_down: 40, ..stats })
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        if self.lost && self.trouble.silent {
            return Err(StepError::Device { detail: "it is gone".into(), time: self.time() });
        }
        self.inner.read_state(state)
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.inner.write_state(state)
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}

/// Outcome of a run on a device.
struct Outcome {
    ending: Ending,
    rows: Vec<f64>,
    looks: u32,
    steps: u64,
    kind: Kind,
    last: State,
    loss: Option<String>,
}

fn run(options: &str, trouble: Trouble) -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    let words = ["sinew", "run", "beam", "--quiet", "--solver", "direct", "--out"];
    let out = directory.path().to_str().unwrap();
    let line = words.into_iter().chain([out]).chain(options.split_whitespace());
    let Some(Command::Run(args)) = Cli::try_parse_from(line).unwrap().command else {
        panic!("not a run")
    };
    run_in(directory.path(), &args, trouble)
}

fn run_in(directory: &Path, args: &RunArgs, trouble: Trouble) -> Outcome {
    let plan = Plan::of(args, &Solver::default()).unwrap();
    let (prepared, compiled) = Prepared::of(&args.model.name, &args.model.edits).unwrap();
    let looks = Arc::new(AtomicU32::new(0));
    let device = Device {
        inner: CpuBackend::new(compiled, plan.settings).unwrap(),
        trouble,
        steps: 0,
        lost: false,
        looks: looks.clone(),
    };
    let chosen = Chosen { backend: Box::new(device), kind: Kind::Gpu, why: None };
    let model = prepared.source.model.clone();
    let mut session = Session::new(model, chosen, &plan, args.on_device_loss).unwrap();
    let mut recorder =
        recorder(args, (&prepared, &ProbeSet::default()), &session, (Vec::new(), None)).unwrap();
    let progress = Progress::new(args, &plan);
    let mut checkpoints = Checkpoints::new(args, [0; 32], &recorder);
    let interrupt = Interrupt::never();
    let ending = session.advance(&mut recorder, &progress, &interrupt, &mut checkpoints).unwrap();
    let mut table = csv::Reader::from_path(directory.join("energies.csv")).unwrap();
    let time = |row: Result<csv::StringRecord, _>| row.unwrap()[0].parse().unwrap();
    let rows = table.records().map(time).collect();
    let (steps, kind, last) = (session.steps, session.kind, session.state.clone());
    Outcome {
        ending,
        rows,
        looks: looks.load(Ordering::Relaxed),
        steps,
        kind,
        last,
        loss: session.loss,
    }
}

fn assert_times(rows: &[f64], expected: &[f64]) {
    // Times are sums of a few steps of 0.01 s: each rounds by 1e-17.
    let near = rows.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(near && rows.len() == expected.len(), "{rows:?}, not {expected:?}");
}

/// State of the CPU after the same steps.
fn on_the_cpu(steps: u64) -> State {
    let (_, compiled) = Prepared::of("beam", &EditArgs::default()).unwrap();
    let settings = sinew::solve::SolverSettings {
        linear_solver: sinew::solve::LinearSolver::Direct,
        ..Default::default()
    };
    let mut cpu = CpuBackend::new(compiled, settings).unwrap();
    for _ in 0..steps {
        cpu.step(0.01).unwrap();
    }
    cpu.state().clone()
}

#[test]
fn a_device_is_looked_at_when_a_frame_is_due_and_at_the_end() {
    let outcome = run("--time 0.1 --every 0.04", Trouble::default());
    assert_eq!((outcome.ending, outcome.steps, outcome.looks), (Ending::Done, 10, 3));
    assert_times(&outcome.rows, &[0.0, 0.04, 0.08, 0.1]);
    assert_eq!(outcome.last, on_the_cpu(10));
}

#[test]
fn without_frames_a_device_is_looked_at_once() {
    let outcome = run("--time 0.1 --frames none", Trouble::default());
    assert_eq!((outcome.ending, outcome.steps, outcome.looks), (Ending::Done, 10, 1));
    assert_times(&outcome.rows, &[0.0, 0.1]);
}

#[test]
fn a_lost_device_ends_the_run_with_the_last_state_that_it_gives() {
    let lost = Trouble { lost_in_step: Some(7), ..Trouble::default() };
    let outcome = run("--time 0.1 --every 0.04", lost);
    let Ending::Failed(StepError::Device { .. }) = outcome.ending else {
        panic!("{:?}", outcome.ending)
    };
    assert_eq!((outcome.steps, outcome.kind), (6, Kind::Gpu));
    assert_times(&outcome.rows, &[0.0, 0.04, 0.06]);
    let silent = Trouble { silent: true, ..lost };
    let outcome = run("--time 0.1 --every 0.04", silent);
    assert_eq!(outcome.steps, 4);
    assert_times(&outcome.rows, &[0.0, 0.04]);
    assert_eq!(outcome.last, on_the_cpu(4));
}

#[test]
fn the_cpu_goes_on_from_the_last_state_of_a_lost_device_bit_for_bit() {
    for silent in [false, true] {
        let trouble = Trouble { lost_in_step: Some(7), silent, ..Trouble::default() };
        let outcome = run("--time 0.1 --every 0.04 --on-device-loss cpu", trouble);
        assert_eq!((outcome.ending, outcome.steps, outcome.kind), (Ending::Done, 10, Kind::Cpu));
        assert!(outcome.loss.unwrap().contains("it fell"));
        let first = if silent { 4 } else { 6 };
        let after = (first + 1..=10).map(|k| f64::from(k) * 0.01);
        let expected: Vec<f64> = [0.0, 0.04].into_iter().chain(after).collect();
        assert_times(&outcome.rows, &expected);
        assert_eq!(outcome.last, on_the_cpu(10));
    }
}

#[test]
fn a_state_without_finite_energy_is_not_good_and_the_frame_before_it_is() {
    // Found by the next step, or at the frame.
    for step in [6, 8] {
        let spoiled = Trouble { spoiled_after: Some(step), ..Trouble::default() };
        let outcome = run("--time 0.1 --every 0.04", spoiled);
        assert!(matches!(outcome.ending, Ending::Failed(_)), "{:?}", outcome.ending);
        assert_eq!(outcome.steps, 4);
        assert_times(&outcome.rows, &[0.0, 0.04]);
        assert_eq!(outcome.last, on_the_cpu(4));
    }
}
