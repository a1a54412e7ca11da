//! Models with bodies: what a run of them leaves, what is watched, and who computes them.

use crate::common::{Workshop, energies, run_json, stderr};

/// Two bars that swing, for three steps.
const SHORT_CHAIN: [&str; 5] = ["chain", "--param", "n=2", "--time", "0.03"];

#[test]
fn the_default_model_is_the_jaw_and_its_frames_show_tissue_and_bones() {
    let shop = Workshop::new();
    let line = shop.run_json(&["--time", "0.02", "--every", "0"]);
    assert_eq!(line["model"], "jaw-tongue-hyoid");
    assert_eq!((&line["bodies"], &line["constraints"]), (&6.into(), &2.into()));
    assert_eq!((&line["elements"], &line["backend"]), (&228.into(), &"cpu".into()));
    let gape = &line["distances"][0];
    assert_eq!(gape["name"], "gape");
    assert!(gape["end"].as_f64().unwrap().abs() < 5e-3, "{gape}");
    assert!(line["mechanism"]["row_error"].as_f64().unwrap() < 1e-8, "{line}");
    let bodies = line["mechanism"]["bodies"].as_array().unwrap();
    let mandible = bodies.iter().find(|body| body["name"] == "mandible").unwrap();
    let keys: Vec<&String> = mandible.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "position", "rotation", "center_of_mass"]);

    let directory = shop.path("results/jaw-tongue-hyoid");
    for name in ["frame_00002.vtu", "bodies_00002.vtu"] {
        assert!(directory.join(name).exists(), "no {name}");
    }
    let series = std::fs::read_to_string(directory.join("frames.pvd")).unwrap();
    assert_eq!(series.matches("part=\"0\" file=\"frame_").count(), 3);
    assert_eq!(series.matches("part=\"1\" file=\"bodies_").count(), 3);
    let (heading, rows) = energies(&directory);
    for name in ["gape", "rotational", "row_error", "substeps"] {
        assert!(heading.iter().any(|column| column == name), "no {name} in {heading:?}");
    }
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_chain_has_frames_without_a_tissue_and_a_second_run_removes_them() {
    let shop = Workshop::new();
    let line = shop.run_json(&SHORT_CHAIN);
    // Five rows for each of two hinges.
    assert_eq!((&line["bodies"], &line["constraints"]), (&2.into(), &10.into()));
    let first = std::fs::read(shop.path("results/chain/bodies_00000.vtu")).unwrap();
    let text = String::from_utf8_lossy(&first);
    for word in
        ["Name=\"velocity\"", "Name=\"body\"", "Name=\"body_names\"", "108 105 110 107 48 0"]
    {
        assert!(text.contains(word), "{word}");
    }
    shop.run_json(&[&SHORT_CHAIN[..], &["--frames", "none"]].concat());
    assert_eq!(shop.names("results/chain"), ["energies.csv", "run.json", "run.lock"]);
}

#[test]
fn watched_distances_are_measured_and_wrong_ones_refused() {
    let shop = Workshop::new();
    let nodes = "span=/models/beam/fem_models/beam/nodes/0,/models/beam/fem_models/beam/nodes/1";
    let line = shop.run_json(&["beam", "--time", "0.02", "--watch", nodes]);
    let span = &line["distances"][0];
    assert_eq!((&span["name"], line["distances"].as_array().unwrap().len()), (&"span".into(), 1));
    assert!(span["min"].as_f64().unwrap() > 0.0, "{span}");
    assert!(span["max"].as_f64() >= span["end"].as_f64(), "{span}");
    let (heading, _) = energies(&shop.path("results/beam"));
    assert!(heading.contains(&"span".to_owned()), "{heading:?}");
    for (watch, word) in [
        ("/models/beam", "[NAME=]PATH,PATH"),
        ("/models/baem,/models/beam", "baem"),
        ("/models/beam,/models/beam", "is no point"),
    ] {
        let output = shop.sinew(&["run", "beam", "--watch", watch]);
        assert_eq!(output.status.code(), Some(3), "{watch}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{watch}: {}", stderr(&output));
    }
}

#[test]
fn few_nodes_with_bodies_stay_on_the_cpu_unless_a_device_is_asked_for_which_then_solves() {
    let shop = Workshop::new();
    let output = shop.sinew(&[&["run"], &SHORT_CHAIN[..]].concat());
    let why = "0 nodes, fewer than 1,000";
    assert_eq!(stderr(&output), format!("{why}: CPU\n"));
    assert_eq!(run_json(&shop.path("results/chain"))["settings"]["backend_reason"], why);
    let gpu = [&["run"], &SHORT_CHAIN[..], &["--backend", "gpu"]].concat();
    let output = shop.sinew(&[&gpu[..], &["--device", "software"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for word in ["the device only solves", "rows of constraints (10)"] {
        assert!(stderr(&output).contains(word), "{word}: {}", stderr(&output));
    }
}

#[test]
fn chains_hang_in_equilibrium_and_swing_by_runge_kutta() {
    let shop = Workshop::new();
    for integrator in ["static", "runge-kutta-4"] {
        let rule = ["--integrator", integrator];
        let output = shop.sinew(&[&["run"], &SHORT_CHAIN[..], &rule].concat());
        assert_eq!(output.status.code(), Some(0), "{integrator}: {}", stderr(&output));
    }
}

#[test]
fn bodies_and_exciters_are_inspected_and_set() {
    let shop = Workshop::new();
    let inspect = |arguments: &[&str]| {
        let output = shop.sinew(&[&["inspect", "jaw-tongue-hyoid"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    for (list, line) in [
        ("rigid_bodies", "2 mandible  RigidBody\n"),
        ("exciters", "1 left_masseter  MuscleExciter\n"),
    ] {
        let tree = inspect(&[&format!("/models/jaw-tongue-hyoid/{list}")]);
        assert!(tree.contains(line), "no {line} in {tree}");
    }
    let excitation = "/models/jaw-tongue-hyoid/exciters/left_masseter:excitation";
    let set = format!("{excitation}=0.125");
    let text = inspect(&[excitation, "--set", &set]);
    assert!(text.contains("\n  value       0.125\n"), "{text}");
}
