//! Runs that are killed, or run out of room, and go on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Workshop, energies, stderr};
use sinew_run_files::checkpoint::Checkpoint;

/// Boxes that fall onto each other, one of them recorded; a second or so.
const RUN: [&str; 18] = [
    "run",
    "boxes",
    "--step",
    "0.001",
    "--time",
    "0.6",
    "--every",
    "0.02",
    "--checkpoint-every",
    "0.05",
    "--probe",
    "/models/boxes/rigid_bodies/b0:pose",
    "--probe",
    "/:energy=e.npy",
    "--probe",
    "{/:kinetic_energy}*2=k.parquet",
    "--quiet",
    "--out",
];

/// Everything that a run leaves but for wall times: the table of energies without its last column, the
/// waypoint of the checkpoint, other files whole.
fn results(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for name in crate::common::names(directory) {
        let bytes = std::fs::read(directory.join(&name)).unwrap();
        match name.as_str() {
            "run.json" => {}
            "energies.csv" => {
                let (_, mut rows) = energies(directory);
                rows.iter_mut().for_each(|row| drop(row.pop()));
                all.push((name, format!("{rows:?}").into_bytes()));
            }
            // Beside the waypoint stands the length of a table with wall times in it.
            "checkpoint.sinew" => {
                let waypoint = Checkpoint::load(&directory.join(&name)).unwrap().waypoint;
                all.push((name, Checkpoint { waypoint, ..Checkpoint::default() }.to_bytes()));
            }
            _ => all.push((name, bytes)),
        }
    }
    all
}

fn assert_same(a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)]) {
    let names =
        |files: &[(String, Vec<u8>)]| files.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(a), names(b));
    for ((name, a), (_, b)) in a.iter().zip(b) {
        assert!(a == b, "{name} differs: {} and {} bytes", a.len(), b.len());
    }
}

/// A table ends with a line end, and all of its rows are as long as its heading.
fn assert_whole_lines(path: &Path) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    assert!(text.is_empty() || text.ends_with('\n'), "{}: {text:?}", path.display());
    let width = text.lines().next().map_or(0, |line| line.split(',').count());
    assert!(text.lines().all(|line| line.split(',').count() == width), "{}", path.display());
}

/// Kills a run `after` a time that it may not reach; whether it was killed.
fn start_and_kill(shop: &Workshop, arguments: &[&str], after: Duration) -> bool {
    let mut run = shop.command(arguments).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    let ended = run.try_wait().unwrap().is_some();
    run.kill().unwrap();
    run.wait().unwrap();
    !ended
}

/// Numbers in 0..1 that are the same in every run (a linear congruence of Knuth).
fn draws() -> impl Iterator<Item = f64> {
    let mut seed = 20_u64;
    std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    })
}

