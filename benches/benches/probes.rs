//! A step of the default model, and the same with 1,000 properties recorded at 1 kHz of simulated time:
//! ten rows a step of 10 ms, to CSV and to NPY.

use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::model::Model;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew_benches::{STEP, group, label};
use sinew_datasets::Params;
use sinew_recording::spec::{OutputProbeSpec, ProbeSet};
use sinew_recording::{Opening, attach};

const COUNT: usize = 1000;
const NAME: &str = "jaw-tongue-hyoid";

fn model() -> Model {
    let builtin = sinew_datasets::find(NAME).expect("it is built in");
    let mut params = Params::parse::<_, &str>([]).expect("no parameter is wrong");
    (builtin.build)(&mut params).expect("the defaults are in range")
}

/// Positions and velocities of nodes in turn, a thousand of them.
fn properties(model: &Model) -> Vec<String> {
    let (fem, tissue) = model.fems().next().expect("there is a tongue");
    let path = model.path(fem);
    let nodes = tissue.mesh.nodes.len();
    let name = |k: usize| if (k / nodes).is_multiple_of(2) { "position" } else { "velocity" };
    (0..COUNT).map(|k| format!("{path}/nodes/{}:{}", k % nodes, name(k))).collect()
}

/// A run with all of them recorded to a file of this ending, or without.
fn run(directory: &Path, ending: Option<&str>) -> Scheduler {
    let model = model();
    let properties = properties(&model);
    let simulation = Simulation::new(model, Default::default()).expect("it compiles");
    let settings = SchedulerSettings::with_step(STEP);
    let mut scheduler = Scheduler::new(simulation, settings).expect("the step is positive");
    if let Some(ending) = ending {
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
    for (name, ending) in [
        ("step", None),
        ("step and 1,000 properties to csv", Some("csv")),
        ("step and 1,000 properties to npy", Some("npy")),
    ] {
        let mut scheduler = run(&directory, ending);
        group.bench_function(label(name), |bencher| {
            bencher.iter(|| {
                if scheduler.steps().is_multiple_of(20) {
                    scheduler.reset().expect("it goes back");
                }
                scheduler.step().expect("it steps")
            });
        });
    }
    group.finish();
    // A leftover in a directory of temporary files would be harmless.
    let _ = std::fs::remove_dir_all(&directory);
}

criterion_group!(benches, probes);
criterion_main!(benches);
