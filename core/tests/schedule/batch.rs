//! Many simulations of one model: each as it would be alone, on one compiled model until its numbers differ.

use sinew::property::PropertyRef;
use sinew::schedule::{Batch, Lasting, Scheduler, SchedulerSettings};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State};

use crate::scenes::{built, default_run, jaw_with_contact, real, state};

const H: f64 = 0.01;

fn states(batch: &mut Batch) -> Vec<State> {
    batch.instances_mut().iter_mut().map(state).collect()
}

fn compiled(of: &Scheduler) -> *const CompiledModel {
    of.simulation().compiled()
}

#[test]
fn instances_take_the_steps_of_single_runs_bit_for_bit_and_share_what_is_compiled() {
    let model = jaw_with_contact();
    let steps = SchedulerSettings::with_step(H);
    let mut batch = Batch::new(&model, 3, (SolverSettings::default(), steps)).unwrap();
    let muscle = "/models/jaw-tongue-hyoid/axial_springs/lip:excitation";
    let mut alone: Vec<Scheduler> = (0..3).map(|_| default_run(model.clone(), H)).collect();
    let excitation: PropertyRef = alone[0].simulation().property(muscle).unwrap();
    for step in 0..8 {
        if step == 3 {
            let values = [0.2, 0.7];
            batch.write(&[0, 2], (&[excitation], &values), Lasting::Fed).unwrap();
            for (k, value) in [0, 2].into_iter().zip(values) {
                alone[k].simulation_mut().feed(&excitation, &[value]).unwrap();
            }
        }
        assert!(batch.step().iter().all(Result::is_ok));
        alone.iter_mut().for_each(|it| {
            it.step().unwrap();
        });
        let expected: Vec<State> = alone.iter_mut().map(state).collect();
        assert!(states(&mut batch) == expected, "step {step}");
        let of = batch.instances();
        let shared = compiled(&of[0]) == compiled(&of[1]) && compiled(&of[1]) == compiled(&of[2]);
        assert_eq!(shared, step < 3, "step {step}");
    }
    assert_eq!(batch.read(&[excitation]).unwrap(), [0.2, real(&mut alone[1], muscle), 0.7]);
}

#[test]
fn chosen_instances_go_back_to_the_start() {
    let model = built("chain", &[]);
    let steps = SchedulerSettings::with_step(H);
    let mut batch = Batch::new(&model, 4, (SolverSettings::default(), steps)).unwrap();
    let start = states(&mut batch);
    assert!(batch.run(0.05).iter().all(Result::is_ok));
    let later = states(&mut batch);
    batch.reset(&[3, 1]).unwrap();
    let now = states(&mut batch);
    assert!(now[1] == start[1] && now[3] == start[3] && now[0] == later[0] && now[2] == later[2]);
    assert!(later[0] != start[0]);
}
