//! `sinew run` over the malformed, tricky and degenerate meshes of datasets/bad: each ends in time,
//! with results or with a message, and never in a panic.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Workshop, stderr};

/// Far longer than two steps of eight nodes take on any machine, far shorter than a hang.
const PATIENCE: Duration = Duration::from_secs(60);
/// The exit code of a panic.
const PANIC: i32 = 101;

/// Ends the run when it takes too long; `true` when it ended by itself.
fn ended_in_time(run: &mut Child) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if run.try_wait().expect("the run can be asked").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().expect("the run can be ended");
    false
}

/// Name and class of every file of the manifest that a mesh is read by.
fn files(folder: &Path) -> Vec<(String, String)> {
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the manifest");
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        Some((columns.next()?, columns.nth(1)?))
    };
    let rows = manifest.lines().skip(1).filter_map(row);
    // The .node file of a pair is read with its .ele or .elem file. Surfaces and models of other
    // programs are no volume meshes.
    let others = ["obj/", "stl/", "ply/", "osim/", "mjcf/"];
    let is_mesh =
        |name: &str| !name.ends_with(".node") && !others.iter().any(|o| name.starts_with(o));
    rows.filter(|(name, _)| is_mesh(name)).collect()
}

#[test]
fn every_file_runs_or_is_refused_with_a_message_and_the_sound_ones_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad");
    let files = files(&folder);
    assert!(files.len() > 30, "the manifest lists {} meshes", files.len());
    let shop = Workshop::new();
    for (index, (name, class)) in files.into_iter().enumerate() {
        let out = format!("out{index}");
        let path = folder.join(&name);
        let path = path.to_str().expect("a path in UTF-8");
        let few = ["--time", "0.02", "--frames", "none", "--backend", "cpu"];
        let arguments = [&["run", path, "--out", &out], &few[..]].concat();
        let mut command = shop.command(&arguments);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let in_time = ended_in_time(&mut run);
        let output = run.wait_with_output().unwrap();
        let message = stderr(&output);
        assert!(in_time, "{name} hangs: {message}");
        let code = output.status.code().unwrap_or_else(|| panic!("{name} is killed: {message}"));
        assert_ne!(code, PANIC, "{name}: {message}");
        assert!(code == 0 || message.starts_with("error: "), "{name}, {code}: '{message}'");
        // Nothing to remark but what is not read of a model, and no graphics loader that speaks: a run on the
        // CPU asks for no adapter.
        let is_note = |line: &str| line.starts_with("note: ") && line.contains("not read");
        assert!(class != "good" || message.lines().all(is_note), "{name}: {message}");
        if ["good", "valid-tricky"].contains(&class.as_str()) {
            assert_eq!(code, 0, "{name} is {class}: {message}");
        }
    }
}
