//! `sinew check`, `sinew save` and `sinew run` of model files.

use crate::common::{Workshop, stderr};

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
fn convert_writes_models_of_other_programs_as_save_does() {
    let workshop = Workshop::new();
    let leg = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bodies/leg.osim");
    workshop.write("leg.osim", &std::fs::read_to_string(leg).unwrap());
    for command in ["convert", "save"] {
        let output = workshop.sinew(&[command, "leg.osim", &format!("{command}.toml")]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let text = |name: &str| std::fs::read_to_string(workshop.path(name)).unwrap();
    assert_eq!(text("convert.toml"), text("save.toml"));
    let output = workshop.sinew(&["convert", "leg.osim", "leg.vtu"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("sinew save leg.osim NAME.toml"), "{}", stderr(&output));
    let output = workshop.sinew(&["convert", "leg.osim", "leg.toml", "--scale", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--scale"), "{}", stderr(&output));
}

#[test]
fn a_model_of_febio_runs_as_its_file_says() {
    let workshop = Workshop::new();
    let feb = "<febio_spec version=\"2.5\"><Control><analysis type=\"static\"/><time_steps>4</time_steps><step_size>0.25</step_size></Control>\
        <Material><material id=\"1\" type=\"neo-Hookean\"><E>1000</E><v>0.3</v></material></Material>\
        <Geometry><Nodes><node id=\"1\">0,0,0</node><node id=\"2\">1,0,0</node><node id=\"3\">0,1,0</node>\
        <node id=\"4\">0,0,1</node></Nodes><Elements type=\"tet4\" mat=\"1\"><elem id=\"1\">1,2,3,4</elem></Elements>\
        <NodeSet name=\"base\"><n id=\"1\"/><n id=\"2\"/><n id=\"3\"/></NodeSet><NodeSet name=\"tip\"><n id=\"4\"/></NodeSet></Geometry>\
        <Boundary><fix bc=\"x,y,z\" node_set=\"base\"/><prescribe bc=\"z\" node_set=\"tip\"><scale>0.1</scale></prescribe></Boundary>\
        <Contact><contact type=\"sticky\"/></Contact></febio_spec>";
    workshop.write("tet.feb", feb);
    let arguments = [
        "run",
        "tet.feb",
        "--out",
        "out",
        "--frames",
        "none",
        "--probe",
        "/models/tet/fem_models/tissue/nodes/3:position=tip.sto",
    ];
    let output = workshop.sinew(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("tet.feb:1:") && stderr(&output).contains("<Contact>"),
        "{}",
        stderr(&output)
    );
    let table = std::fs::read_to_string(workshop.path("out/tip.sto")).unwrap();
    assert!(table.contains("inDegrees=no"), "{table}");
    let last: Vec<f64> =
        table.lines().last().unwrap().split('\t').map(|x| x.parse().unwrap()).collect();
    assert_eq!((last[0], last[3]), (1.0, 1.1));
    // A parameter of meshes asks for the mesh alone.
    let mesh = ["run", "tet.feb", "--param", "unit=mm,E=5e4", "--time", "0.01", "--out", "mesh"];
    let output = workshop.sinew(&mesh);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the mesh alone is taken"), "{}", stderr(&output));
    let output = workshop.sinew(&["run", "tet.feb", "--param", "speed=5"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("'speed'") && stderr(&output).contains("units"),
        "{}",
        stderr(&output)
    );
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

#[test]
fn a_model_is_scaled_mirrored_and_fitted_to_landmarks_on_the_way_to_a_file() {
    let workshop = Workshop::new();
    let done = |args: &[&str]| {
        let output = workshop.sinew(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    };
    let place = |file: &str| -> Vec<f64> {
        let path = "/models/drop/particles/bob:position";
        let output = workshop.sinew(&["inspect", file, path, "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        serde_json::from_value(report["property"]["value"].clone()).unwrap()
    };
    workshop.write("drop.toml", &format!("{DROP}position = [0.1, 0.2, 0.4]\n"));
    done(&["transform", "drop.toml", "--scale", "0.5", "-o", "half.toml"]);
    done(&[
        "transform",
        "drop.toml",
        "--mirror",
        "0,1,0",
        "--about",
        "0,0.1,0",
        "-o",
        "mirror.toml",
    ]);
    workshop.write("from.csv", "x,y,z\n0,0,0\n100,0,0\n0,100,0\n0,0,100\n");
    workshop.write("to.csv", "0,0,0\n200,0,0\n0,100,0\n0,0,100\n");
    done(&[
        "transform",
        "drop.toml",
        "--landmarks",
        "from.csv",
        "to.csv",
        "--unit",
        "mm",
        "-o",
        "fit.toml",
    ]);
    for (file, expected) in [
        ("half.toml", [0.05, 0.1, 0.2]),
        ("mirror.toml", [0.1, 0.0, 0.4]),
        ("fit.toml", [0.2, 0.2, 0.4]),
    ] {
        // Roundings of the solution for a spline.
        let found = place(file);
        let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-12, "{file}: {found:?}");
    }
    for (args, code, part) in [
        (&["--scale", "1,2"][..], 2, "1 or 3"),
        (&["--scale", "0"], 3, "flat"),
        (&["--landmarks", "from.csv", "none.csv"], 3, "none.csv"),
        (&[], 2, "required"),
        (&["--scale", "2", "--mirror", "1,0,0"], 2, "cannot be used"),
    ] {
        let output = workshop.sinew(&[&["transform", "drop.toml", "-o", "x.toml"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
    assert!(!workshop.path("x.toml").exists());
}

#[test]
fn sensors_controllers_and_events_of_a_file_run_and_are_recorded() {
    let workshop = Workshop::new();
    let more = r#"[[particle]]
name = "post"
dynamic = false
position = [0.0, 0.0, 1.0]
[[axial_spring]]
name = "rope"
first = "particles/bob"
second = "particles/post"
material = { type = "linear", stiffness = 10.0 }
rest_length = 1.0
[[sensor]]
name = "felt"
quantity = "specific_force"
of = ["particles/bob"]
[[property_controller]]
name = "winch"
input = "1 - 0.1 * t"
target = "axial_springs/rope"
property = "rest_length"
[[event]]
name = "float"
when = "{/models/drop/particles/bob:velocity.z}"
crosses = -0.02
command = "set /models/drop:gravity 0 0 0"
[[output_probes]]
name = "felt"
properties = ["sensors/felt:vector", "axial_springs/rope:rest_length", ".:gravity"]
every = 0.002
"#;
    workshop.write("drop.toml", &format!("{DROP}{more}"));
    let checked = workshop.sinew(&["check", "drop.toml"]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    workshop.run_json(&["drop.toml", "--frames", "none", "--out", "a"]);
    let text = std::fs::read_to_string(workshop.path("a").join("felt.csv")).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(|x| x.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 6, "{text}");
    assert!((rows[0][3] - 9.8).abs() < 1e-12, "at rest before the first step: {text}");
    // Set before the step that ends there.
    assert!((rows[5][4] - (1.0 - 0.1 * 0.008)).abs() < 1e-12, "{text}");
    assert_eq!([rows[1][7], rows[5][7]], [-9.8, 0.0], "{text}");
    let saved = workshop.sinew(&["save", "drop.toml", "again.json"]);
    assert_eq!(saved.status.code(), Some(0), "{}", stderr(&saved));
    workshop.run_json(&["again.json", "--frames", "none", "--out", "b"]);
    assert_eq!(std::fs::read_to_string(workshop.path("b").join("felt.csv")).unwrap(), text);
}

#[test]
fn a_model_is_written_for_opensim_and_what_that_does_not_hold_is_told() {
    let workshop = Workshop::new();
    let output = workshop.sinew(&["save", "stance", "stance.osim"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("stance.osim\n"));
    let told = stderr(&output);
    assert!(told.lines().all(|line| line.starts_with("note: ")) && !told.is_empty(), "{told}");
    let summary = workshop.run_json(&["stance.osim", "--frames", "none", "--time", "0.01"]);
    let bodies = workshop.run_json(&["stance", "--frames", "none", "--time", "0.01"]);
    assert_eq!(summary["bodies"], bodies["bodies"], "{summary:#}");
}
