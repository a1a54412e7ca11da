//! Documents of OpenSim against what OpenSim 4.6 makes of them, where the reference data lie beside the
//! repository (`../shared`, or the folder that SINEW_SHARED names): poses, lengths and masses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::axial::{AxialInput, Past, TensionLaw};
use sinew::model::{AxialSpring, CustomJoint, FrameMarker, Model, MultiPointSpring, RigidBody};
use sinew::prelude::*;
use sinew::system::{CompiledModel, coordinate_motions};
use sinew_model_files::{LoadOptions, load};

use super::loaded;

pub(crate) fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, PathBuf::from);
    let there = shared.join("datasets/msk_osim").is_dir();
    if !there {
        println!("the reference data is not there ({}): nothing to compare", shared.display());
    }
    there.then_some(shared)
}

pub(crate) fn references(shared: &Path) -> Vec<Value> {
    let path = shared.join("reference/validation/musculoskeletal.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = all.as_array().or_else(|| all["items"].as_array()).unwrap().clone();
    let osim = |it: &Value| it["id"].as_str().is_some_and(|id| id.starts_with("MSK-OSIM"));
    list.into_iter().filter(osim).map(|it| it["reference"].clone()).collect()
}

/// The model with other values of its coordinates.
pub(crate) fn posed(text: &str, folder: &Path, q: &[(&str, f64)]) -> Model {
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

/// A model with the velocities of its coordinates.
pub(crate) struct Posed {
    pub(crate) model: Model,
    compiled: CompiledModel,
    state: State,
    motions: Vec<Option<Vec<Vec3>>>,
}

impl Posed {
    pub(crate) fn of(model: Model) -> Self {
        let compiled = model.compile().unwrap();
        let state = compiled.initial_state();
        Self { model, compiled, state, motions: Vec::new() }
    }

    fn stretch(&self, name: &str, state: &State) -> Option<[f64; 4]> {
        let line = self.model.iter::<AxialSpring>().find(|it| it.1.name == name);
        let path = self.model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
        match (line, path) {
            (Some((line, _)), _) => self.compiled.stretch_of(line, state),
            (_, Some((path, _))) => self.compiled.stretch_of_line(path, state),
            _ => None,
        }
    }

    pub(crate) fn length(&self, name: &str) -> Option<f64> {
        Some(self.stretch(name, &self.state)?[0])
    }

    /// Moment arm [m] by coordinate number `k` of a joint of a name.
    pub(crate) fn moment_arm(&mut self, name: &str, (joint, k): &(String, usize)) -> Option<f64> {
        if self.motions.is_empty() {
            self.motions = coordinate_motions(&self.compiled, &self.state);
        }
        let of_kind = self.model.iter::<Joint>().find(|it| it.1.name == *joint);
        let custom = self.model.iter::<CustomJoint>().find(|it| it.1.name == *joint);
        let all = match (of_kind, custom) {
            (Some((joint, _)), _) => self.compiled.coordinates_of(joint)?,
            (_, Some((joint, _))) => self.compiled.coordinates_of(joint)?,
            _ => return None,
        };
        let u = self.motions[all.start + k].clone()?;
        let state = State { u, ..self.state.clone() };
        Some(-self.stretch(name, &state)?[1])
    }
}

/// Joint of each coordinate of a document, and its number there.
pub(crate) fn joints_of_coordinates(text: &str) -> BTreeMap<String, (String, usize)> {
    let document = roxmltree::Document::parse(text).unwrap();
    let mut found = BTreeMap::new();
    for joint in document.descendants().filter(|it| it.tag_name().name().ends_with("Joint")) {
        let name = joint.attribute("name").unwrap_or("").to_owned();
        let coordinates = joint.descendants().filter(|it| it.has_tag_name("Coordinate"));
        for (k, coordinate) in coordinates.enumerate() {
            let coordinate = coordinate.attribute("name").unwrap().to_owned();
            found.insert(coordinate, (name.clone(), k));
        }
    }
    found
}

/// Worst difference [m] and where it is.
#[derive(Debug, Default)]
struct Worst(f64, String);

impl std::fmt::Display for Worst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2e} m, {}", self.0, self.1)
    }
}

impl Worst {
    fn see(&mut self, off: f64, at: impl FnOnce() -> String) {
        if off > self.0 || off.is_nan() {
            *self = Self(off, at());
        }
    }
}

/// Kinds of paths, each with its own tolerances of lengths and moment arms [m] in the reference.
const PATHS: [(&str, f64, f64); 3] =
    [("plain", 1e-8, 1e-6), ("WrapCylinder", 1e-4, 5e-4), ("WrapEllipsoid", 5e-4, 5e-4)];

/// The kind of the path of each muscle that wraps, by number in [`PATHS`].
pub(crate) fn wrapped(text: &str) -> BTreeMap<String, usize> {
    let document = roxmltree::Document::parse(text).unwrap();
    let mut kinds = BTreeMap::new();
    for wrap in document.descendants().filter(|it| it.has_tag_name("PathWrap")) {
        let object = wrap.children().find(|it| it.has_tag_name("wrap_object")).unwrap();
        let named = |it: &roxmltree::Node<'_, '_>| it.attribute("name") == object.text();
        let shape =
            |it: &roxmltree::Node<'_, '_>| PATHS.iter().position(|kind| it.has_tag_name(kind.0));
        let kind = document.descendants().filter(named).find_map(|it| shape(&it)).unwrap();
        let muscle = wrap.ancestors().nth(4).and_then(|it| it.attribute("name")).unwrap();
        let known = kinds.entry(muscle.to_owned()).or_insert(kind);
        *known = (*known).max(kind);
    }
    kinds
}

