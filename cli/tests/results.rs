//! Results of a run on disk and on stdout.

use crate::common::{
    SHORT_BEAM, TETRAHEDRON, Workshop, assert_whole, energies, last_line, run_json, stderr,
};

/// The keys of `--json`, in order.
const KEYS: [&str; 25] = [
    "model",
    "nodes",
    "elements",
    "bodies",
    "dofs",
    "constraints",
    "backend",
    "device",
    "solver",
    "preconditioner",
    "threads",
    "steps",
    "sim_time",
    "wall_s",
    "step_ms",
    "phases_ms",
    "bytes_up",
    "bytes_down",
    "kinetic_energy",
    "potential_energy",
    "strain_energy",
    "volume",
    "center_of_mass",
    "tip_displacement",
    "peak_memory_mb",
];

fn keys(object: &serde_json::Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn every_spelling_of_the_folder_of_results_is_taken() {
    let shop = Workshop::new();
    for option in ["-o", "--out", "--output"] {
        let folder = option.trim_matches('-');
        let rest = ["--frames", "none", option, folder];
        let output = shop.sinew(&[&["run"], &SHORT_BEAM[..], &rest[..]].concat());
        assert!(output.status.success(), "{option}: {}", stderr(&output));
        assert!(shop.path(folder).join("run.json").is_file(), "{option}");
    }
}

#[test]
fn the_line_of_json_has_the_documented_keys() {
    let shop = Workshop::new();
    let line = shop.run_json(&SHORT_BEAM);
    assert_eq!(keys(&line), KEYS);
    assert_eq!(keys(&line["step_ms"]), ["mean", "median", "min", "max", "p95"]);
    let phases = ["forces", "assembly", "factor", "solve", "contact", "stabilization", "output"];
    assert_eq!(keys(&line["phases_ms"]), phases);
    assert_eq!((&line["steps"], &line["backend"]), (&10.into(), &"cpu".into()));
    // Ten steps of 0.01 s; each addition rounds by 1e-17 at most.
    assert!((line["sim_time"].as_f64().unwrap() - 0.1).abs() < 1e-15, "{line}");
    assert_eq!(line["tip_displacement"].as_array().unwrap().len(), 3);
}

#[test]
fn a_model_without_a_tip_has_no_tip_displacement() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    let line = shop.run_json(&["tet.vtk", "--time", "0.02"]);
    let expected: Vec<_> = KEYS.into_iter().filter(|key| *key != "tip_displacement").collect();
    assert_eq!(keys(&line), expected);
    assert_eq!((&line["model"], &line["nodes"]), (&"tet".into(), &4.into()));
}

#[test]
fn json_is_all_that_stdout_gets_and_quiet_leaves_stderr_empty() {
    let shop = Workshop::new();
    let run = |options: &[&str]| shop.sinew(&[&["run"], options, &SHORT_BEAM[..]].concat());
    let json = run(&["--json"]);
    assert_eq!(json.stdout.iter().filter(|&&byte| byte == b'\n').count(), 1);
    assert!(stderr(&json).contains("results/beam"), "{}", stderr(&json));
    let quiet = run(&["--quiet", "--profile"]);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty(), "{quiet:?}");
    let both = run(&["--quiet", "--json"]);
    assert_eq!(last_line(&both)["model"], "beam");
    assert!(both.stderr.is_empty(), "{}", stderr(&both));
    let profile = String::from_utf8(run(&["--profile"]).stdout).unwrap();
    assert!(profile.contains("assembly") && profile.contains("factorizations"), "{profile}");
}

#[test]
fn a_run_leaves_frames_a_row_a_step_and_its_record() {
    let shop = Workshop::new();
    shop.run_json(&SHORT_BEAM);
    let directory = shop.path("results/beam");
    assert_whole(&directory);
    // Frames at 0, 0.04, 0.08 s and at the end, 0.1 s.
    let frames = shop.names("results/beam").iter().filter(|n| n.starts_with("frame_")).count();
    assert_eq!(frames, 4);
    let (heading, rows) = energies(&directory);
    assert_eq!(rows.len(), 11);
    assert_eq!((heading[0].as_str(), heading.last().unwrap().as_str()), ("time", "step_ms"));
    let record = run_json(&directory);
    assert_eq!((&record["program"], &record["status"]), (&"sinew".into(), &"done".into()));
    assert_eq!((&record["frames"], &record["result"]["steps"]), (&4.into(), &10.into()));
    assert!(record["machine"]["cores"].as_u64().unwrap() > 0, "{record}");
}

