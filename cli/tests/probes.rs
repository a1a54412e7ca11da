//! Probes in and out of a run over time.

use crate::common::{Workshop, last_line, stderr};

const GRAVITY: &str = "/models/beam:gravity";
const ENERGY: &str = "/:energy";

#[test]
fn probes_are_recorded_and_told_with_their_ranges() {
    let shop = Workshop::new();
    let line = shop.run_json(&[
        "beam",
        "--time",
        "0.1",
        "--every",
        "0.02",
        "--probe",
        ENERGY,
        "--probe",
        "{/:kinetic_energy} + {/:strain_energy}",
        "--probe",
        "/models/beam:momentum=p.npy",
        "--trace",
        "/models/beam/fem_models/beam/nodes/80=tip.parquet",
        "--frames",
        "none",
    ]);
    let files: Vec<_> = shop.names("results/beam");
    for name in ["probes.csv", "p.npy", "p.npy.columns", "tip.parquet", "energies.csv"] {
        assert!(files.iter().any(|file| file == name), "{name} is not in {files:?}");
    }
    let probes = line["probes"].as_array().unwrap();
    assert_eq!(probes.len(), 3);
    let energies = probes.iter().find(|it| it["file"] == "results/beam/probes.csv").unwrap();
    assert_eq!((energies["rows"].as_u64(), energies["end"].as_f64()), (Some(6), Some(0.1)));
    assert_eq!(energies["columns"][0]["name"], ENERGY);
    let text = std::fs::read_to_string(shop.path("results/beam/probes.csv")).unwrap();
    let rows = text.lines().skip(1).map(|row| row.split(',').map(|x| x.parse().unwrap()));
    let last: Vec<f64> = rows.last().unwrap().collect();
    // Kinetic and strain energy, and that of the weight.
    let gravitational = line["potential_energy"].as_f64().unwrap();
    assert!((last[1] - last[2] - gravitational).abs() < 1e-12, "{last:?}");
    let output = shop.sinew(&["run", "beam", "--time", "0.02", "--probe", ENERGY]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("probe ") && table.contains("/:energy from "), "{table}");
}

#[test]
fn a_recorded_file_goes_in_again_and_what_it_sets_is_in_force() {
    let shop = Workshop::new();
    shop.write(
        "pull.csv",
        &format!("time,{GRAVITY}.x,{GRAVITY}.y,{GRAVITY}.z,other\n0,0,0,0,7\n0.1,0,0,0,7\n"),
    );
    let still = shop.run_json(&["beam", "--time", "0.1", "--input", "pull.csv"]);
    // Rounding of the rest state.
    assert!(still["kinetic_energy"].as_f64().unwrap() < 1e-20, "{still}");
    shop.write("g.csv", "time,x,y,z\n0,0,0,-9.8\n");
    let named = format!("{GRAVITY}=g.csv");
    let fed = shop.run_json(&["beam", "--time", "0.1", "--input", &named, "--out", "fed"]);
    let plain = shop.run_json(&["beam", "--time", "0.1", "--out", "plain"]);
    assert_eq!(fed["kinetic_energy"], plain["kinetic_energy"]);
    assert!(fed["kinetic_energy"].as_f64().unwrap() > 1e-6, "{fed}");
}

#[test]
fn all_that_is_wrong_with_probes_is_told_before_anything_is_written() {
    let shop = Workshop::new();
    shop.write("x.csv", "time,a\n0,1\n");
    for (arguments, code, what) in [
        (&["--probe", "/models/beam:gravety"][..], 3, "gravity"),
        (&["--probe", "{/:energy} +"], 3, "cannot be read"),
        (&["--probe", "/models/beam:name"], 3, "no fixed count"),
        (&["--input", "x.csv"], 3, "none of its columns (a)"),
        (&["--input", "missing.csv"], 3, "missing.csv"),
        (&["--input", "/models/beam:gravity=x.csv"], 3, "1 columns, the properties take 3"),
        (&["--probes", "x.csv"], 3, "x.csv"),
        (&["--resume", "x.csv"], 3, "no whole checkpoint"),
        (&["--checkpoint-every", "0"], 2, "above 0"),
        (&["--smallest-step=-1"], 2, "above 0"),
    ] {
        let output = shop.sinew(&[&["run", "beam", "--time", "0.02"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(what), "{arguments:?}: {}", stderr(&output));
        assert!(shop.names("results").is_empty(), "{arguments:?}");
    }
    let two = ["run", "beam", "--probe", "/:nothing", "--probe", "/:naught"];
    let text = stderr(&shop.sinew(&two));
    assert!(text.contains("nothing"), "{text}");
}

#[test]
fn probes_of_a_file_are_those_of_the_options() {
    let shop = Workshop::new();
    shop.write(
        "probes.json",
        r#"{"output_probes": [{"name": "e", "properties": ["/:energy"], "every": 0.05}]}"#,
    );
    let arguments = ["beam", "--time", "0.1", "--probes", "probes.json", "--frames", "none"];
    let line = shop.run_json(&arguments);
    assert_eq!(line["probes"][0]["rows"], 3);
    assert!(shop.path("results/beam/e.csv").exists());
}

#[test]
fn a_paced_run_takes_its_time() {
    let shop = Workshop::new();
    let begun = std::time::Instant::now();
    let output = shop.sinew(&["run", "boxes", "--time", "0.1", "--pace", "0.2", "--json"]);
    assert!(begun.elapsed().as_secs_f64() > 0.45, "{:?}", begun.elapsed());
    assert_eq!(last_line(&output)["steps"], 10);
}
