//! The face and the airway: meshes that are sound and mirror images, muscles that move what they are named for, an airway that its levators close
//! behind the palate and suction narrows.

use std::collections::BTreeSet;

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew_datasets::{Params, find};

fn built(name: &str, arguments: &[&str]) -> Model {
    (find(name).unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// Share of the volume of a slice of the air below which it counts as closed: grooves at both sides stay.
const CLOSED: f64 = 0.15;

/// Places of nodes in tenths of micrometres, mirrored or not.
fn places(mesh: &VolumeMesh, side: f64) -> BTreeSet<[i64; 3]> {
    let place = |p: &Vec3| [p.x, side * p.y, p.z].map(|x| (x * 1e7).round() as i64);
    mesh.nodes.iter().map(place).collect()
}

fn least_quality(mesh: &VolumeMesh) -> f64 {
    mesh.element_qualities().iter().map(|q| q.scaled_jacobian).fold(f64::INFINITY, f64::min)
}

#[test]
fn meshes_are_sound_and_mirror_images_and_refine_the_same_shape() {
    for (name, refused_below, counts) in
        [("face", 0.1, [3264, 9792]), ("airway", 0.4, [1680, 5670])]
    {
        let volumes = [0, 1].map(|resolution| {
            let model = built(name, &[&format!("resolution={resolution}")]);
            let mesh = &model.fem(0).mesh;
            assert_eq!(mesh.element_count(), counts[resolution], "{name} {resolution}");
            let quality = least_quality(mesh);
            assert!(quality > refused_below, "{name} {resolution}: quality {quality}");
            assert_eq!(places(mesh, 1.0), places(mesh, -1.0), "{name} {resolution}");
            crate::common::volume(mesh)
        });
        let change = volumes[1] / volumes[0] - 1.0;
        assert!(change.abs() < 0.05, "{name}: {volumes:?} m³");
    }
}

#[test]
fn every_muscle_of_the_face_has_fibres_on_both_sides_and_an_exciter() {
    let model = built("face", &[]);
    let exciters: Vec<_> = model.iter::<MuscleExciter>().collect();
    assert_eq!(exciters.len(), 13);
    for (_, bundle) in model.iter::<MuscleBundle>() {
        assert!(bundle.elements.len() >= 4, "{}: {} elements", bundle.name, bundle.elements.len());
    }
    assert_eq!(model.iter::<MuscleBundle>().count(), 26);
}

/// Forces at rest are those of rounding, which no iteration brings below itself.
#[test]
fn rules_that_iterate_take_the_first_step_from_rest() {
    let newton = NewtonSettings::default();
    let trapezoidal = Integrator::Trapezoidal(ImplicitMode::Newton(newton));
    for (name, rule) in [("face", trapezoidal), ("airway", Integrator::Midpoint(newton))] {
        let compiled = built(name, &["task=rest"]).compile().unwrap();
        let settings = SolverSettings { integrator: rule, ..SolverSettings::default() };
        let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let stats = solver.step(&compiled, &mut compiled.initial_state(), 0.01).unwrap();
        assert_eq!(stats.substeps, 1, "{name}, {rule:?}");
    }
}

/// A model whose tasks hold their greatest excitations and loads from 0.02 s on, stepped so many times by 20 ms.
fn sustained(name: &str, task: &str, steps: usize) -> Scheduler {
    let mut model = built(name, &[&format!("task={task}")]);
    let paths: Vec<String> = model
        .iter::<MuscleExciter>()
        .filter(|(_, exciter)| exciter.excitation > 0.0)
        .map(|(_, exciter)| format!("exciters/{}", exciter.name))
        .chain((task == "obstruct").then(|| "force_effectors/suction".to_owned()))
        .collect();
    for path in paths {
        model.set_text(&format!("/models/{name}/{path}:schedule"), "0 0 0.02 1").unwrap();
    }
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.02)).unwrap();
    (0..steps).for_each(|step| {
        scheduler.step().unwrap_or_else(|error| panic!("{task}, step {step}: {error}"));
    });
    scheduler
}

/// Mean displacement of a node set of the first tissue [mm].
fn displacement(scheduler: &mut Scheduler, set: &str) -> Vec3 {
    let simulation = scheduler.simulation_mut();
    let state = simulation.state().unwrap().clone();
    let (model, compiled) = (simulation.model(), simulation.compiled());
    let (fem, mesh) = (model.nth::<FemModel>(0), &model.fem(0).mesh);
    let nodes = &mesh.node_sets[set];
    let of = |&n: &u32| state.q[compiled.block_of_node(fem, n as usize)] - mesh.nodes[n as usize];
    nodes.iter().map(of).sum::<Vec3>() * (1e3 / nodes.len() as f64)
}

#[test]
fn a_smile_draws_the_corners_of_the_mouth_up_and_out_alike() {
    let mut smile = sustained("face", "smile", 3);
    let [left, right] =
        ["left", "right"].map(|side| displacement(&mut smile, &format!("{side}_mouth_corner")));
    assert!(left.y > 0.3 && left.z > 0.3, "{left:?} mm");
    assert!((left - Vec3::new(right.x, -right.y, right.z)).norm() < 0.05, "{left:?} {right:?} mm");
}

