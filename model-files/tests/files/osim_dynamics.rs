//! Inverse dynamics of arm26 against those of OpenSim 4.6, where the reference data lie beside the repository (`../shared`,
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
    let mut compared = 0;
    let mut compare = |found: Vec<f64>, expected: [f64; 2]| {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-4, "{found:?} for {expected:?}");
        }
        compared += 1;
    };
    for case in reference(&shared, "muscles.json", "MUS-arm26-inverse-dynamics").as_array().unwrap()
    {
        let of = |key: &str| number(&case[key]);
        let list = |key: &str| [0, 1].map(|k| number(&case[key][k]));
        let found =
            moments([of("shoulder"), of("elbow")], [of("shoulder_v"), of("elbow_v")], list("udot"));
        compare(found, list("tau"));
    }
    let case = &reference(&shared, "musculoskeletal.json", "MSK-OSIM-arm26")["inverse_dynamics"];
    let of = |key: &str| named.map(|(name, _)| number(&case[key][name]));
    compare(moments(of("q"), of("qd"), of("qdd")), of("tau"));
    compare(moments(of("q"), [0.0; 2], [0.0; 2]), of("tau_static_qd0_qdd0"));
    assert_eq!(compared, 8);
}
