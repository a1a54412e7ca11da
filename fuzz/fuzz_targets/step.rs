//! Steps of a model built from any bytes: a step may be refused, but not panic, hang, or leave a state with numbers that
//! are none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::solve::MechSystemSolver;
use sinew_datasets::random::{Draws, random_scene};

/// Steps of one model.
const STEPS: usize = 5;

fuzz_target!(|bytes: &[u8]| {
    let scene = random_scene(&mut Draws::from_bytes(bytes));
    let compiled = scene.model.compile().expect("random scenes compile");
    let Ok(mut solver) = MechSystemSolver::new(&compiled, scene.settings) else { return };
    let mut state = compiled.initial_state();
    for _ in 0..STEPS {
        let ended = solver.step(&compiled, &mut state, scene.step).is_err();
        assert!(state.q.iter().chain(&state.u).flatten().all(|x| x.is_finite()));
        if ended {
            return;
        }
    }
});
