//! Probes of model files: checked, run, gone on with.

use std::path::Path;

use crate::common::{Workshop, stderr};

/// The example with its parts, in a folder of its own.
fn flexion() -> Workshop {
    let workshop = Workshop::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    std::fs::create_dir_all(workshop.path("model/signals")).unwrap();
    for name in ["flexion.toml", "finger.toml", "signals/flexion.csv"] {
        std::fs::copy(examples.join(name), workshop.path("model").join(name)).unwrap();
    }
    workshop
}

/// Rows of a table of numbers, without its heading.
fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    text.lines().skip(1).map(numbers).collect()
}

#[test]
fn the_example_is_fed_and_recorded_as_it_says() {
    let shop = flexion();
    let excitation = "/models/flexion/models/finger/axial_springs/flexor:excitation";
    let run = ["model/flexion.toml", "--frames", "none", "--every", "0.05", "--out", "out"];
    let fed = ["--probe", excitation, "--probe", "/models/flexion:gravity"];
    shop.run_json(&[&run[..], &fed[..]].concat());
    let finger = rows(&shop.path("out/finger.csv"));
    assert_eq!((finger.len(), finger[0].len()), (51, 3));
    let angles = finger.iter().map(|row| row[1].min(row[2]).max(row[2]));
    let [low, high] = angles.fold([f64::MAX, f64::MIN], |[a, b], x| [a.min(x), b.max(x)]);
    assert!(high - low > 10.0 && high < 101.0, "from {low} to {high} degrees");
    assert!(shop.path("out/tip.npy").exists());
    let fed = rows(&shop.path("out/probes.csv"));
    assert_eq!(fed.len(), 11);
    // The rows of the table, and the line of the data in the model file.
    for (k, expected) in [(2, 0.3), (4, 0.6), (8, 0.1), (10, 0.0)] {
        assert!((fed[k][1] - expected).abs() < 1e-9, "{:?}", fed[k]);
        let tilt = 9.8 * fed[k][0] / 0.5;
        assert!((fed[k][2] - tilt).abs() < 1e-9, "{:?}", fed[k]);
    }
}

#[test]
fn the_saved_example_records_the_same() {
    let shop = flexion();
    let saved = shop.sinew(&["save", "model/flexion.toml", "model/again.toml"]);
    assert!(saved.status.success(), "{}", stderr(&saved));
    for (model, out) in [("model/flexion.toml", "a"), ("model/again.toml", "b")] {
        shop.run_json(&[model, "--frames", "none", "--time", "0.1", "--out", out]);
    }
    for file in ["finger.csv", "tip.npy"] {
        let read = |out: &str| std::fs::read(shop.path(out).join(file)).unwrap();
        assert!(read("a") == read("b"), "{file}");
    }
}

#[test]
fn a_run_with_probes_of_a_model_file_is_gone_on_with() {
    let shop = flexion();
    let run = |time: &str, out: &str, more: &[&str]| {
        let common = ["model/flexion.toml", "--frames", "none", "--checkpoint-every", "0.03"];
        shop.run_json(&[&common[..], &["--time", time, "--out", out], more].concat());
    };
    run("0.05", "part", &[]);
    run("0.1", "part", &["--resume", "part/checkpoint.sinew"]);
    run("0.1", "whole", &[]);
    for file in ["finger.csv", "tip.npy"] {
        let read = |out: &str| std::fs::read(shop.path(out).join(file)).unwrap();
        assert!(read("part") == read("whole"), "{file}");
    }
    // Other probes: the places in the checkpoint are not theirs.
    let path = shop.path("model/flexion.toml");
    let text = std::fs::read_to_string(&path).unwrap().replace("every = 0.01", "every = 0.02");
    std::fs::write(&path, text).unwrap();
    let arguments =
        ["run", "model/flexion.toml", "--out", "part", "--resume", "part/checkpoint.sinew"];
    let output = shop.sinew(&[&arguments[..], &["--checkpoint-every", "0.03"]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn check_tells_what_is_wrong_with_probes_at_line_and_column() {
    let shop = flexion();
    let path = shop.path("model/flexion.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("flexor:excitation", "flexor:excitatoin")).unwrap();
    let output = shop.sinew(&["check", "model/flexion.toml"]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).unwrap();
    for wanted in ["flexion.toml:16:15", "did you mean 'excitation'?", "1 error"] {
        assert!(said.contains(wanted), "no '{wanted}' in\n{said}");
    }
}

#[test]
fn probes_do_not_write_over_the_files_of_every_run() {
    let shop = flexion();
    let arguments = ["run", "model/flexion.toml", "--probe", "/:energy=energies.csv"];
    let output = shop.sinew(&arguments);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("give it another file"), "{}", stderr(&output));
}