#[test]
fn energies_of_frames_alone_are_those_of_every_step_there() {
    let shop = Workshop::new();
    let mut ends = Vec::new();
    for (energies, out) in [("steps", "all"), ("frames", "few")] {
        let options = ["--energies", energies, "--out", out];
        ends.push(shop.run_json(&[&SHORT_BEAM[..], &options].concat())["strain_energy"].clone());
    }
    let rows = |out: &str| energies(&shop.path(out)).1;
    let (all, few) = (rows("all"), rows("few"));
    // The start, frames at 0.04 and 0.08 s, and the end.
    assert_eq!((all.len(), few.len()), (11, 4));
    for (row, place) in few.iter().zip([0, 4, 8, 10]) {
        let state = row.len() - 1;
        assert_eq!(row[..state], all[place][..state]);
    }
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn frames_show_the_fields_that_the_documentation_names() {
    let shop = Workshop::new();
    shop.run_json(&SHORT_BEAM);
    let frame = std::fs::read(shop.path("results/beam/frame_00000.vtu")).unwrap();
    let text = String::from_utf8_lossy(&frame);
    for field in ["displacement", "velocity", "von_mises", "strain_energy_density"] {
        assert!(text.contains(&format!("Name=\"{field}\"")), "{field}");
    }
}

#[test]
fn a_second_run_replaces_the_first_and_keeps_what_is_not_its_own() {
    let shop = Workshop::new();
    shop.run_json(&[&SHORT_BEAM[..], &["--every", "0", "--out", "out"]].concat());
    shop.write("out/view.pvsm", "mine");
    shop.run_json(&[&SHORT_BEAM[..], &["--frames", "none", "--out", "out"]].concat());
    assert_eq!(shop.names("out"), ["energies.csv", "run.json", "run.lock", "view.pvsm"]);
}

#[test]
fn static_is_one_solve_with_a_frame_before_and_after() {
    let shop = Workshop::new();
    let line = shop.run_json(&["beam", "--integrator", "static", "--increments", "2"]);
    assert_eq!(line["steps"], 1);
    assert_eq!(energies(&shop.path("results/beam")).1.len(), 2);
    assert_eq!(run_json(&shop.path("results/beam"))["frames"], 2);
}

#[test]
fn lengths_of_a_file_in_millimetres_are_converted() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    let options = ["--param", "unit=mm,clamp=z<0.5", "--time", "0.02"];
    let line = shop.run_json(&[&["tet.vtk"], &options[..]].concat());
    // A tetrahedron of 1 mm has 1/6 mm³; its weight strains it by rho g l / E = 2e-5.
    let volume = line["volume"].as_f64().unwrap();
    assert!((volume * 6e9 - 1.0).abs() < 1e-3, "{volume}");
}

#[test]
fn a_step_that_fails_keeps_the_last_good_frame_and_says_so() {
    // Ten times the stable step of the explicit integrator: the motion grows by a factor a step,
    // until numbers overflow, or an element is turned inside out where the law forbids it.
    let unstable = ["--integrator", "symplectic-euler", "--step", "0.05", "--time", "200"];
    for (law, words) in [("mat=linear", "not finite"), ("mat=neohook", "element")] {
        let shop = Workshop::new();
        let options = ["run", "beam", "--json", "--every", "1", "--param", law];
        let output = shop.sinew(&[&options[..], &unstable].concat());
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{law}: {message}");
        let error = message.lines().last().unwrap();
        assert!(error.starts_with("error: at t = ") && error.contains(words), "{law}: {error}");
        let directory = shop.path("results/beam");
        assert_whole(&directory);
        let record = run_json(&directory);
        assert_eq!(record["status"], "failed");
        assert_eq!(format!("error: {}", record["reason"].as_str().unwrap()), error);
        let line = last_line(&output);
        assert_eq!(line["status"], "failed");
        let steps = line["steps"].as_u64().unwrap() as usize;
        let (_, rows) = energies(&directory);
        assert_eq!(rows.len(), steps + 1, "{law}");
        let good = |row: &Vec<String>| row.iter().all(|x| x.parse::<f64>().unwrap().is_finite());
        assert!(rows.iter().all(good), "{law}: a row without numbers");
        let series = std::fs::read_to_string(directory.join("frames.pvd")).unwrap();
        let last: f64 = rows[steps][0].parse().unwrap();
        assert!(series.contains(&format!("timestep=\"{last}\"")), "{law}: no frame at {last} s");
    }
}

#[test]
fn the_lists_name_what_can_be_run_and_completions_are_a_script() {
    let shop = Workshop::new();
    let text = |arguments: &[&str]| {
        let output = shop.sinew(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let models = text(&["models"]);
    for word in ["beam", "tongue: ", "jaw-tongue-hyoid (the default)", "density", "clamp"] {
        assert!(models.contains(word), "{word}: {models}");
    }
    let tongue = text(&["models", "tongue"]);
    assert!(tongue.starts_with("tongue: ") && tongue.contains("resolution"), "{tongue}");
    assert!(!tongue.contains("clamp"), "{tongue}");
    assert!(text(&["devices"]).starts_with("cpu "));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(text(&["completions", shell]).contains("integrator"), "{shell}");
    }
}

#[test]
fn energy_that_comes_from_nothing_is_told() {
    let shop = Workshop::new();
    let beam = "elem=quadtet,mat=corot,E=245666.1,nu=0.49,g=30,nx=2,ny=1,nz=2,lx=1.457,ly=.306,lz=.060,alpha=0,beta=.01";
    for (step, told) in [("0.03", true), ("0.002", false)] {
        let settings = ["--step", step, "--time", "0.3", "--frames", "none"];
        let output = shop.sinew(&[&["run", "beam", "--param", beam], &settings[..]].concat());
        let notes = stderr(&output);
        assert_eq!(notes.contains("though nothing works on the model"), told, "{notes}");
    }
}
