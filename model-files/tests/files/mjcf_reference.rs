//! MyoLegs against what MuJoCo 4.0 makes of it, where the reference data lie beside the repository (`../shared`, or the
//! folder that SINEW_SHARED names): poses, lengths, moment arms, forces of muscles, masses, a fall.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::axial::{AxialInput, Past, TensionLaw};
use sinew::model::MultiPointSpring;
use sinew::prelude::*;
use sinew::solve::{Integrator, NewtonSettings};
use sinew_model_files::{LoadOptions, ModelFile, load};

/// The model and its reference, in a folder with its parts but for the torso, which the reference leaves out, and the
/// meshes that are drawn alone.
struct Legs {
    _folder: tempfile::TempDir,
    path: PathBuf,
    reference: Value,
}

fn legs() -> Option<Legs> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, PathBuf::from);
    let data = shared.join("datasets/msk_mjcf/myo_sim");
    if !data.is_dir() {
        println!("the reference data is not there ({}): nothing to compare", shared.display());
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("myo_sim");
    let leg = home.join("leg");
    for part in ["leg/assets", "scene", "meshes"] {
        std::fs::create_dir_all(home.join(part)).unwrap();
    }
    let text = std::fs::read_to_string(data.join("leg/myolegs.xml")).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("myotorso")).collect();
    let path = leg.join("myolegs.xml");
    std::fs::write(&path, kept.join("\n")).unwrap();
    for part in [
        "leg/assets/myolegs_assets.xml",
        "leg/assets/myolegs_chain.xml",
        "leg/assets/myolegs_tendon.xml",
        "leg/assets/myolegs_muscle.xml",
        "scene/myosuite_scene_noPedestal.xml",
        "meshes/r_talus.stl",
        "meshes/l_talus.stl",
        "meshes/r_patella.stl",
        "meshes/l_patella.stl",
        "meshes/r_bofoot.stl",
        "meshes/l_bofoot.stl",
    ] {
        std::fs::copy(data.join(part), home.join(part)).unwrap();
    }
    let list = shared.join("reference/validation/musculoskeletal.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    let list = all.as_array().or_else(|| all["items"].as_array()).unwrap();
    let found = list.iter().find(|it| it["id"] == "MSK-MJ-myolegs-no-torso").unwrap();
    Some(Legs { reference: found["reference"].clone(), _folder: folder, path })
}

impl Legs {
    /// The model in the first keyframe with other values of some coordinates.
    fn posed(&self, q: &[(&str, f64)]) -> ModelFile {
        let given = q.iter().map(|(name, value)| ((*name).to_owned(), format!("{value}")));
        let key = ("key".to_owned(), "0".to_owned());
        let parameters = std::iter::once(key).chain(given).collect();
        let options = LoadOptions { parameters, ..LoadOptions::default() };
        load(&self.path, &options).unwrap_or_else(|report| panic!("{}", report.render(false)))
    }

    fn start(&self) -> &Value {
        &self.reference["kinematics"]["poses"]["start"]
    }
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_iterator(value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()))
}

fn pose(model: &Model, name: &str) -> sinew::constraint::Pose {
    model.iter::<RigidBody>().find(|it| it.1.name == name).unwrap().1.pose
}

/// Lengths of lines by name [m].
fn lengths(model: &Model) -> std::collections::BTreeMap<String, f64> {
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let length = |it| compiled.stretch_of_line(it, &state).unwrap()[0];
    model.iter::<MultiPointSpring>().map(|it| (it.1.name.clone(), length(it.0))).collect()
}

