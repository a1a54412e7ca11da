//! `sinew inverse`: a motion that muscles made is followed, and what is found makes it once more; `sinew fit`: a constant that
//! made a motion; what is refused.

use crate::common::{Workshop, stderr};

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

/// A section `[inverse]` of the model file, as good as options, which come before it.
#[test]
fn a_section_of_the_model_file_is_followed_without_options() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    let section = r#"
[inverse]
targets = "made/reach.csv"
excite = ["axial_springs/biceps", "axial_springs/triceps"]
regularization = 1e-6
weights = [{ target = "frame_markers/wrist:position", weight = 2.0 }]
bounds = [{ of = "axial_springs/triceps", upper = 0.9 }]
"#;
    shop.write("follow.toml", &[ELBOW, section].concat());
    shop.write("made.csv", &excitations());
    let trace = "/models/elbow/frame_markers/wrist=reach.csv";
    let run = ["run", "elbow.toml", "--time", "0.1", "--every", "0.01", "--frames", "none"];
    let more = ["--trace", trace, "--input", "made.csv", "--out", "made"];
    succeed(&shop, &[&run[..], &more].concat());
    let weight = "/models/elbow/frame_markers/wrist:position=2";
    let options = ["--targets", "made/reach.csv", "--regularization", "1e-6", "--weight", weight];
    succeed(&shop, &[&["inverse", "elbow.toml", "--out", "asked"][..], &options].concat());
    succeed(&shop, &["inverse", "follow.toml", "--out", "told"]);
    let [(_, asked), (heading, told)] =
        ["asked", "told"].map(|it| table(&shop, &format!("{it}/excitations.csv")));
    assert_eq!(heading[1..], MUSCLES.map(str::to_owned));
    assert_eq!(asked, told);
    // Options come first, and a saved file says the same.
    let alone = ["--excite", "/models/elbow/axial_springs/biceps", "--regularization", "1e-3"];
    let refused = shop.sinew(&[&["inverse", "follow.toml", "--out", "one"][..], &alone].concat());
    assert!(stderr(&refused).contains("triceps' is not excited"), "{}", stderr(&refused));
    succeed(&shop, &["save", "follow.toml", "saved.toml"]);
    succeed(&shop, &["inverse", "saved.toml", "--out", "saved"]);
    assert_eq!(table(&shop, "saved/excitations.csv").1, told);
    let nothing = shop.sinew(&["inverse", "elbow.toml", "--out", "none"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(stderr(&nothing).contains("[inverse]"), "{}", stderr(&nothing));
}

/// A table as OpenSim's storage files have it: its columns and rows.
fn storage(shop: &Workshop, path: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(shop.path(path)).expect("a table");
    let (_, text) = text.split_once("endheader\n").expect("a heading");
    let mut lines = text.lines().map(|line| line.split('\t'));
    let columns = lines.next().expect("columns").map(str::to_owned).collect();
    let numbers = |line: std::str::Split<'_, char>| -> Vec<f64> {
        line.map(|word| word.parse().expect("a number")).collect()
    };
    (columns, lines.map(numbers).collect())
}

/// Markers of the forearm at an angle, to joint angles, to the moment of its weight and of one at the wrist, to muscles.
#[test]
fn a_rigid_model_goes_from_markers_to_angles_moments_and_muscles() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    let angles: Vec<f64> = (0..=40).map(|k| 0.1 + 0.4 * (0.1 * f64::from(k)).sin()).collect();
    let mut markers =
        "time,wrist.x,wrist.y,wrist.z,olecranon.x,olecranon.y,olecranon.z\n".to_owned();
    for (k, angle) in angles.iter().enumerate() {
        let (sin, cos) = angle.sin_cos();
        // From the elbow: 0.24 m forward, and 0.02 m behind it.
        let [wrist, back] = [0.24, -0.02].map(|r| format!("{},0,{}", r * cos, r * sin));
        markers += &format!("{},{wrist},{back}\n", 0.05 * k as f64);
    }
    shop.write("markers.csv", &markers);
    succeed(&shop, &["inverse", "elbow.toml", "--kinematics", "markers.csv", "--out", "posed"]);
    assert_eq!(shop.names("posed"), ["errors.sto", "inverse.json", "motion.sto"]);
    let (columns, posed) = storage(&shop, "posed/motion.sto");
    assert_eq!(columns, ["time", "/models/elbow/connectors/elbow:coordinate.theta.value"]);
    for (row, angle) in posed.iter().zip(&angles) {
        assert!((row[1] - angle).abs() < 1e-7, "{row:?} for {angle}");
    }
    // A weight of 10 N at the wrist hangs from it the same at all times: the arm is held at 0.3 rad.
    let column = "/models/elbow/connectors/elbow:coordinate.theta.value";
    let rows: String = (0..=10).map(|k| format!("{},0.3\n", 0.1 * f64::from(k))).collect();
    shop.write("held.csv", &format!("time,{column}\n{rows}"));
    let body = "/models/elbow/rigid_bodies/forearm";
    let names = ["force", "point"]
        .map(|part| ["x", "y", "z"].map(|axis| format!("{body}:{part}.{axis}")).join(","));
    let (sin, cos) = 0.3f64.sin_cos();
    let point = format!("{},0,{}", 0.24 * cos, 0.24 * sin);
    let load = format!("0,0,0,-10,{point}\n1,0,0,-10,{point}\n");
    shop.write("load.csv", &format!("time,{},{}\n{load}", names[0], names[1]));
    let dynamics = ["inverse", "elbow.toml", "--dynamics", "held.csv", "--static-optimization"];
    succeed(&shop, &[&dynamics[..], &["--loads", "load.csv", "--out", "shared"]].concat());
    let (_, moments) = storage(&shop, "shared/moments.sto");
    let expected = (1.5 * 9.8 * 0.13 + 10.0 * 0.24) * cos;
    assert!(moments.iter().all(|row| (row[1] - expected).abs() < 1e-6), "{moments:?} {expected}");
    // The flexor bears it alone, by its arm at this angle.
    let (columns, activations) = storage(&shop, "shared/activations.sto");
    assert_eq!(columns[1..], MUSCLES.map(str::to_owned));
    let (_, forces) = storage(&shop, "shared/forces.sto");
    let (front, end) = ([0.02, 0.25], [0.04 * cos - 0.012 * sin, 0.04 * sin + 0.012 * cos]);
    let way = [front[0] - end[0], front[1] - end[1]];
    let length = way[0].hypot(way[1]);
    let arm = (end[0] * way[1] - end[1] * way[0]) / length;
    for (a, force) in activations.iter().zip(&forces) {
        assert!(a[1] > 0.0 && a[1] <= 1.0 && a[2].abs() < 1e-9, "{a:?}");
        assert!((force[1] * arm - expected).abs() < 1e-6, "{force:?}, arm {arm}, {expected}");
    }
    let replay = ["run", "elbow.toml", "--time", "0.05", "--frames", "none", "--out", "replay"];
    succeed(&shop, &[&replay[..], &["--input", "shared/activations.sto"]].concat());
}

