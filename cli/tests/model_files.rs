//! `sinew check`, `sinew save` and `sinew run` of model files.

mod common;

use common::{Workshop, stderr};

const DROP: &str = r#"version = 1
name = "drop"
[solver]
step = 0.002
time = 0.01
[parameters]
mass = 0.5
[[particle]]
name = "bob"
mass = "${mass}"
"#;

#[test]
fn a_model_file_runs_as_it_says_and_the_command_line_comes_first() {
    let workshop = Workshop::new();
    workshop.write("drop.toml", DROP);
    let summary = workshop.run_json(&["drop.toml", "--frames", "none"]);
    assert_eq!(summary["steps"], 5, "{summary:#}");
    let summary = workshop.run_json(&["drop.toml", "--frames", "none", "--step", "0.005"]);
    assert_eq!(summary["steps"], 2, "{summary:#}");
}

#[test]
fn a_built_in_model_saved_to_a_file_runs_to_the_same_numbers() {
    let workshop = Workshop::new();
    let saved = workshop.sinew(&["save", "beam", "beam.toml"]);
    assert_eq!(saved.status.code(), Some(0), "{}", stderr(&saved));
    assert!(workshop.path("beam.meshes.json").exists());
    let short = ["--time", "0.05", "--frames", "none", "--out"];
    workshop.run_json(&[&["beam"], &short[..], &["a"]].concat());
    workshop.run_json(&[&["beam.toml"], &short[..], &["b"]].concat());
    // All columns to the last digit, but the last one: a time on the clock.
    let read = |folder: &str| {
        let text = std::fs::read_to_string(workshop.path(folder).join("energies.csv")).unwrap();
        let columns = text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned());
        columns.collect::<Vec<_>>()
    };
    assert_eq!(read("a").len(), 7);
    assert_eq!(read("a"), read("b"));
}

#[test]
fn check_prints_all_errors_with_their_lines_and_exits_with_3() {
    let workshop = Workshop::new();
    workshop.write("bad.toml", &DROP.replace("mass = \"${mass}\"", "mas = 1\nposition = [0, 0]"));
    let output = workshop.sinew(&["check", "bad.toml"]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    for wanted in ["bad.toml:10:1", "did you mean 'mass'", "bad.toml:11:12", "2 errors"] {
        assert!(text.contains(wanted), "no '{wanted}' in\n{text}");
    }
    let output = workshop.sinew(&["check", "bad.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["errors"], &report["list"][0]["line"]), (&2.into(), &10.into()));
    let run = workshop.sinew(&["run", "bad.toml"]);
    assert_eq!(run.status.code(), Some(3));
    assert!(stderr(&run).contains("bad.toml:10:1"), "{}", stderr(&run));
}

#[test]
fn check_says_so_when_there_is_no_error() {
    let workshop = Workshop::new();
    workshop.write("drop.toml", DROP);
    let output = workshop.sinew(&["check", "drop.toml", "--param", "mass=2.5"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "drop.toml: no error\n");
    let output = workshop.sinew(&["check", "drop.toml", "--param", "mass=light"]);
    assert_eq!(output.status.code(), Some(3));
}
