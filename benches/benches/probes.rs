//! A step of the default model of 1 ms, and the same with 1,000 properties recorded at 1 kHz, a row a step: of
//! one number each, and of vectors, which are 3,000 numbers.

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use sinew::model::{Model, MuscleExciter};
use sinew::property::PropertyRef;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::simulated::Simulated;
use sinew_benches::{group, label, quick};
use sinew_datasets::Params;
use sinew_run_files::spec::{OutputProbeSpec, ProbeSet};
use sinew_run_files::write::create;
use sinew_run_files::{Opening, attach};

const COUNT: usize = 1000;
/// [s]
const STEP: f64 = 1e-3;
const NAME: &str = "jaw-tongue-hyoid";

fn model() -> Model {
    let builtin = sinew_datasets::find(NAME).expect("it is built in");
    let mut params = Params::parse::<_, &str>([]).expect("no parameter is wrong");
    (builtin.build)(&mut params).expect("the defaults are in range")
}

/// Excitations of exciters in turn, a thousand times: one number each.
fn scalars(model: &Model) -> Vec<String> {
    let exciters: Vec<_> = model.iter::<MuscleExciter>().map(|(it, _)| model.path(it)).collect();
    exciters.iter().cycle().take(COUNT).map(|path| format!("{path}:excitation")).collect()
}

/// Positions and velocities of nodes in turn, a thousand of them.
fn vectors(model: &Model) -> Vec<String> {
    let (fem, tissue) = model.fems().next().expect("there is a tongue");
    let path = model.path(fem);
    let nodes = tissue.mesh.nodes.len();
    let name = |k: usize| if (k / nodes).is_multiple_of(2) { "position" } else { "velocity" };
    (0..COUNT).map(|k| format!("{path}/nodes/{}:{}", k % nodes, name(k))).collect()
}

/// Names the properties that are recorded.
type Name = fn(&Model) -> Vec<String>;

/// Properties that are recorded, and the ending of the file; none.
type Recorded = Option<(Name, &'static str)>;

/// A run with properties recorded to a file of this ending, or without.
fn run(directory: &Path, recorded: Recorded) -> Scheduler {
    let model = model();
    let recorded = recorded.map(|(name, ending)| (name(&model), ending));
    let simulation = Simulation::new(model, Default::default()).expect("it compiles");
    let settings = SchedulerSettings::with_step(STEP);
    let mut scheduler = Scheduler::new(simulation, settings).expect("the step is positive");
    if let Some((properties, ending)) = recorded {
        let probe = OutputProbeSpec {
            name: "all".into(),
            properties,
            file: Some(format!("all.{ending}").into()),
            every: 1e-3,
            ..OutputProbeSpec::default()
        };
        let probes = ProbeSet { output_probes: vec![probe], ..ProbeSet::default() };
        attach(&probes, &mut scheduler, [directory, directory], Opening::New)
            .expect("the files can be written");
    }
    scheduler.step().expect("it steps");
    scheduler
}

fn probes(criterion: &mut Criterion) {
    let mut group = group(criterion, "probes");
    let directory = std::env::temp_dir().join(format!("sinew_probes_{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let cases: [(&str, Recorded); 5] = [
        ("step", None),
        ("step and 1,000 numbers to csv", Some((scalars, "csv"))),
        ("step and 1,000 numbers to npy", Some((scalars, "npy"))),
        ("step and 1,000 vectors to csv", Some((vectors, "csv"))),
        ("step and 1,000 vectors to npy", Some((vectors, "npy"))),
    ];
    for (name, recorded) in cases {
        let mut scheduler = run(&directory, recorded);
        group.bench_function(label(name), |bencher| {
            bencher.iter(|| {
                if scheduler.steps().is_multiple_of(100) {
                    scheduler.reset().expect("it goes back");
                }
                scheduler.step().expect("it steps")
            });
        });
    }
    parts(&mut group, &directory);
    group.finish();
    for (name, recorded) in &cases[1..] {
        let share = share(&directory, *recorded);
        println!(
            "{name}: {:.1} % more than the step, smallest of {} in turns",
            100.0 * share,
            iterations()
        );
    }
    // A leftover in a directory of temporary files would be harmless.
    let _ = std::fs::remove_dir_all(&directory);
}

/// Times that the first steps are taken with and without probes, in turns.
fn iterations() -> usize {
    if quick() { 1 } else { 50 }
}

/// Share by which recording makes a step longer: the first steps with and without it in turns, so
/// that both see the same machine, and the smallest time of each step.
fn share(directory: &Path, recorded: Recorded) -> f64 {
    let mut runs = [run(directory, None), run(directory, recorded)];
    let mut smallest = [[Duration::MAX; 20]; 2];
    for _ in 0..iterations() {
        runs.iter_mut().for_each(|scheduler| scheduler.reset().expect("it goes back"));
        for at in 0..smallest[0].len() {
            for (scheduler, smallest) in runs.iter_mut().zip(&mut smallest) {
                let begun = Instant::now();
                scheduler.step().expect("it steps");
                smallest[at] = begun.elapsed().min(smallest[at]);
            }
        }
    }
    let [without, with] = smallest.map(|times| times.iter().sum::<Duration>().as_secs_f64());
    with / without - 1.0
}

/// Cost of a row: the properties read, the numbers written.
fn parts(group: &mut BenchmarkGroup<'_, WallTime>, directory: &Path) {
    let model = model();
    let compiled = model.compile().expect("it compiles");
    let state = compiled.initial_state();
    for (name, names) in [("numbers", scalars as Name), ("vectors", vectors)] {
        let handles =
            names(&model).iter().map(|path| model.property(path)).collect::<Result<_, _>>();
        let handles: Vec<PropertyRef> = handles.expect("they are there");
        let size = handles[0].info().value_type.numeric_size().expect("they are numbers");
        let mut row = vec![0.0; COUNT * size];
        let view = Simulated { model: &model, compiled: &compiled, state: &state };
        group.bench_function(label(format!("read 1,000 {name}")), |bencher| {
            bencher.iter(|| {
                for (handle, numbers) in handles.iter().zip(row.chunks_mut(size)) {
                    view.get_numbers(handle, numbers).expect("they have values");
                }
            });
        });
        // As many digits as most numbers have.
        row.iter_mut().zip(1..).for_each(|(x, k)| *x = f64::from(k).sqrt());
        for ending in ["csv", "npy"] {
            let columns: Vec<String> = (0..row.len()).map(|k| k.to_string()).collect();
            let file = directory.join(format!("row_{name}.{ending}"));
            let mut sink = create(&file, &columns, Opening::New).expect("it can be written");
            group.bench_function(label(format!("write 1,000 {name} to {ending}")), |bencher| {
                bencher.iter(|| sink.write(0.1, &row).expect("it can be written"));
            });
        }
    }
}

criterion_group!(benches, probes);
criterion_main!(benches);
