//! Commands piped into the shell.

mod common;

use std::io::Write;
use std::process::{Output, Stdio};

use common::{Workshop, stderr};

fn shell(shop: &Workshop, arguments: &[&str], script: &str) -> Output {
    let mut command = shop.command(&[&["shell"], arguments].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = piped.spawn().unwrap();
    run.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    run.wait_with_output().unwrap()
}

fn said(shop: &Workshop, arguments: &[&str], script: &str) -> Vec<String> {
    let output = shell(shop, arguments, script);
    assert!(output.status.success(), "{script}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_model_is_loaded_run_looked_at_and_reset() {
    let shop = Workshop::new();
    let script = "\
load chain n=2
# in the way of ArtiSynth
run(0.05)
waitForStop()
time
get /models/chain/rigid_bodies/link1:position
reset
time
get /models/chain/rigid_bodies/link1:position
set /models/chain:gravity 0 0 0
step 5
get /models/chain/rigid_bodies/link1:position
quit
nonsense that is not read
";
    let lines = said(&shop, &[], script);
    assert!(lines[0].starts_with("t = 0.05 s after 5 steps"), "{lines:?}");
    assert!(lines[2].starts_with("t = 0 s after 0 steps"), "{lines:?}");
    assert_ne!(lines[1], lines[3]);
    assert!(lines[3].ends_with(" m"), "{lines:?}");
    // Without weight the chain stays where it is, but for rounding.
    let number = |line: &str| line.split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!((number(&lines[3]) - number(&lines[4])).abs() < 1e-9, "{lines:?}");
}

#[test]
fn breakpoints_halt_and_waypoints_are_gone_back_to() {
    let shop = Workshop::new();
    let position = "get /models/chain/rigid_bodies/link1:position";
    let script = format!(
        "addBreakPoint 0.0234\nadd_waypoint 0.03\nrun\nrun 0.0266\n{position}\nrewind 0.03\n\
         run 0.02\n{position}\nwaypoints\nremove_waypoint 0.03\nwaypoints\n"
    );
    let lines = said(&shop, &["chain"], &script);
    assert_eq!(lines[0], "breakpoint at t = 0.0234 s");
    assert_eq!(lines[2], "t = 0.03 s");
    assert_eq!(lines[1], lines[3], "the same way again");
    assert_eq!(lines[4], "0.0234 s  breakpoint, saved");
    assert_eq!(lines[5], "0.03 s  waypoint, saved");
    assert_eq!(lines[6..], ["0.0234 s  breakpoint, saved"]);
}

#[test]
fn states_and_models_are_saved_and_recorded() {
    let shop = Workshop::new();
    let script = "\
probe /:energy=e.csv 0.01
run 0.05
save at.sinew
run 0.05
get /:energy
restore at.sinew
run 0.05
get /:energy
save model.json
find /models/chain/rigid_bodies
";
    let lines = said(&shop, &["chain"], script);
    assert_eq!(lines[0], lines[1]);
    assert!(lines[2].starts_with("/models/chain/rigid_bodies"), "{lines:?}");
    let text = std::fs::read_to_string(shop.path("e.csv")).unwrap();
    assert_eq!(text.lines().count(), 12, "{text}");
    assert!(shop.path("model.json").exists());
}

#[test]
fn the_first_command_of_a_script_that_fails_ends_it_with_its_line() {
    let shop = Workshop::new();
    for (script, code, what) in [
        ("load chain\nrum 1\n", 2, "line 2: unknown command 'rum' (did you mean 'run'?)"),
        ("\n\nrun 1\n", 3, "line 3: there is no model"),
        ("load chian\n", 3, "did you mean 'chain'"),
        ("load chain\nrun\n", 3, "line 2: a run in a script needs"),
        ("load chain\nset /models/chain:gravty 0 0 0\n", 3, "gravity"),
        ("load chain\nset /models/chain:gravity down\n", 3, "vector"),
        ("load chain\nstep 0\n", 2, "[COUNT]"),
        ("load chain\nstep 3\nadd_waypoint 0.01\n", 3, "has passed"),
        ("load chain\nsave x.txt\n", 3, ".sinew"),
        ("load chain\nrestore missing.sinew\n", 3, "missing.sinew"),
    ] {
        let output = shell(&shop, &[], script);
        assert_eq!(output.status.code(), Some(code), "{script}: {}", stderr(&output));
        assert!(stderr(&output).contains(what), "{script}: {}", stderr(&output));
    }
    shop.write("script.txt", "load chain\nstep\nnonsense\n");
    let output = shop.sinew(&["shell", "--script", "script.txt"]);
    assert!(stderr(&output).contains("script.txt, line 3"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}