#[test]
fn fifty_kills_lose_nothing_but_the_time_since_the_last_checkpoint() {
    let shop = Workshop::new();
    let whole = |out: &'static str| [&RUN[..], &[out]].concat();
    let begun = std::time::Instant::now();
    assert!(shop.sinew(&whole("whole")).status.success());
    let wall = begun.elapsed();
    let expected = results(&shop.path("whole"));
    let checkpoint = shop.path("killed/checkpoint.sinew");
    let (mut kills, mut resumed, mut draws) = (0, 0, draws());
    while kills < 50 {
        let mut arguments = whole("killed");
        let from = checkpoint.display().to_string();
        if checkpoint.exists() {
            let place = Checkpoint::load(&checkpoint).expect("a checkpoint is whole");
            assert!(place.waypoint.time() <= 0.6 + 1e-9);
            arguments.extend(["--resume", &from]);
            resumed += 1;
        }
        let share = 0.4 * draws.next().unwrap_or_default();
        if start_and_kill(&shop, &arguments, wall.mul_f64(share)) {
            kills += 1;
        } else {
            // It came to its end, as it would have without the kills; another one begins.
            assert_same(&results(&shop.path("killed")), &expected);
            std::fs::remove_dir_all(shop.path("killed")).unwrap();
        }
        for name in ["energies.csv", "probes.csv"] {
            assert_whole_lines(&shop.path("killed").join(name));
        }
    }
    assert!(resumed > 10, "{resumed} of 50 runs went on from a checkpoint");
    let from = checkpoint.display().to_string();
    let mut arguments = whole("killed");
    if checkpoint.exists() {
        arguments.extend(["--resume", &from]);
    }
    let output = shop.sinew(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_same(&results(&shop.path("killed")), &expected);
}

#[test]
fn the_default_model_goes_on_bit_for_bit_with_what_is_fed() {
    let shop = Workshop::new();
    shop.write(
        "in.csv",
        "time,/models/jaw-tongue-hyoid/exciters/0:excitation\n0,0\n0.05,0.4\n0.1,0.1\n",
    );
    let run = |out: &str, time: &str, more: &[&str]| {
        let head =
            ["run", "--quiet", "--time", time, "--checkpoint-every", "0.03", "--input", "in.csv"];
        let tail = ["--probe", "/:energy", "--frames", "none", "--out", out];
        let output = shop.sinew(&[&head[..], &tail, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run("whole", "0.1", &[]);
    // A shorter run, gone on with for longer.
    run("parts", "0.05", &[]);
    run("parts", "0.1", &["--resume", "parts/checkpoint.sinew"]);
    assert_same(&results(&shop.path("parts")), &results(&shop.path("whole")));
}

/// A block whose stress relaxes, under a skin: both are prestrained and grow.
const GROWING: &str = r#"
version = 1
name = "patch"
[[fem_model]]
name = "fat"
mesh = { box = [0.04, 0.04, 0.01], cells = [2, 2, 1] }
material = { type = "neohook", youngs_modulus = 3e3, poissons_ratio = 0.45 }
prony_series = [[0.02, 0.4]]
rest = { growth = 1.2, growth_fibre = 1.1, prestretch = 1.05, ramp = 0.0 }
[[fem_model.support]]
nodes = { where = "z < -0.0049" }
[[shell]]
name = "skin"
tissue = "fem_models/fat"
surface = "z_max"
thickness = "0.0015"
material = { type = "neohook", youngs_modulus = 1e4, poissons_ratio = 0.5 }
rest = { growth = 1.1, prestretch = 1.02, ramp = 0.0 }
"#;

#[test]
fn tissue_and_skin_that_have_grown_go_on_bit_for_bit() {
    let shop = Workshop::new();
    shop.write("patch.toml", GROWING);
    let header = "time,/models/patch/fem_models/fat:rest.ramp,/models/patch/shells/skin:rest.ramp";
    shop.write("in.csv", &format!("{header}\n0,0,0\n0.05,0.7,0.4\n0.1,1,0.9\n"));
    let run = |out: &str, time: &str, more: &[&str]| {
        let head = ["run", "patch.toml", "--quiet", "--time", time, "--checkpoint-every", "0.03"];
        let probes = [
            "--probe",
            "/models/patch/fem_models/fat:rest.ramp",
            "--probe",
            "/models/patch:strain_energy",
        ];
        let tail = ["--input", "in.csv", "--frames", "none", "--out", out];
        let output = shop.sinew(&[&head[..], &probes, &tail, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run("whole", "0.1", &[]);
    // In the midst of growth.
    run("parts", "0.05", &[]);
    run("parts", "0.1", &["--resume", "parts/checkpoint.sinew"]);
    let whole = results(&shop.path("whole"));
    assert_same(&results(&shop.path("parts")), &whole);
}

#[test]
fn another_model_or_other_options_are_told_apart() {
    let shop = Workshop::new();
    let run = |more: &[&str]| {
        let head = ["run", "boxes", "--time", "0.05", "--checkpoint-every", "0.02", "--quiet"];
        shop.sinew(&[&head[..], more].concat())
    };
    assert!(run(&[]).status.success());
    let from = "results/boxes/checkpoint.sinew";
    for more in [&["--param", "mu=0.4"][..], &["--step", "0.005"], &["--probe", "/:energy"]] {
        let output = run(&[&["--resume", from], more].concat());
        assert_eq!(output.status.code(), Some(3), "{more:?}");
        assert!(stderr(&output).contains("another model or other options"), "{}", stderr(&output));
    }
    let output = run(&["--resume", from, "--out", "elsewhere"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("no former run"), "{}", stderr(&output));
}

/// A limit of the size of files stands for a disk that is full: writing fails in the middle of a file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_a_message_and_leaves_what_was_written_whole() {
    let shop = Workshop::new();
    let sinew = env!("CARGO_BIN_EXE_sinew");
    let run = |blocks: &str, arguments: &str| {
        // In blocks of 512 or 1024 bytes, by the shell; the signal of the limit is ignored.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {sinew} {arguments}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(shop.path("."));
        command.output().expect("sh starts")
    };
    let base =
        "run boxes --step 0.001 --checkpoint-every 0.02 --probe /:energy --every 0.001 --quiet";
    let output = run("16", &format!("{base} --time 5 --frames none"));
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    let directory = shop.path("results/boxes");
    for name in ["energies.csv", "probes.csv"] {
        assert_whole_lines(&directory.join(name));
    }
    assert!(std::fs::metadata(directory.join("energies.csv")).unwrap().len() > 4000);
    let names = crate::common::names(&directory);
    assert!(names.iter().all(|name| !name.ends_with(".part")), "{names:?}");
    let checkpoint = Checkpoint::load(&directory.join("checkpoint.sinew")).unwrap();
    assert!(checkpoint.waypoint.time() > 0.01, "{}", checkpoint.waypoint.time());
    // With room again the run goes on.
    let more = "--time 0.1 --frames none --resume results/boxes/checkpoint.sinew";
    let output = run("unlimited", &format!("{base} {more}"));
    assert!(output.status.success(), "{}", stderr(&output));
}
