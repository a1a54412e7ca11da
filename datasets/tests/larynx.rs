//! The larynx: folds that are sound and mirror images, muscles that bring them together, part them and lengthen them.

use sinew::Vec3;
use sinew::model::{FrameMarker, Model, MuscleExciter};
use sinew::property::Value;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

fn built(arguments: &[&str]) -> Model {
    (find("larynx").unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// A task whose greatest excitations act from 0.1 s on, after so many steps of 10 ms.
fn sustained(arguments: &[&str], steps: usize) -> Scheduler {
    let mut model = built(arguments);
    let names: Vec<String> =
        model.iter::<MuscleExciter>().map(|(_, exciter)| exciter.name.clone()).collect();
    for name in names {
        let path = format!("/models/larynx/exciters/{name}:schedule");
        model.set_text(&path, "0 0 0.1 1").unwrap();
    }
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    (0..steps).for_each(|step| {
        scheduler.step().unwrap_or_else(|error| panic!("{arguments:?}, step {step}: {error}"));
    });
    scheduler
}

/// Place of a marker now [mm].
fn place(scheduler: &mut Scheduler, name: &str) -> Vec3 {
    let simulation = scheduler.simulation_mut();
    let marker = simulation.model().iter::<FrameMarker>().find(|(_, it)| it.name == name);
    let marker = marker.unwrap().0;
    simulation.position(marker).unwrap() * 1e3
}

/// Distance between the vocal processes, and length of the left fold [mm].
fn glottis(scheduler: &mut Scheduler) -> [f64; 2] {
    let [left, right, front] = ["left_vocal_process", "right_vocal_process", "left_commissure"]
        .map(|name| place(scheduler, name));
    assert!((left - Vec3::new(right.x, -right.y, right.z)).norm() < 0.05, "{left:?} {right:?}");
    [(left - right).norm(), (left - front).norm()]
}

#[test]
fn folds_are_sound_and_mirror_images_and_every_muscle_has_its_exciter() {
    for (resolution, count) in [(0, 240), (1, 1920)] {
        let model = built(&[&format!("resolution={resolution}")]);
        model.check().unwrap();
        let [left, right] = [0, 1].map(|k| &model.fem(k).mesh);
        for mesh in [left, right] {
            assert_eq!(mesh.element_count(), count);
            let qualities = mesh.element_qualities().into_iter().map(|q| q.scaled_jacobian);
            let least = qualities.fold(f64::INFINITY, f64::min);
            assert!(least > 0.6, "quality {least}");
        }
        for (a, b) in left.nodes.iter().zip(&right.nodes) {
            assert_eq!([a.x, a.y, a.z], [b.x, -b.y, b.z]);
        }
        assert_eq!(model.iter::<MuscleExciter>().count(), 5);
    }
}

#[test]
fn adductors_bring_the_folds_together_until_they_touch() {
    let mut closed = sustained(&["task=adduct"], 25);
    let [gap, length] = glottis(&mut closed);
    assert!(gap < 2.0 && (10.5..13.5).contains(&length), "{gap} {length} mm");
    let simulation = closed.simulation_mut();
    let area = simulation.property("/models/larynx/collision_behaviors/glottis:contact_area");
    let Value::Real(area) = simulation.get(&area.unwrap()).unwrap() else { panic!("a number") };
    assert!(area > 5e-6, "{area} m²");
}

/// Folds whose muscle is soft across its fibres buckle when it pulls as hard as this, and turn inside out.
#[test]
fn folds_stay_whole_at_four_times_the_effort() {
    let [gap, length] = glottis(&mut sustained(&["task=adduct", "effort=4"], 20));
    assert!(gap < 2.0 && length > 8.0, "{gap} {length} mm");
}

#[test]
fn the_posterior_muscle_opens_the_glottis_as_for_a_breath() {
    let [gap, _] = glottis(&mut sustained(&["task=abduct"], 25));
    assert!((8.0..14.0).contains(&gap), "{gap} mm");
}

#[test]
fn the_cricothyroid_lengthens_the_folds_and_nothing_moves_at_rest() {
    let [gap, rest] = glottis(&mut sustained(&["task=rest"], 2));
    assert!((gap - 4.4).abs() < 1e-6, "{gap} mm");
    let [_, stretched] = glottis(&mut sustained(&["task=pitch"], 30));
    let strain = stretched / rest - 1.0;
    assert!((0.15..0.35).contains(&strain), "{strain}");
}
