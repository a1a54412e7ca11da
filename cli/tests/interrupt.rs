//! Ctrl-C ends a run after the step and keeps what was written.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{Workshop, assert_whole, energies, last_line, run_json};

/// Waits until the table in `results/beam` has a few rows; the run then is under way.
fn wait_for_rows(shop: &Workshop, run: &mut Child) {
    let table = shop.path("results/beam/energies.csv");
    loop {
        let rows = std::fs::read_to_string(&table).map_or(0, |text| text.lines().count());
        if rows > 4 {
            return;
        }
        let ended = run.try_wait().expect("the run can be asked");
        assert!(ended.is_none(), "the run ended by itself: {ended:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_last_step() {
    let shop = Workshop::new();
    // Far more steps than anybody would wait for.
    let arguments = ["run", "beam", "--json", "--step", "1e-5", "--time", "1e4"];
    let mut command = shop.command(&arguments);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_rows(&shop, &mut run);
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());

    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", crate::common::stderr(&output));
    let directory = shop.path("results/beam");
    assert_whole(&directory);
    assert_eq!(run_json(&directory)["status"], "interrupted");
    let line = last_line(&output);
    assert_eq!(line["status"], "interrupted");
    let steps = line["steps"].as_u64().unwrap() as usize;
    assert_eq!(energies(&directory).1.len(), steps + 1);
}