#[test]
fn tables_of_rigid_models_are_refused_with_what_to_do() {
    let shop = Workshop::new();
    shop.write("elbow.toml", ELBOW);
    shop.write("wrong.csv", "time,a,b\n0,1,2\n1,1,2\n");
    shop.write("held.csv", "time,elbow\n0,0.3\n1,0.3\n");
    shop.write("huge.csv", "time,elbow\n0,0.3\n1,1e300\n");
    shop.write("parts.csv", "time,wrist.x,wrist.z\n0,1,2\n1,1,2\n");
    let inverse = ["inverse", "elbow.toml", "--out", "found"];
    for (more, code, text) in [
        (vec![], 2, "--targets"),
        (vec!["--kinematics", "wrong.csv"], 3, "none of its columns (a, b)"),
        (vec!["--dynamics", "wrong.csv"], 3, "none of its columns (a, b)"),
        (vec!["--dynamics", "held.csv", "--loads", "wrong.csv"], 3, "'a' begins no vector"),
        (vec!["--dynamics", "held.csv", "--kinematics", "held.csv"], 2, "cannot be used with"),
        (vec!["--dynamics", "held.csv", "--static-optimization", "--power", "1"], 3, "2 to 10"),
        (vec!["--dynamics", "held.csv", "--static-optimization", "--power", "30"], 3, "2 to 10"),
        (vec!["--targets", "parts.csv"], 3, "all of .x, .y and .z"),
    ] {
        let output = shop.sinew(&[&inverse[..], &more].concat());
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(text), "{more:?}: {}", stderr(&output));
    }
    // A coordinate by the name of its joint.
    succeed(&shop, &[&inverse[..], &["--dynamics", "held.csv"]].concat());
    let output = shop.sinew(&["inverse", "elbow.toml", "--targets", "huge.csv", "--out", "far"]);
    assert!(!output.status.success() && stderr(&output).contains("at most 1e9"), "{output:?}");
}

/// Moments of arm26 at rest by the command, where the model and the reference lie beside the repository.
#[test]
fn moments_of_arm26_by_the_command_are_those_of_opensim() {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, std::path::PathBuf::from);
    let file = shared.join("datasets/msk_osim/arm26.osim");
    if !file.is_file() {
        println!("the reference data is not there ({}): nothing to compare", shared.display());
        return;
    }
    let text = std::fs::read_to_string(shared.join("reference/validation/musculoskeletal.json"));
    let all: serde_json::Value = serde_json::from_str(&text.expect("references")).expect("JSON");
    let list = all.as_array().or_else(|| all["items"].as_array()).expect("a list");
    let case = list.iter().find(|it| it["id"] == "MSK-OSIM-arm26").expect("the case");
    let case = &case["reference"]["inverse_dynamics"];
    let of = |key: &str| {
        ["r_shoulder_elev", "r_elbow_flex"].map(|name| case[key][name].as_f64().expect("a number"))
    };
    let ([shoulder, elbow], expected) = (of("q"), of("tau_static_qd0_qdd0"));
    let shop = Workshop::new();
    let rows: String = (0..3).map(|k| format!("{k},{shoulder},{elbow}\n")).collect();
    shop.write("held.csv", &format!("time,r_shoulder,r_elbow\n{rows}"));
    let file = file.to_str().expect("a path");
    let dynamics = ["inverse", file, "--dynamics", "held.csv", "--static-optimization"];
    succeed(&shop, &[&dynamics[..], &["--out", "found"]].concat());
    for row in storage(&shop, "found/moments.sto").1 {
        assert!((0..2).all(|k| (row[k + 1] - expected[k]).abs() < 1e-4), "{row:?} {expected:?}");
    }
    let (columns, activations) = storage(&shop, "found/activations.sto");
    assert_eq!(columns.len(), 7);
    assert!(activations.iter().flat_map(|row| &row[1..]).all(|a| (-1e-9..=1.0).contains(a)));
}
