//! No physiological activation ends a run: all muscles of the jaw excited at random, from rest.

use sinew::axial::AxialLaw;
use sinew::component::Handle;
use sinew::model::{AxialSpring, FemModel, Model};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

/// Numbers in [0, 1) of a fixed sequence (Steele2014, SplitMix64).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / 2f64.powi(64)
    }
}

fn resting_jaw() -> Model {
    let build = find("jaw-tongue-hyoid").unwrap().build;
    build(&mut Params::parse(["task=rest"]).unwrap()).unwrap()
}

/// A run of `steps` steps of `h` [s] with constant excitations drawn from `seed`; the steps that were taken in parts.
fn run(seed: u64, h: f64, steps: usize) -> Result<u64, String> {
    let mut model = resting_jaw();
    let muscles: Vec<Handle<AxialSpring>> = model
        .iter::<AxialSpring>()
        .filter(|(_, spring)| matches!(spring.material, AxialLaw::Peck(_)))
        .map(|(handle, _)| handle)
        .collect();
    let tongue = model.iter::<FemModel>().next().expect("a tongue").0;
    let mut draws = Draws(seed);
    for muscle in muscles {
        model[muscle].excitation = draws.next();
    }
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(h)).unwrap();
    for step in 0..steps {
        scheduler.step().map_err(|error| format!("seed {seed}, h {h}, step {step}: {error}"))?;
        let simulation = scheduler.simulation_mut();
        let state = simulation.state().unwrap().clone();
        let (worst, inverted) =
            simulation.compiled().at(&state).worst_volume_ratio(tongue).unwrap();
        if inverted > 0 {
            return Err(format!("seed {seed}, h {h}, step {step}: {inverted} inverted, J {worst}"));
        }
    }
    Ok(scheduler.halved_steps())
}

/// `EXCITATION_RUNS` asks for more runs than those of every day, of 0.3 s each, from the seed `EXCITATION_FIRST` on.
#[test]
fn random_excitations_of_all_muscles_end_no_run() {
    let asked = std::env::var("EXCITATION_RUNS").ok().map(|runs| runs.parse::<u64>().unwrap());
    let (runs, time) = asked.map_or((4, 0.1), |runs| (runs, 0.3));
    let mut failures = Vec::new();
    let mut halved = 0;
    let first = std::env::var("EXCITATION_FIRST").map_or(0, |first| first.parse::<u64>().unwrap());
    for seed in first..first + runs {
        // Steps of 10, 5, 2 and 1 ms in turn, most of them of 10.
        let h = if asked.is_some() {
            [0.01, 0.01, 0.005, 0.01, 0.002, 0.01, 0.001][seed as usize % 7]
        } else {
            0.01
        };
        match run(seed, h, (time / h) as usize) {
            Ok(parts) => halved += parts,
            Err(failure) => failures.push(failure),
        }
    }
    println!("{runs} runs, {} failures, {halved} steps halved", failures.len());
    assert!(failures.is_empty(), "{} of {runs} runs:\n{}", failures.len(), failures.join("\n"));
}