/// Least distances across the mouth at resolution 0, from the outside inwards, of each column of nodes [mm].
fn openings(scheduler: &mut Scheduler) -> Vec<f64> {
    const LAYERS: u32 = 3;
    let simulation = scheduler.simulation_mut();
    let state = simulation.state().unwrap().clone();
    let (model, compiled) = (simulation.model(), simulation.compiled());
    let (fem, sets) = (model.nth::<FemModel>(0), &model.fem(0).mesh.node_sets);
    let height = |node: u32| state.q[compiled.block_of_node(fem, node as usize)].z * 1e3;
    let columns = sets["upper_lip"].iter().zip(&sets["lower_lip"]);
    let of = |(&upper, &lower): (&u32, &u32)| {
        let depths = (0..=LAYERS).map(|level| height(upper + level) - height(lower + level));
        depths.fold(f64::INFINITY, f64::min)
    };
    columns.map(of).collect()
}

#[test]
fn a_pucker_closes_and_narrows_the_mouth_and_a_frown_lowers_its_corners() {
    let mut pucker = sustained("face", "pucker", 5);
    // Lips touch at 0.2 mm, and begin 0.4 mm apart.
    let openings = openings(&mut pucker);
    assert!(openings.len() == 11 && openings.iter().all(|it| *it < 0.35), "{openings:?} mm");
    let pucker = displacement(&mut pucker, "left_mouth_corner");
    assert!(pucker.y < -0.5, "{pucker:?} mm");
    let frown = displacement(&mut sustained("face", "frown", 5), "left_mouth_corner");
    assert!(frown.z < -0.5, "{frown:?} mm");
}

#[test]
fn a_blink_brings_the_lids_together() {
    let mut blink = sustained("face", "blink", 3);
    let upper = displacement(&mut blink, "left_upper_lid").z;
    let lower = displacement(&mut blink, "left_lower_lid").z;
    assert!(upper < -0.4 && lower > 0.2, "{upper} {lower} mm");
}

/// Volume of each slice of the air over that at rest, from the choanae down.
fn slices(scheduler: &mut Scheduler) -> Vec<f64> {
    let simulation = scheduler.simulation_mut();
    let state = simulation.state().unwrap().clone();
    let (model, compiled) = (simulation.model(), simulation.compiled());
    let (air, rest) = (model.nth::<FemModel>(1), &model.fem(1).mesh);
    let mut now = rest.clone();
    for (n, place) in now.nodes.iter_mut().enumerate() {
        *place = state.q[compiled.block_of_node(air, n)];
    }
    let volume = |mesh: &VolumeMesh, k: usize| -> f64 {
        let elements = mesh.element_sets[&format!("station_{k}")].iter().map(|&e| e as usize);
        elements.map(|e| sinew::io::element_volume(mesh, e)).sum()
    };
    (0..10).map(|k| volume(&now, k) / volume(rest, k)).collect()
}

fn least(slices: &[f64]) -> f64 {
    slices.iter().copied().fold(f64::INFINITY, f64::min)
}

/// 0.4 s with the greatest excitation from 0.02 s on, in which steps at the wall were once taken in ever smaller parts.
#[test]
fn levators_raise_the_velum_to_the_wall() {
    let mut raised = sustained("airway", "raise", 20);
    let velum = displacement(&mut raised, "velum_middle");
    let slices = slices(&mut raised);
    assert!(velum.x < -2.0 && velum.z > 3.0 && least(&slices) < 0.35, "{velum:?} mm, {slices:?}");
}

#[test]
fn suction_closes_the_airway_behind_the_velum() {
    let slices = slices(&mut sustained("airway", "obstruct", 20));
    let closed = (0..10).min_by(|a, b| slices[*a].total_cmp(&slices[*b])).unwrap();
    assert!(slices[closed] < CLOSED && (2..5).contains(&closed), "{slices:?}");
}

#[test]
fn a_ventricle_has_sound_elements_and_fibres_and_its_apex_stays_on_the_axis() {
    let model = built("ventricle", &[]);
    let mesh = &model.fem(0).mesh;
    assert!(least_quality(mesh) > 0.1, "quality {}", least_quality(mesh));
    let faces = ["endocardium", "epicardium", "base"].map(|name| mesh.face_sets[name].len());
    assert_eq!(faces, [48, 48, 16]);
    let fibres = mesh.node_fields["myofibres"].values.as_chunks::<3>().0;
    let off_axis = |k: &usize| mesh.nodes[*k].xy().norm() > 1e-9;
    for k in (0..mesh.nodes.len()).filter(off_axis) {
        let length = Vec3::from(fibres[k]).norm();
        assert!((length - 1.0).abs() < 1e-12, "node {k}: {length}");
    }
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    (0..3).for_each(|step| {
        scheduler.step().unwrap_or_else(|error| panic!("step {step}: {error}"));
    });
    let apex = displacement(&mut scheduler, "apex");
    assert!(apex.z.abs() > 0.02 && apex.xy().norm() < 1e-3 * apex.z.abs(), "{apex:?} mm");
}
