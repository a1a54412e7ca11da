//! Gradients of tissue whose muscles are active, where the matrix of a step is far from a symmetric one.

use sinew::model::{Model, MuscleExciter};
use sinew::property::Value;
use sinew::solve::{Integrator, MechSystemSolver};
use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};

use crate::gradients::{H, check_parameters, settings};

/// Excites the muscles of a tongue, each with another share of a level; their paths.
fn excite(model: &mut Model, level: f64) -> Vec<String> {
    let exciters: Vec<_> = model.iter::<MuscleExciter>().map(|(handle, _)| handle).collect();
    let mut paths = Vec::new();
    for (k, handle) in exciters.into_iter().enumerate() {
        let property = model.property_of(handle, "excitation").unwrap();
        let share = 0.3 + 0.1 * ((3 * k) % 7) as f64;
        model.set_property(&property, Value::Real(level * share)).unwrap();
        paths.push(model.property_path(&property));
    }
    paths
}

/// The tongue of 228 elements, whose eleven muscles pull with some tenth of their strength: by two of them. Some of its fibres are as long
/// as at rest, where they have no derivative by positions.
#[test]
fn gradients_of_the_tongue_with_active_muscles_are_those_of_its_steps() {
    let task = Some(Manoeuvre::Rest);
    let mut model =
        tongue(&TongueParams { resolution: 0, task, ..TongueParams::default() }).unwrap();
    let settings = settings(Integrator::BackwardEuler);
    // Activations rise from those of smaller excitations.
    excite(&mut model, 0.1);
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut start = compiled.initial_state();
    for _ in 0..4 {
        solver.step(&compiled, &mut start, H).unwrap();
    }
    let paths = excite(&mut model, 0.4);
    assert_eq!(paths.len(), 11);
    check_parameters(&model, &paths[2..4], &start, (settings, 2), "tongue");
}
