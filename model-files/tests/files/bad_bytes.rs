//! No bytes bring the reader down: truncated, changed, deep, long, random.

use std::time::Instant;

use proptest::prelude::*;
use sinew_model_files::{LoadOptions, SaveOptions, check, to_json, to_toml};

use crate::folder;

/// A small file with something of everything that the reader does.
const SMALL: &str = r#"version = 1
name = "small"
[parameters]
side = "l"
[units]
length = "mm"
[[rigid_body]]
name = "${side}_bone"
mass = 1
inertia = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
pose = { position = [1, 2, 3], axis = [0, 0, 1], angle = 1 }
[[frame_marker]]
body = "rigid_bodies/l_bone"
[[joint]]
kind = { type = "skewed_universal", skew_angle = 0.1 }
body_c = "rigid_bodies/l_bone"
coordinate.roll.lower = -1.0
[[fem_model]]
mesh = { nodes = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], elements = { tet4 = [[0,1,2,3]] }, node_sets = { a = [0] } }
material = "neohook"
[[fem_model.support]]
nodes = "a"
[[panels]]
name = "p"
"#;

/// Reads some bytes; whatever they are, it ends.
fn read(bytes: &[u8]) -> usize {
    let folder = folder(&[]);
    let path = folder.path().join("model.toml");
    std::fs::write(&path, bytes).unwrap();
    let report = check(&path, &LoadOptions::default());
    let _ = report.render(true);
    report.error_count()
}

fn small_json() -> String {
    let folder = folder(&[("small.toml", SMALL)]);
    let model = crate::loaded(&folder.path().join("small.toml")).model;
    to_json(&model, &SaveOptions::default()).unwrap()
}

#[test]
fn a_file_that_ends_at_any_byte_is_read_or_refused() {
    assert_eq!(read(SMALL.as_bytes()), 0);
    for text in [SMALL.to_owned(), small_json()] {
        for end in 0..text.len() {
            read(&text.as_bytes()[..end]);
        }
    }
}

#[test]
fn a_file_with_any_byte_changed_is_read_or_refused() {
    for text in [SMALL.to_owned(), small_json()] {
        for at in 0..text.len() {
            // Two of these at each byte: together with the proptests below they meet everywhere.
            let others = [0, b'"', b'[', b'{', b'9', b'-', b'\n', 0xff];
            for other in [others[at % 8], others[(3 * at + 5) % 8]] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = other;
                read(&bytes);
            }
        }
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let start = Instant::now();
    let deep = 100_000;
    for text in [
        format!("version = 1\na = {}", "[".repeat(deep)),
        format!("version = 1\na = {}1{}", "[".repeat(deep), "]".repeat(deep)),
        format!("version = 1\na = {}", "{ b = ".repeat(deep)),
        format!("version = 1\n{} = 1", vec!["a"; deep].join(".")),
        format!("version = 1\n[{}]\n", vec!["mech_model"; deep].join(".")),
        format!("version = 1\nx = {}", format!("{{{} = [", vec!["a"; 70].join(".")).repeat(38)),
        format!("version = 1\nx = {}", format!("{{{} = ", vec!["a"; 70].join(".")).repeat(79)),
        format!("{{\"a\": {}1{}}}", "[".repeat(500), "]".repeat(500)),
        format!("version = 1\n[parameters]\na = [{}]\n[b]\nc = [{}]\n", "1,".repeat(100_000), "\"${a}\",".repeat(10_000)),
        format!("{{\"a\": {}", "[".repeat(deep)),
        format!("{{\"a\": {}", "{\"a\":".repeat(deep)),
        format!("version = 1\n{}", (0..20_000).map(|k| format!("key{k} = 1\n")).collect::<String>()),
        format!("version = 1\n{}", "[[particle]]\nmas = 1\n".repeat(10_000)),
        format!("version = 1\n[[multi_point_spring]]\npoints = [{}]\n", "\"particles/0\",".repeat(10_000)),
        "version = 1\nname = 1e999\n[[particle]]\nmass = nan\nposition = [inf, 0, 0]\n".to_owned(),
        format!("version = 1\n[parameters]\na = \"{}\"\n[[particle]]\nname = \"{}\"\n", "b".repeat(9999), "${a}".repeat(9999)),
        "version = 1\n[[fem_model]]\nmesh = { nodes = [], elements = { tet4 = [[0, 1, 2, 4294967295]] } }\n".to_owned(),
        "version = 1\n[[particle]]\nnumber = 4294967295\n[[particle]]\nnumber = 18446744073709551616\n".to_owned(),
    ] {
        let head: String = text.chars().take(60).collect();
        assert!(read(text.as_bytes()) > 0, "{head}");
    }
    // Seconds in an unoptimized build on a loaded machine; a hang would be minutes.
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn a_line_of_a_machine_is_not_printed_whole() {
    let text = format!("{{\"version\": 1, \"name\": \"{}\", \"nmae\": 1}}", "x".repeat(100_000));
    let folder = folder(&[("long.json", &text)]);
    let report = check(&folder.path().join("long.json"), &LoadOptions::default());
    let shown = report.render(false);
    assert!(shown.len() < 1000 && shown.contains("nmae"), "{} bytes", shown.len());
}

#[test]
fn a_model_of_code_is_refused_by_name() {
    let mut model = sinew::model::Model::new("code");
    let bob = model.add(sinew::model::Particle::default());
    model.add(sinew::model::CustomForce::new(vec![bob.into()], |_, _| {}));
    let error = to_toml(&model, &SaveOptions::default(), "m.json").unwrap_err().to_string();
    assert!(error.starts_with("/models/code/force_effectors/0 is code"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_text_is_refused(text in "(version = 1\n)?[\\[\\]{}a-z0-9.=\"\n_ ,$-]{0,200}") {
        read(text.as_bytes());
    }

    #[test]
    fn random_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
    }
}
