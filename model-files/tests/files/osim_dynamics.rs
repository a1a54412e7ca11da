//! Inverse dynamics of arm26 and of gait2392 against those of OpenSim 4.6, where the reference data lie beside the repository (`../shared`,
//! or the folder that SINEW_SHARED names).

use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::component::ComponentId;
use sinew::inverse::rigid::{InverseDynamics, JointMotion};
use sinew::model::{CustomJoint, Joint, JointCoordinate, Model};

use super::loaded;

pub(crate) fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, PathBuf::from);
    let there = shared.join("datasets/msk_osim/arm26.osim").is_file();
    if !there {
        println!("the reference data is not there ({}): nothing to compare", shared.display());
    }
    there.then_some(shared)
}

fn reference(shared: &Path, file: &str, id: &str) -> Value {
    let path = shared.join("reference/validation").join(file);
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = all.as_array().or_else(|| all["items"].as_array()).unwrap();
    list.iter().find(|it| it["id"] == id).unwrap()["reference"].clone()
}

/// The coordinate of a name, or the only one of the joint that is named for it.
pub(crate) fn coordinate(model: &Model, name: &str, joint: &str) -> JointCoordinate {
    let hinges = model.iter::<Joint>().map(|(handle, it)| (ComponentId::from(handle), &it.name));
    let others = model.iter::<CustomJoint>().map(|(handle, it)| (handle.into(), &it.name));
    let (id, _) = hinges.chain(others).find(|(_, it)| *it == joint).unwrap();
    let names = [name, "theta"].map(|name| JointCoordinate::new(id, name));
    names.into_iter().find(|of| of.index(model).is_some()).unwrap()
}

#[test]
fn inverse_dynamics_of_arm26_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    let model = loaded(&shared.join("datasets/msk_osim/arm26.osim")).model;
    let named = [("r_shoulder_elev", "r_shoulder"), ("r_elbow_flex", "r_elbow")];
    let coordinates = named.map(|(name, joint)| coordinate(&model, name, joint));
    let dynamics = InverseDynamics::new(&model, &coordinates).unwrap();
    let moments = |values: [f64; 2], rates: [f64; 2], accelerations: [f64; 2]| {
        let (values, rates) = (values.to_vec(), rates.to_vec());
        let motion =
            JointMotion { time: 0.0, values, rates, accelerations: accelerations.to_vec() };
        let mut state = dynamics.start();
        dynamics.place(&mut state, &motion).unwrap();
        dynamics.moments(&state, &motion, &[]).unwrap()
    };
    let number = |it: &Value| it.as_f64().unwrap();
    let cases = reference(&shared, "muscles.json", "MUS-arm26-inverse-dynamics");
    let cases = cases.as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let of = |key: &str| number(&case[key]);
        let list = |key: &str| [0, 1].map(|k| number(&case[key][k]));
        let found =
            moments([of("shoulder"), of("elbow")], [of("shoulder_v"), of("elbow_v")], list("udot"));
        for (a, b) in found.iter().zip(list("tau")) {
            assert!((a - b).abs() < 1e-4, "{found:?}: {a} for {b}");
        }
    }
}

/// Moments of an entry at rest or in motion, over the tolerance of the reference: the largest error, and the number of coordinates.
fn worst(model: &Model, of: &Value, (moves, key): (bool, &str)) -> (f64, usize) {
    let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    let (case, listed) = (&of["inverse_dynamics"], of["coordinates"].as_array().unwrap());
    let names: Vec<String> = listed.iter().map(|it| text(it, "name")).collect();
    let place = |it: &Value| coordinate(model, &text(it, "name"), &text(it, "joint"));
    let coordinates: Vec<JointCoordinate> = listed.iter().map(place).collect();
    let list = |key: &str| -> Vec<f64> {
        names.iter().map(|name| case[key][name].as_f64().unwrap()).collect()
    };
    let [rates, accelerations] = match moves {
        true => [list("qd"), list("qdd")],
        false => [0, 1].map(|_| vec![0.0; names.len()]),
    };
    let motion = JointMotion { time: 0.0, values: list("q"), rates, accelerations };
    let dynamics = InverseDynamics::new(model, &coordinates).unwrap();
    let mut state = dynamics.start();
    dynamics.place(&mut state, &motion).unwrap();
    let found = dynamics.moments(&state, &motion, &[]).unwrap();
    let off = |(a, b): (&f64, f64)| (a - b).abs() / (1e-6 + 1e-7 * b.abs());
    // A number that is none stays.
    let worse = |most: f64, it: f64| if it > most || it.is_nan() { it } else { most };
    (found.iter().zip(list(key)).map(off).fold(0.0, worse), found.len())
}

/// Plain trees of joints without their muscles.
#[test]
fn inverse_dynamics_of_arm_and_gait_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    let entries = [
        ("MSK-OSIM-arm26", 2),
        ("MSK-OSIM-gait2392-thelen", 23),
        ("MSK-OSIM-gait2392-millard", 23),
    ];
    for (id, count) in entries {
        let of = reference(&shared, "musculoskeletal.json", id);
        let file = of["model_file"].as_str().unwrap();
        let model = loaded(&shared.join("datasets/msk_osim").join(file)).model;
        for case in [(true, "tau"), (false, "tau_static_qd0_qdd0")] {
            let (worst, compared) = worst(&model, &of, case);
            assert_eq!(compared, count, "{id}");
            assert!(worst < 1.0, "{id} {}: {worst} of the tolerance", case.1);
        }
    }
}

/// Columns of the mass matrix in the default pose: moments of unit accelerations at rest, less those of gravity.
#[test]
fn mass_matrices_of_arm_and_gait_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for id in ["MSK-OSIM-arm26", "MSK-OSIM-gait2392-thelen", "MSK-OSIM-gait2392-millard"] {
        let of = reference(&shared, "musculoskeletal.json", id);
        let file = of["model_file"].as_str().unwrap();
        let model = loaded(&shared.join("datasets/msk_osim").join(file)).model;
        let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
        let listed = of["coordinates"].as_array().unwrap();
        let place = |it: &Value| coordinate(&model, &text(it, "name"), &text(it, "joint"));
        let coordinates: Vec<JointCoordinate> = listed.iter().map(place).collect();
        let start = |it: &Value| of["default_pose"]["q"][text(it, "name")].as_f64().unwrap();
        let values: Vec<f64> = listed.iter().map(start).collect();
        let dynamics = InverseDynamics::new(&model, &coordinates).unwrap();
        let moments = |accelerations: Vec<f64>| {
            let rates = vec![0.0; values.len()];
            let motion = JointMotion { time: 0.0, values: values.clone(), rates, accelerations };
            let mut state = dynamics.start();
            dynamics.place(&mut state, &motion).unwrap();
            dynamics.moments(&state, &motion, &[]).unwrap()
        };
        let still = moments(vec![0.0; values.len()]);
        let expected = &of["kinematics"]["default"]["mass_matrix"];
        for column in 0..values.len() {
            let mut unit = vec![0.0; values.len()];
            unit[column] = 1.0;
            for (row, (with, without)) in moments(unit).iter().zip(&still).enumerate() {
                let (found, expected) = (with - without, expected[row][column].as_f64().unwrap());
                // The tolerance of the reference.
                let tolerance = 1e-7 + 1e-7 * expected.abs();
                assert!(
                    (found - expected).abs() < tolerance,
                    "{id} {row} {column}: {found} {expected}"
                );
            }
        }
    }
}
