//! Documents of OpenSim against what OpenSim 4.6 makes of them, where the reference data lie beside the
//! repository (`../shared`, or the folder that SINEW_SHARED names): poses, lengths and masses.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::axial::{AxialInput, Past, TensionLaw};
use sinew::model::CustomJoint;
use sinew::model::{AxialSpring, FrameMarker, Model, MultiPointSpring, PointRef, RigidBody};
use sinew::prelude::*;
use sinew_files::{LoadOptions, load};

use super::loaded;

fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, PathBuf::from);
    let there = shared.join("datasets/msk_osim").is_dir();
    if !there {
        println!("the reference data is not there ({}): nothing to compare", shared.display());
    }
    there.then_some(shared)
}

fn references(shared: &Path) -> Vec<Value> {
    let path = shared.join("reference/validation/musculoskeletal.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = all.as_array().or_else(|| all["items"].as_array()).unwrap().clone();
    let osim = |it: &Value| it["id"].as_str().is_some_and(|id| id.starts_with("MSK-OSIM"));
    list.into_iter().filter(osim).map(|it| it["reference"].clone()).collect()
}

/// The model with other values of its coordinates.
fn posed(text: &str, folder: &Path, q: &[(&str, f64)]) -> Model {
    let mut text = text.to_owned();
    for (name, value) in q {
        let at = text.find(&format!("<Coordinate name=\"{name}\">")).unwrap();
        let open = at + text[at..].find("<default_value>").unwrap() + "<default_value>".len();
        let close = open + text[open..].find('<').unwrap();
        text.replace_range(open..close, &format!("{value}"));
    }
    let path = folder.join("model.osim");
    std::fs::write(&path, text).unwrap();
    loaded(&path).model
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_iterator(value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()))
}

fn point(model: &Model, name: &str) -> Option<Vec3> {
    if let Some(name) = name.strip_prefix("marker:") {
        let mut markers = model.iter::<FrameMarker>();
        return markers.find(|it| it.1.name == name)?.1.position(model);
    }
    let mut bodies = model.iter::<RigidBody>();
    Some(bodies.find(|it| it.1.name == name)?.1.pose.translation.vector)
}

fn length(model: &Model, name: &str) -> Option<f64> {
    let line = model.iter::<AxialSpring>().find(|it| it.1.name == name);
    let path = model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
    let points = match (line, path) {
        (Some((_, line)), _) => line.ends.to_vec(),
        (_, Some((_, path))) => path.points.clone(),
        _ => return None,
    };
    let place = |point: &PointRef| match point {
        PointRef::Marker(marker) => model.get(*marker)?.position(model),
        _ => None,
    };
    let places: Vec<Vec3> = points.iter().map(place).collect::<Option<_>>()?;
    Some(places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum())
}

/// Worst difference of points and of lengths [m], and whose.
#[derive(Debug, Default)]
struct Worst {
    point: (f64, String),
    length: (f64, String),
    lengths: usize,
}

impl Worst {
    fn point(&mut self, off: f64, name: &str) {
        if off > self.point.0 || off.is_nan() {
            self.point = (off, name.to_owned());
        }
    }

    fn length(&mut self, off: f64, name: &str) {
        self.lengths += 1;
        if off > self.length.0 || off.is_nan() {
            self.length = (off, name.to_owned());
        }
    }
}

/// Names of muscles that pass round wrap objects, which are not read yet.
fn wrapped(text: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(text).unwrap();
    let wraps = document.descendants().filter(|it| it.has_tag_name("PathWrap"));
    let muscle =
        |it: roxmltree::Node<'_, '_>| it.ancestors().nth(4)?.attribute("name").map(str::to_owned);
    wraps.filter_map(muscle).collect()
}

#[test]
fn poses_and_lengths_over_all_ranges_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let text = std::fs::read_to_string(shared.join("datasets/msk_osim").join(file)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let wrapped = wrapped(&text);
        let kinematics = &reference["kinematics"];
        let mut worst = Worst::default();
        let default = &kinematics["default"];
        let model = posed(&text, folder.path(), &[]);
        for (name, place) in default["points"].as_object().unwrap() {
            worst.point((point(&model, name).unwrap() - vector(place)).norm(), name);
        }
        for (name, expected) in default["muscle_lengths"].as_object().unwrap() {
            if !wrapped.contains(name) {
                let off = length(&model, name).unwrap() - expected.as_f64().unwrap();
                worst.length(off.abs(), name);
            }
        }
        for (coordinate, sweep) in kinematics["sweeps"].as_object().unwrap() {
            for (k, value) in sweep["values"].as_array().unwrap().iter().enumerate() {
                let model = posed(&text, folder.path(), &[(coordinate, value.as_f64().unwrap())]);
                let at = |name: &str| format!("{name} at {coordinate} {value}");
                for (name, places) in sweep["points"].as_object().unwrap() {
                    worst.point(
                        (point(&model, name).unwrap() - vector(&places[k])).norm(),
                        &at(name),
                    );
                }
                for (name, muscle) in sweep["muscles"].as_object().unwrap() {
                    if !wrapped.contains(name) {
                        let expected = muscle["length"][k].as_f64().unwrap();
                        worst.length((length(&model, name).unwrap() - expected).abs(), &at(name));
                    }
                }
            }
        }
        println!("{file}: {worst:?}");
        // The tolerances of the reference.
        assert!(worst.point.0 < 1e-8 && worst.length.0 < 1e-8, "{file}: {worst:?}");
    }
}

