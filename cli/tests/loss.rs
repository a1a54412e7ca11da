//! Nothing is lost or written over unasked, and what cannot be written is told.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{SHORT_BEAM, TETRAHEDRON, Workshop, energies, names, stderr};

/// A particle that falls, with a section of probes behind it.
fn falling(probes: &str) -> String {
    format!("version = 1\nname = \"fall\"\n[[particle]]\nname = \"bob\"\n{probes}")
}

/// Everything in a directory, by name.
fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), std::fs::read(directory.join(&name)).unwrap());
    names(directory).into_iter().map(read).collect()
}

fn assert_refused(output: &Output, code: i32, what: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
    assert!(stderr(output).contains(what), "{}", stderr(output));
}

#[test]
fn of_two_runs_into_one_directory_the_second_is_refused() {
    let shop = Workshop::new();
    let long = ["run", "beam", "--step", "1e-5", "--time", "1e4", "--quiet", "--out", "one"];
    let mut first = shop.command(&long).stdout(Stdio::null()).spawn().unwrap();
    let table = shop.path("one/energies.csv");
    let begun = Instant::now();
    while std::fs::read_to_string(&table).map_or(0, |text| text.lines().count()) < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the first run does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = shop.sinew(&[&["run", "--out", "one"], &SHORT_BEAM[..]].concat());
    assert!(first.try_wait().unwrap().is_none(), "the first run goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_refused(&second, 5, "another run writes its results there");
    assert!(energies(&shop.path("one")).1.len() >= 2);
    // What was killed holds nothing.
    assert!(shop.sinew(&[&["run", "--out", "one"], &SHORT_BEAM[..]].concat()).status.success());
}

/// A joint that is switched off has no force.
#[test]
fn a_probe_without_a_value_at_the_start_is_refused_before_anything_is_removed() {
    let shop = Workshop::new();
    let body = "[[rigid_body]]\nname = \"b\"\nmass = 1.0\nshape = { sphere = 0.1 }\n";
    let joint = "[[joint]]\nname = \"j\"\nkind = \"hinge\"\nbody_c = \"rigid_bodies/b\"\n";
    shop.write("m.toml", &format!("version = 1\n{body}{joint}"));
    let run = |more: &[&str]| {
        let fixed = ["run", "m.toml", "--time", "0.05", "--quiet", "--probe"];
        shop.sinew(&[&fixed, &["/models/m/connectors/j:force"][..], more].concat())
    };
    let first = run(&[]);
    assert!(first.status.success(), "{}", stderr(&first));
    let before = contents(&shop.path("results/m"));
    let refused = run(&["--set", "/models/m/connectors/j:enabled=false"]);
    assert_refused(&refused, 3, "has no value");
    assert!(contents(&shop.path("results/m")) == before, "the results before are gone");
}

#[test]
fn a_run_that_is_refused_has_not_touched_the_results_of_the_one_before() {
    let shop = Workshop::new();
    let run = |more: &[&str]| shop.sinew(&[&["run"], &SHORT_BEAM[..], more].concat());
    assert!(run(&["--probe", "/:energy=e.csv"]).status.success());
    let directory = shop.path("results/beam");
    let before = contents(&directory);
    shop.write("out.json", r#"{"output_probes": [{"name": "../a", "properties": ["/:energy"]}]}"#);
    for (more, code, what) in [
        (&["--probe", "/:energi"][..], 3, "energi"),
        (&["--probe", "/:energy=a.xls"], 3, "no property"),
        (&["--probe", "/:energy=./energies.csv"], 3, "no plain name"),
        (&["--probe", "/:energy=Energies.csv"], 3, "a file of every run"),
        (&["--probe", "/:energy=../a.csv"], 3, "no plain name"),
        (
            &["--probe", "/:energy=a.csv", "--trace", "/models/beam/fem_models/beam/nodes/0=A.csv"],
            3,
            "as probe",
        ),
        (&["--probes", "out.json"], 3, "no plain name"),
        (&["--every", "1e-300", "--probe", "/:energy"], 3, "samples in a step"),
        (&["--integrator", "static", "--newton"], 2, "--newton"),
    ] {
        assert_refused(&run(more), code, what);
        assert!(contents(&directory) == before, "{more:?} changed {:?}", names(&directory));
    }
    assert!(!shop.path("results/a.csv").exists() && !shop.path("a.csv").exists());
}

#[test]
fn a_file_of_the_user_among_the_results_is_not_written_over() {
    let shop = Workshop::new();
    let run = |probe: &str| shop.sinew(&[&["run", "--probe", probe], &SHORT_BEAM[..]].concat());
    assert!(run("/:energy=e.csv").status.success());
    shop.write("results/beam/thesis.csv", "all my work");
    shop.write("elsewhere.csv", "mine");
    assert_refused(&run("/:energy=thesis.csv"), 5, "thesis.csv is there already");
    let text = std::fs::read_to_string(shop.path("results/beam/thesis.csv")).unwrap();
    assert_eq!(text, "all my work");
    #[cfg(unix)]
    {
        // A link in the place of a file of the run is replaced, what it leads to is not.
        std::fs::remove_file(shop.path("results/beam/e.csv")).unwrap();
        std::os::unix::fs::symlink(shop.path("elsewhere.csv"), shop.path("results/beam/e.csv"))
            .unwrap();
        assert!(run("/:energy=e.csv").status.success());
        assert_eq!(std::fs::read_to_string(shop.path("elsewhere.csv")).unwrap(), "mine");
    }
}

#[test]
fn opening_a_model_in_the_shell_writes_nothing_and_no_file_of_the_user_is_replaced() {
    let shop = Workshop::new();
    let probes = "[[output_probes]]\nname = \"p\"\nproperties = [\":energy\"]\nevery = 0.01\n";
    shop.write("fall.toml", &falling(&format!("{probes}file = \"p.csv\"\n")));
    shop.write("evil.toml", &falling(&format!("{probes}file = \"thesis.csv\"\n")));
    shop.write("thesis.csv", "time,work\n0,1\n");
    shop.write("quit.txt", "time\n");
    shop.write("run.txt", "run 0.02\n");
    let shell = |model: &str, script: &str| shop.sinew(&["shell", model, "--script", script]);
    assert!(shell("fall.toml", "quit.txt").status.success());
    assert!(!shop.path("p.csv").exists(), "opening wrote");
    assert_refused(&shell("evil.toml", "quit.txt"), 3, "thesis.csv is there already");
    assert_eq!(std::fs::read_to_string(shop.path("thesis.csv")).unwrap(), "time,work\n0,1\n");
    // A recording of the same columns is one of before.
    for _ in 0..2 {
        let output = shell("fall.toml", "run.txt");
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(shop.path("p.csv")).unwrap().lines().count(), 4);
    }
}

#[test]
fn a_run_whose_probe_is_no_number_can_be_resumed() {
    let shop = Workshop::new();
    let run = |time: &str, more: &[&str]| {
        let probes = ["--probe", "{/:energy}/0", "--probe", "{/:energy}*ln(0-1)=n.csv"];
        let head = ["run", "chain", "--time", time, "--checkpoint-every", "0.02", "--quiet"];
        let output = shop.sinew(&[&head[..], &probes, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run("0.04", &[]);
    run("0.08", &["--resume", "results/chain/checkpoint.sinew"]);
    let text = std::fs::read_to_string(shop.path("results/chain/n.csv")).unwrap();
    assert!(text.lines().skip(1).all(|line| line.ends_with("NaN")), "{text}");
    assert_eq!(energies(&shop.path("results/chain")).1.len(), 9);
}

#[cfg(target_os = "linux")]
#[test]
fn what_stdout_or_a_file_does_not_take_is_an_error() {
    let shop = Workshop::new();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    shop.write("fall.toml", &falling(""));
    shop.write("tet.vtk", TETRAHEDRON);
    for arguments in [
        &["run", "beam", "--time", "0.02", "--json"][..],
        &["run", "beam", "--time", "0.02"],
        &["check", "fall.toml"],
        &["models"],
        &["help"],
        &["run", "--help"],
        &["--version"],
        &["inspect", "chain"],
        &["info", "tet.vtk"],
        &["save", "chain", "chain.toml"],
        &["convert", "tet.vtk", "tet.msh"],
    ] {
        let output =
            shop.command(arguments).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        assert_refused(&output, 5, "cannot write to stdout: No space left");
    }
    // A limit of the size of files stands for a disk that is full.
    let save = |path: &str| {
        let sinew = env!("CARGO_BIN_EXE_sinew");
        let script =
            format!("trap '' XFSZ; ulimit -f 1; exec {sinew} save jaw-tongue-hyoid {path}");
        Command::new("sh").args(["-c", &script]).current_dir(shop.path(".")).output().unwrap()
    };
    for path in ["m.toml", "m.json"] {
        assert_refused(&save(path), 5, "cannot write");
    }
    let left = names(&shop.path("."));
    assert!(left.iter().all(|name| !name.starts_with("m.")), "{left:?}");
}

/// Writing fails at each place of a run in turn: by the size of files, and by how many are open.
#[cfg(target_os = "linux")]
#[test]
fn wherever_writing_fails_the_run_says_so_and_leaves_nothing_half_written() {
    let shop = Workshop::new();
    let sinew = env!("CARGO_BIN_EXE_sinew");
    let arguments = "run beam --time 0.05 --step 0.01 --every 0.01 --checkpoint-every 0.02 \
                     --probe /:energy=p.csv --probe /:energy=q.npy --probe /:energy=r.parquet --quiet";
    let limits = (0..24).map(|k| format!("-f {k}")).chain((4..16).map(|k| format!("-n {k}")));
    let (mut refused, mut done) = (0, 0);
    for (at, limit) in limits.enumerate() {
        let script = format!("trap '' XFSZ; ulimit {limit}; exec {sinew} {arguments} --out r{at}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(shop.path("."));
        let output = command.output().expect("sh starts");
        let directory = shop.path(&format!("r{at}"));
        match output.status.code() {
            Some(0) => done += 1,
            // Without files to open there may be no threads, no handler of signals, no model.
            Some(1 | 3 | 5) => {
                refused += 1;
                assert!(stderr(&output).contains("error: "), "{limit}: {}", stderr(&output));
            }
            other => panic!("{limit}: {other:?}, {}", stderr(&output)),
        }
        for name in names(&directory) {
            assert!(!name.ends_with(".part"), "{limit}: {name} is left");
            let bytes = std::fs::read(directory.join(&name)).unwrap();
            if name.ends_with(".vtu") || name.ends_with(".pvd") {
                assert!(bytes.ends_with(b"</VTKFile>\n"), "{limit}: {name}");
            }
            if name.ends_with(".csv") {
                assert!(bytes.is_empty() || bytes.ends_with(b"\n"), "{limit}: {name}");
            }
            if name == "run.json" {
                let record: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                assert_eq!(record["program"], "sinew", "{limit}");
            }
        }
    }
    assert!(refused > 5 && done > 0, "{refused} refused, {done} done");
}
