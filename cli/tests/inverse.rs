//! `sinew inverse`: a motion that muscles made is followed, and what is found makes it once more; `sinew fit`: a constant that
//! made a motion; what is refused.

mod common;

use common::{Workshop, stderr};

const ELBOW: &str = r#"
version = 1
name = "elbow"
gravity = [0, 0, -9.8]

[[rigid_body]]
name = "humerus"
shape = { capsule = [0.015, 0.24] }
density = 1900
pose = { position = [0, 0, 0.15] }
dynamic = false

[[rigid_body]]
name = "forearm"
shape = { capsule = [0.012, 0.22], axis = [1, 0, 0] }
mass = 1.5
pose = { position = [0.13, 0, 0] }

[[joint]]
name = "elbow"
kind = "hinge"
body_c = "rigid_bodies/forearm"
body_d = "rigid_bodies/humerus"
position = [0, 0, 0]
axis = [0, -1, 0]

[defaults.frame_marker]
body = "rigid_bodies/forearm"

[[frame_marker]]
name = "front"
body = "rigid_bodies/humerus"
location = [0.02, 0, 0.10]

[[frame_marker]]
name = "back"
body = "rigid_bodies/humerus"
location = [-0.02, 0, 0.10]

[[frame_marker]]
name = "insertion"
location = [-0.09, 0, 0.012]

[[frame_marker]]
name = "olecranon"
location = [-0.15, 0, 0.0]

[[frame_marker]]
name = "wrist"
location = [0.11, 0, 0]

[[axial_spring]]
name = "biceps"
first = "frame_markers/front"
second = "frame_markers/insertion"
material = { type = "simple_muscle", max_force = 250.0, damping = 40.0 }

[[axial_spring]]
name = "triceps"
first = "frame_markers/back"
second = "frame_markers/olecranon"
material = { type = "simple_muscle", max_force = 200.0, damping = 40.0 }
"#;

const MUSCLES: [&str; 2] = [
    "/models/elbow/axial_springs/biceps:excitation",
    "/models/elbow/axial_springs/triceps:excitation",
];

/// Excitations over 0.5 s, one muscle after the other.
fn excitations() -> String {
    let rows = (0..=50).map(|k| {
        let time = 0.01 * f64::from(k);
        let biceps = 0.45 + 0.15 * (12.0 * time).sin();
        format!("{time},{biceps},{}\n", 0.1 * (1.0 - (9.0 * time).cos()))
    });
    format!("time,{},{}\n{}", MUSCLES[0], MUSCLES[1], rows.collect::<String>())
}

/// Rows of a table of numbers.
fn table(shop: &Workshop, path: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut reader = csv::Reader::from_path(shop.path(path)).expect("a table");
    let heading = reader.headers().expect("a heading").iter().map(str::to_owned).collect();
    (heading, reader.deserialize().map(|row| row.expect("numbers")).collect())
}