/// Rows that the reference leaves out of comparisons of moment arms, as OpenSim disagrees with itself there.
fn left_out(kinematics: &Value, muscle: &str, coordinate: &str, value: f64) -> bool {
    let rows = kinematics["fd_check"]["over_1e-4_m"].as_array().unwrap();
    rows.iter().any(|row| {
        row[0] == muscle && row[1] == coordinate && (row[2].as_f64().unwrap() - value).abs() < 1e-6
    })
}

/// Worst differences of points, and of lengths and moment arms by kinds of paths.
#[derive(Debug, Default)]
struct Differences {
    point: Worst,
    lengths: [Worst; 3],
    /// Lengths where OpenSim's moment arms are not the slopes of its own lengths.
    doubtful: Worst,
    arms: [Worst; 3],
}

#[test]
fn poses_lengths_and_moment_arms_over_all_ranges_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let text = std::fs::read_to_string(shared.join("datasets/msk_osim").join(file)).unwrap();
        let found = differences(&text, &reference["kinematics"]);
        println!("{file}: {found:#?}");
        assert!(found.point.0 < 1e-8, "{file}: {}", found.point);
        assert!(found.doubtful.0 < 5e-3, "{file}: {}", found.doubtful);
        for (k, (kind, length, arm)) in PATHS.iter().enumerate() {
            assert!(found.lengths[k].0 < *length, "{file} {kind}: {}", found.lengths[k]);
            assert!(found.arms[k].0 < *arm, "{file} {kind}: {}", found.arms[k]);
        }
    }
}

impl Differences {
    /// Takes in points of a model that should be here, at one of their places where these are lists.
    fn see_points(
        &mut self,
        model: &Model,
        points: &Value,
        k: Option<usize>,
        label: &dyn Fn(&str) -> String,
    ) {
        for (name, places) in points.as_object().unwrap() {
            let place = k.map_or(places, |k| &places[k]);
            let off = (point(model, name).unwrap() - vector(place)).norm();
            self.point.see(off, || label(name));
        }
    }
}

fn differences(text: &str, kinematics: &Value) -> Differences {
    let folder = tempfile::tempdir().unwrap();
    let (kinds, joints) = (wrapped(text), joints_of_coordinates(text));
    let mut worst = Differences::default();
    let kind = |name: &str| kinds.get(name).copied().unwrap_or(0);
    let default = &kinematics["default"];
    let start = Posed::of(posed(text, folder.path(), &[]));
    worst.see_points(&start.model, &default["points"], None, &str::to_owned);
    for (name, expected) in default["muscle_lengths"].as_object().unwrap() {
        let off = start.length(name).unwrap() - expected.as_f64().unwrap();
        worst.lengths[kind(name)].see(off.abs(), || name.clone());
    }
    for (coordinate, sweep) in kinematics["sweeps"].as_object().unwrap() {
        for (k, value) in sweep["values"].as_array().unwrap().iter().enumerate() {
            let value = value.as_f64().unwrap();
            let mut here = Posed::of(posed(text, folder.path(), &[(coordinate, value)]));
            let at = |name: &str| format!("{name} at {coordinate} {value}");
            worst.see_points(&here.model, &sweep["points"], Some(k), &at);
            for (name, muscle) in sweep["muscles"].as_object().unwrap() {
                let expected = muscle["length"][k].as_f64().unwrap();
                let off = here.length(name).unwrap() - expected;
                // There OpenSim's path jumps, or stops where a turn over all its wrap objects changes it by less than 0.5 mm.
                let is_doubtful = left_out(kinematics, name, coordinate, value);
                let lengths = match is_doubtful {
                    true => &mut worst.doubtful,
                    false => &mut worst.lengths[kind(name)],
                };
                lengths.see(off.abs(), || at(name));
                if let Some(expected) = muscle["moment_arm"][k].as_f64()
                    && !is_doubtful
                {
                    let found = here.moment_arm(name, &joints[coordinate]).unwrap();
                    worst.arms[kind(name)].see((found - expected).abs(), || at(name));
                }
            }
        }
    }
    worst
}

/// Tension at rest [N] of a muscle of the model.
fn tension(posed: &Posed, name: &str, excitation: f64) -> Option<f64> {
    let model = &posed.model;
    let line = model.iter::<AxialSpring>().find(|it| it.1.name == name).map(|it| it.1.material);
    let path = model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
    let law = line.or(path.map(|it| it.1.material))?;
    let input = AxialInput { length: posed.length(name)?, excitation, ..AxialInput::default() };
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
        let posed = Posed::of(loaded(&path).model);
        for (activation, muscles) in reference["statics"]["by_activation"].as_object().unwrap() {
            for (name, expected) in muscles.as_object().unwrap() {
                let found = tension(&posed, name, activation.parse().unwrap()).unwrap();
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
        // A fall of 47 mm; a step of 1 ms is of first order.
        assert!((found - expected).abs() < 1e-3, "{file}: {found} {expected}");
    }
}
