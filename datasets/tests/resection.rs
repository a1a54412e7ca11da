//! The jaw without its left body, and rebuilt: parts of the bone that are closed and add up, muscles that let go, a chin that goes to
//! the side which is gone and comes back with a graft.

use sinew::model::{AxialSpring, FrameMarker, Joint, Model, RigidBody};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

fn built(mandible: &str) -> Model {
    let arguments = ["task=open".to_owned(), format!("mandible={mandible}")];
    (find("jaw-tongue-hyoid").unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

fn volume(model: &Model, name: &str) -> f64 {
    let body = model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap().1;
    let mesh = body.mesh.as_ref().unwrap();
    let topology = mesh.topology();
    assert!(topology.is_closed() && topology.is_manifold(), "{name}");
    // Of the density of the whole, 0.2 kg.
    let mass = body.spatial_inertia().unwrap().mass();
    assert!((mass / mesh.signed_volume() / 3340.0 - 1.0).abs() < 0.01, "{name}: {mass} kg");
    mesh.signed_volume()
}

#[test]
fn the_parts_of_the_mandible_are_closed_and_add_up_but_for_the_teeth() {
    let [resected, rebuilt] = ["resected", "rebuilt"].map(built);
    resected.check().unwrap();
    rebuilt.check().unwrap();
    let [rest, ramus] = ["mandible", "left_ramus"].map(|name| volume(&resected, name));
    let graft = volume(&rebuilt, "graft");
    // The whole is 59.9 cm³; four crowns and what lies above the graft are gone.
    assert!((30e-6..45e-6).contains(&rest) && (5e-6..12e-6).contains(&ramus), "{rest} {ramus} m³");
    assert!((52e-6..59.9e-6).contains(&(rest + ramus + graft)), "{rest} {ramus} {graft} m³");
    assert_eq!(rebuilt.iter::<Joint>().count(), 2);
}

#[test]
fn what_ended_on_the_removed_part_is_gone_and_what_ends_on_the_ramus_pulls_the_ramus() {
    let [whole, resected] = ["whole", "resected"].map(built);
    let names = |model: &Model| -> Vec<String> {
        model.iter::<AxialSpring>().map(|(_, spring)| spring.name.clone()).collect()
    };
    let kept = names(&resected);
    let gone: Vec<String> = names(&whole).into_iter().filter(|name| !kept.contains(name)).collect();
    assert_eq!(gone, ["lam", "lpm", "lbite"]);
    for muscle in ["lat", "lmt", "lpt", "lsm", "ldm", "lmp", "lip", "lsp"] {
        let end = format!("{muscle}_insertion");
        let marker = resected.iter::<FrameMarker>().find(|(_, it)| it.name == end).unwrap().1;
        assert_eq!(resected[marker.body].name, "left_ramus", "{muscle}");
    }
}

/// Place of the lower incisors after 0.16 s of opening [mm].
fn incisors(mandible: &str) -> [f64; 3] {
    let model = built(mandible);
    let marker = model.iter::<FrameMarker>().find(|(_, it)| it.name == "lower_incisor").unwrap().0;
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    (0..16).for_each(|step| {
        scheduler.step().unwrap_or_else(|error| panic!("{mandible}, step {step}: {error}"));
    });
    (scheduler.simulation_mut().position(marker).unwrap() * 1e3).into()
}

#[test]
fn the_chin_goes_to_the_resected_side_and_a_graft_brings_it_back() {
    let [resected, rebuilt] = ["resected", "rebuilt"].map(incisors);
    assert!(resected[1] > 4.0, "{resected:?} mm");
    assert!(rebuilt[1].abs() < 0.4 * resected[1], "{rebuilt:?} {resected:?} mm");
}