fn succeed(shop: &Workshop, arguments: &[&str]) {
    let output = shop.sinew(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
}

#[test]
fn what_is_found_makes_the_motion_once_more() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    shop.write("made.csv", &excitations());
    let trace = "/models/elbow/frame_markers/wrist=reach.csv";
    let run = [
        "run",
        "elbow.toml",
        "--time",
        "0.5",
        "--every",
        "0.01",
        "--frames",
        "none",
        "--trace",
        trace,
    ];
    succeed(&shop, &[&run[..], &["--input", "made.csv", "--out", "made"]].concat());
    let inverse = ["inverse", "elbow.toml", "--targets", "made/reach.csv", "--out", "found"];
    succeed(&shop, &[&inverse[..], &["--regularization", "1e-6"]].concat());
    assert_eq!(shop.names("found"), ["excitations.csv", "inverse.json", "targets.csv"]);
    let (heading, found) = table(&shop, "found/excitations.csv");
    assert_eq!(heading[1..], MUSCLES.map(str::to_owned));
    assert_eq!(found.len(), 50);
    succeed(&shop, &[&run[..], &["--input", "found/excitations.csv", "--out", "again"]].concat());
    let (_, made) = table(&shop, "made/reach.csv");
    let (_, again) = table(&shop, "again/reach.csv");
    let far =
        |a: &[f64], b: &[f64]| (0..3).map(|k| (a[k + 1] - b[k + 1]).powi(2)).sum::<f64>().sqrt();
    let size = made.iter().map(|row| far(row, &made[0])).fold(0.0, f64::max);
    let worst = made.iter().zip(&again).map(|(a, b)| far(a, b)).fold(0.0, f64::max);
    assert!(size > 0.02 && worst < 0.01 * size, "{worst} m of {size} m");
    // The same places as in the run that found them.
    let (_, targets) = table(&shop, "found/targets.csv");
    for (target, row) in targets.iter().zip(&again[1..]) {
        assert!((0..3).all(|k| (target[k + 4] - row[k + 1]).abs() < 1e-9), "{target:?} {row:?}");
    }
    // Flexor and extensor do not work against each other more than those that made the motion.
    let sum =
        |rows: &[Vec<f64>]| rows.iter().map(|row| row[1] * row[1] + row[2] * row[2]).sum::<f64>();
    let (_, before) = table(&shop, "made.csv");
    assert!(sum(&found) < sum(&before), "{} of {}", sum(&found), sum(&before));
}

#[test]
fn what_cannot_be_followed_is_refused_with_what_to_do() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    shop.write("wrong.csv", "time,a,b\n0,1,2\n1,1,2\n");
    shop.write("right.csv", "time,wrist.x,wrist.y,wrist.z\n0,0.24,0,0\n1,0.24,0,0\n");
    let inverse = ["inverse", "elbow.toml", "--out", "found", "--targets"];
    for (more, code, text) in [
        (vec!["wrong.csv"], 3, "none of its columns (a, b)"),
        (
            vec!["right.csv", "--excite", "/models/elbow/rigid_bodies/forearm"],
            3,
            "has no excitation",
        ),
        (vec!["right.csv", "--weight", "/nothing:position=2"], 2, "the file follows"),
        (vec!["right.csv", "--integrator", "trapezoidal"], 3, "backward Euler"),
        (vec!["right.csv", "--kp", "10"], 2, "--kd"),
    ] {
        let output = shop.sinew(&[&inverse[..], &more].concat());
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(text), "{more:?}: {}", stderr(&output));
    }
    // Markers by their names, as motion capture has them.
    succeed(&shop, &[&inverse[..], &["right.csv", "--time", "0.05"]].concat());
}

#[test]
fn a_constant_is_found_from_the_motion_that_it_made() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    let damping = "/models/elbow/rigid_bodies/forearm:inertial_damping";
    let set = format!("{damping}=3");
    let trace = "/models/elbow/frame_markers/wrist=reach.csv";
    let run = ["run", "elbow.toml", "--time", "0.3", "--every", "0.01", "--frames", "none"];
    let more = ["--newton", "--set", &set, "--trace", trace, "--out", "made"];
    succeed(&shop, &[&run[..], &more].concat());
    let sought = format!("{damping}=0..20");
    let fit = ["fit", "elbow.toml", "--data", "made/reach.csv", "--parameters"];
    succeed(&shop, &[&fit[..], &[&sought, "--out", "fitted"]].concat());
    let text = std::fs::read_to_string(shop.path("fitted/fit.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let value = summary["parameters"][0]["value"].as_f64().expect("a value");
    assert!((value - 3.0).abs() < 1e-3 && summary["converged"] == true, "{text}");
    for (parameters, code, what) in [
        (damping.to_owned() + "=5..1", 2, "LOWER below UPPER"),
        ("/models/elbow/rigid_bodies/forearm:name".to_owned(), 3, "name"),
    ] {
        let output = shop.sinew(&[&fit[..], &[parameters.as_str()]].concat());
        assert_eq!(output.status.code(), Some(code), "{parameters}: {}", stderr(&output));
        assert!(stderr(&output).contains(what), "{parameters}: {}", stderr(&output));
    }
}
