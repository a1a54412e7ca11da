//! Forces of muscles against those of OpenSim 4.6, where the reference data lie beside the repository: fibres and tendons at rest over
//! lengths, moments of all muscles in a pose.

use serde_json::Value;
use sinew::axial::{AxialInput, AxialLaw, Past, TensionLaw};
use sinew::model::{AxialSpring, Model, MultiPointSpring};

use super::loaded;
use super::osim_reference::{Posed, joints_of_coordinates, posed, references, shared, wrapped};

/// The law of a line of a name.
fn law(model: &Model, name: &str) -> AxialLaw {
    let line = model.iter::<AxialSpring>().find(|it| it.1.name == name).map(|it| it.1.material);
    let path = model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
    line.or(path.map(|it| it.1.material)).unwrap()
}

/// Force of the tendon [N] and length of the fibre [m] at rest.
fn at_rest(law: &AxialLaw, length: f64, activation: f64) -> [f64; 2] {
    let input = AxialInput { length, excitation: activation, ..AxialInput::default() };
    let mut state = vec![0.0; law.state_len()];
    law.start(&input, &mut state);
    let fibre = law.contraction(&input, &state).unwrap().fibre_length;
    [law.tension(&input, &Past::unchanged(&input, 0.0, &state)).force, fibre]
}

fn number(it: &Value, key: &str) -> f64 {
    it[key].as_f64().unwrap()
}

/// Differences of force and fibre over the tolerances of the reference.
fn over_tolerance([force, fibre]: [f64; 2], expected: &Value, muscle: &Value) -> [f64; 2] {
    let [f, l] = ["tendon_force", "fibre_length"].map(|key| number(expected, key));
    let [most, optimal] =
        ["max_isometric_force", "optimal_fiber_length"].map(|key| number(muscle, key));
    [(force - f).abs() / (1e-3 * f.abs() + 1e-4 * most), (fibre - l).abs() / (1e-5 * optimal)]
}

#[test]
fn muscles_between_fixed_points_are_those_of_opensim_over_their_lengths() {
    let Some(shared) = shared() else { return };
    let mut compared = 0;
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let model = loaded(&shared.join("datasets/msk_osim").join(file)).model;
        for (name, rows) in reference["isometric"]["muscles"].as_object().unwrap() {
            let law = law(&model, name);
            for row in rows.as_array().unwrap() {
                for key in ["0.05", "0.5", "1.0"] {
                    let found = at_rest(&law, number(row, "path_length"), key.parse().unwrap());
                    let worst = over_tolerance(found, &row[key], &reference["muscles"][name]);
                    let length = &row["path_length"];
                    assert!(
                        worst[0] < 1.0,
                        "{file} {name} {key} at {length}: {found:?} {}",
                        row[key]
                    );
                    assert!(
                        worst[1] < 1.0,
                        "{file} {name} {key} at {length}: {found:?} {}",
                        row[key]
                    );
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 3 * 3 * 13 * 3);
}

#[test]
fn fibres_of_muscles_in_the_default_pose_are_as_long_as_those_of_opensim() {
    let Some(shared) = shared() else { return };
    let mut worst = 0f64;
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let model = loaded(&shared.join("datasets/msk_osim").join(file)).model;
        let lengths = &reference["kinematics"]["default"]["muscle_lengths"];
        for (activation, muscles) in reference["statics"]["by_activation"].as_object().unwrap() {
            for (name, expected) in muscles.as_object().unwrap() {
                // At the length of the reference: paths have a test of their own.
                let found =
                    at_rest(&law(&model, name), number(lengths, name), activation.parse().unwrap());
                let off = over_tolerance(found, expected, &reference["muscles"][name]);
                worst = off.into_iter().fold(worst, f64::max);
                assert!(
                    off[0] < 1.0 && off[1] < 1.0,
                    "{file} {name} {activation}: {found:?} {expected}"
                );
            }
        }
    }
    println!("{worst:.2e} of the tolerances");
}

/// Moment [N m] of all muscles about each coordinate at an activation of 1/2, and its tolerance: that of the forces.
#[test]
fn moments_of_all_muscles_in_a_pose_are_those_of_opensim() {
    let Some(shared) = shared() else { return };
    for reference in references(&shared) {
        let file = reference["model_file"].as_str().unwrap();
        let text = std::fs::read_to_string(shared.join("datasets/msk_osim").join(file)).unwrap();
        let case = &reference["inverse_dynamics"];
        let q: Vec<(&str, f64)> = case["q"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_f64().unwrap()))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let mut here = Posed::of(posed(&text, folder.path(), &q));
        let (joints, kinds) = (joints_of_coordinates(&text), wrapped(&text));
        let muscles: Vec<(&String, f64, f64)> = reference["muscles"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, of)| {
                let [force, _] = at_rest(&law(&here.model, name), here.length(name).unwrap(), 0.5);
                (name, force, 1e-3 * force + 1e-4 * number(of, "max_isometric_force"))
            })
            .collect();
        for (coordinate, _) in &q {
            let (mut moment, mut tolerance) = (0.0, 1e-6);
            for (name, force, off) in &muscles {
                let arm = here.moment_arm(name, &joints[*coordinate]).unwrap();
                moment += arm * force;
                // Arms of the reference are good to these.
                let bent = if kinds.contains_key(*name) { 5e-4 } else { 1e-6 };
                tolerance += arm.abs() * off + bent * force;
            }
            let [with, without] = ["tau_static_with_muscles_a0.5", "tau_static_qd0_qdd0"]
                .map(|key| number(&case[key], coordinate));
            let expected = without - with;
            assert!(
                (moment - expected).abs() < tolerance,
                "{file} {coordinate}: {moment} {expected} {tolerance}"
            );
        }
    }
}