#[test]
fn legs_stand_and_pull_as_those_of_mujoco() {
    let Some(legs) = legs() else { return };
    let (file, start) = (legs.posed(&[]), legs.start());
    let model = &file.model;
    let mut worst = [0f64; 4];
    for (name, place) in start["body_position"].as_object().unwrap() {
        let found = pose(model, name);
        worst[0] = worst[0].max((found.translation.vector - vector(place)).norm());
        let turn = &start["body_quaternion_wxyz"][name];
        let turn: Vec<f64> = turn.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let q = found.rotation.quaternion();
        let found = [q.w, q.i, q.j, q.k];
        let off = |sign: f64| (0..4).map(|k| (found[k] * sign - turn[k]).abs()).fold(0.0, f64::max);
        worst[1] = worst[1].max(off(1.0).min(off(-1.0)));
    }
    let found = lengths(model);
    for (name, length) in start["actuator_length"].as_object().unwrap() {
        worst[2] = worst[2].max((found[name] - length.as_f64().unwrap()).abs());
    }
    for (activation, key) in [
        (0.0, "actuator_force_ctrl0.0_act0.0"),
        (0.5, "actuator_force_ctrl0.5_act0.5"),
        (1.0, "actuator_force_ctrl1.0_act1.0"),
    ] {
        for (_, line) in model.iter::<MultiPointSpring>() {
            let expected = -start[key][&line.name].as_f64().unwrap();
            let input = AxialInput {
                length: found[&line.name],
                excitation: activation,
                ..AxialInput::default()
            };
            let pull = line.material.tension(&input, &Past::NONE).force;
            worst[3] = worst[3].max((pull - expected).abs() / (1e-8 * expected.abs() + 1e-6));
        }
    }
    println!("worst places, quaternions, lengths, forces over the tolerance: {worst:?}");
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10 && worst[2] < 1e-9 && worst[3] < 1.0, "{worst:?}");
    let bodies = model.iter::<RigidBody>().filter(|it| it.1.dynamic);
    let parts: Vec<_> = bodies.map(|it| (it.1.pose, it.1.spatial_inertia().unwrap())).collect();
    let mass: f64 = parts.iter().map(|it| it.1.mass()).sum();
    let centre = |(pose, it): &(sinew::constraint::Pose, SpatialInertia)| {
        pose.transform_point(&it.center_of_mass().into()).coords * it.mass()
    };
    let centre: Vec3 = parts.iter().map(centre).sum::<Vec3>() / mass;
    assert!((mass / start["total_mass"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{mass}");
    assert!((centre - vector(&start["com"])).norm() < 1e-9, "{centre}");
}

#[test]
fn lengths_and_moment_arms_over_all_ranges_are_those_of_mujoco() {
    let Some(legs) = legs() else { return };
    let sweeps = legs.reference["kinematics"]["sweeps"].as_object().unwrap();
    let mut worst = [(0f64, String::new()), (0f64, String::new()), (0f64, String::new())];
    let mut note = |which: usize, off: f64, what: String| {
        if off > worst[which].0 || off.is_nan() {
            worst[which] = (off, what);
        }
    };
    // The other side is its mirror image; one coordinate of it stands for all.
    for (joint, sweep) in sweeps.iter().filter(|it| it.0.ends_with("_r") || it.0 == "knee_angle_l")
    {
        for (k, value) in sweep["values"].as_array().unwrap().iter().enumerate() {
            if k % 2 == 1 {
                continue;
            }
            let q = value.as_f64().unwrap();
            let model = legs.posed(&[(joint.as_str(), q)]).model;
            let at = |name: &str| format!("{name} at {joint} {q}");
            for (name, places) in sweep["body_position"].as_object().unwrap() {
                let off = pose(&model, name).translation.vector - vector(&places[k]);
                note(0, off.norm(), at(name));
            }
            let found = lengths(&model);
            let moved = |by: f64| lengths(&legs.posed(&[(joint.as_str(), q + by)]).model);
            let sides = (k == 4).then(|| [moved(-1e-6), moved(1e-6)]);
            for (tendon, list) in sweep["tendon_length"].as_object().unwrap() {
                let name = tendon.strip_suffix("_tendon").unwrap();
                note(1, (found[name] - list[k].as_f64().unwrap()).abs(), at(name));
                if let Some([low, high]) = &sides {
                    let arm = (high[name] - low[name]) / 2e-6;
                    let expected = sweep["moment"][tendon][k].as_f64().unwrap();
                    note(2, (arm - expected).abs(), at(name));
                }
            }
        }
    }
    println!("worst places, lengths, moment arms: {worst:?}");
    // Differences of lengths are good to 1e-9 of a metre.
    assert!(worst[0].0 < 1e-10 && worst[1].0 < 1e-9 && worst[2].0 < 1e-8, "{worst:?}");
}

#[test]
fn legs_fall_with_their_muscles_as_those_of_mujoco() {
    let Some(legs) = legs() else { return };
    let set =
        legs.reference["forward"].as_array().unwrap().iter().find(|it| it["set"] == "A").unwrap();
    let text = std::fs::read_to_string(&legs.path).unwrap();
    let text = text.replace("<asset>", "<option><flag contact=\"disable\"/></option><asset>");
    std::fs::write(&legs.path, text).unwrap();
    let integrator = Integrator::Midpoint(NewtonSettings::default());
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let mut simulation = Simulation::new(legs.posed(&[]).model, settings).unwrap();
    // Activations begin at 0: excitations begin after the start.
    simulation.state().unwrap();
    let handles: Vec<_> = simulation.model().iter::<MultiPointSpring>().map(|it| it.0).collect();
    for handle in handles {
        let line = simulation.model_mut().get_mut(handle).unwrap();
        line.excitation = set["ctrl"][&line.name].as_f64().unwrap();
    }
    let samples = set["runs"]["RK4_5e-5"]["trajectory"].as_array().unwrap();
    let sample = samples.iter().find(|it| it["t"].as_f64().unwrap() > 0.04).unwrap();
    let time = sample["t"].as_f64().unwrap();
    let count = (time / 2.5e-3).round() as usize;
    for _ in 0..count {
        simulation.step(time / count as f64).unwrap();
    }
    // The pelvis is the first body: its place, and the foot by its coordinates.
    let q: Vec<f64> =
        sample["qpos"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let handle = simulation.model().iter::<RigidBody>().find(|it| it.1.name == "root").unwrap().0;
    let root = simulation.pose(handle).unwrap();
    let turn =
        nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(q[3], q[4], q[5], q[6]));
    let off = (root.translation.vector - Vec3::new(q[0], q[1], q[2])).norm();
    let turned = root.rotation.angle_to(&turn);
    println!("after {time} s: {off} m, {turned} rad");
    assert!(off < 1e-3 && turned < 5e-3, "{off} {turned}");
}