/// Tension at rest [N] of a muscle of the model.
fn tension(model: &Model, name: &str, excitation: f64) -> Option<f64> {
    let line = model.iter::<AxialSpring>().find(|it| it.1.name == name).map(|it| it.1.material);
    let path = model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
    let law = line.or(path.map(|it| it.1.material))?;
    let input = AxialInput { length: length(model, name)?, excitation, ..AxialInput::default() };
    let mut state = vec![0.0; law.state_len()];
    law.start(&input, &mut state);
    Some(law.tension(&input, &Past::unchanged(&input, 0.0, &state)).force)
}

#[test]
fn tendons_at_rest_pull_as_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let path = shared.join("datasets/msk_osim").join(file);
        let wrapped = wrapped(&std::fs::read_to_string(&path).unwrap());
        let model = loaded(&path).model;
        for (activation, muscles) in reference["statics"]["by_activation"].as_object().unwrap() {
            for (name, expected) in muscles.as_object().unwrap() {
                if wrapped.contains(name) {
                    continue;
                }
                let found = tension(&model, name, activation.parse().unwrap()).unwrap();
                let expected = expected["tendon_force"].as_f64().unwrap();
                let force = reference["muscles"][name]["max_isometric_force"].as_f64().unwrap();
                // The tolerance of the reference.
                let off = (found - expected).abs() / (1e-3 * expected + 1e-4 * force);
                assert!(off < 1.0, "{file} {name} at {activation}: {found} N, {expected} N");
            }
        }
    }
}

#[test]
fn masses_of_documents_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let path = shared.join("datasets/msk_osim").join(file);
        let model = load(&path, &LoadOptions::default()).unwrap().model;
        let bodies = model.iter::<RigidBody>().filter(|it| it.1.dynamic);
        let parts: Vec<_> = bodies.map(|it| (it.1.pose, it.1.spatial_inertia().unwrap())).collect();
        let mass: f64 = parts.iter().map(|(_, it)| it.mass()).sum();
        let centre = |(pose, it): &(sinew::constraint::Pose, sinew::dynamics::SpatialInertia)| {
            pose.transform_point(&it.center_of_mass().into()).coords * it.mass()
        };
        let centre: Vec3 = parts.iter().map(centre).sum::<Vec3>() / mass;
        let default = &reference["kinematics"]["default"];
        let expected = default["total_mass"].as_f64().unwrap();
        assert!((mass / expected - 1.0).abs() < 1e-10, "{file}: {mass} {expected}");
        let expected = vector(&default["com_in_ground"]);
        assert!((centre - expected).norm() < 1e-8, "{file}: {centre} {expected}");
    }
}

/// Pelvis over the ground [m] 0.1 s after all muscles began to fall with the body, at an excitation of 0.05.
fn fallen_pelvis(mut model: Model) -> f64 {
    let lines: Vec<_> = model.iter::<AxialSpring>().map(|it| it.0).collect();
    let paths: Vec<_> = model.iter::<MultiPointSpring>().map(|it| it.0).collect();
    lines.into_iter().for_each(|it| model.get_mut(it).unwrap().excitation = 0.05);
    paths.into_iter().for_each(|it| model.get_mut(it).unwrap().excitation = 0.05);
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..100 {
        simulation.step(1e-3).unwrap();
    }
    let height = simulation.model().iter::<CustomJoint>().find(|it| it.1.name == "ground_pelvis");
    let (handle, joint) = height.map(|it| (it.0, it.1.clone())).unwrap();
    let known = &joint.functions().coordinates;
    let at = known.iter().position(|it| it.name == "pelvis_ty").unwrap();
    let joints = simulation.model().iter::<Joint>().map(|it| it.1.settings.coordinates.len());
    let before: usize = joints.sum();
    let customs = simulation.model().iter::<CustomJoint>().take_while(|it| it.0 != handle);
    let first: usize = before + customs.map(|it| it.1.coordinates.len()).sum::<usize>();
    simulation.state().unwrap().coordinates[first + at]
}

#[test]
fn bodies_fall_against_their_muscles_as_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let model = loaded(&shared.join("datasets/msk_osim").join(file)).model;
        let coordinates = reference["coordinates"].as_array().unwrap();
        let Some(at) = coordinates.iter().position(|it| it["name"] == "pelvis_ty") else {
            // Its muscles pass round wrap objects: it runs.
            let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
            for _ in 0..100 {
                simulation.step(1e-3).unwrap();
            }
            continue;
        };
        let sample = &reference["forward"]["runs"][0]["reference"]["trajectory"][1];
        assert!((sample["t"].as_f64().unwrap() - 0.1).abs() < 1e-9);
        let expected = sample["q"][at].as_f64().unwrap();
        let found = fallen_pelvis(model);
        // A fall of 47 mm. Points that move stay here, and a step of 1 ms is of first order.
        assert!((found - expected).abs() < 1e-3, "{file}: {found} {expected}");
    }
}
