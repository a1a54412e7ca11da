//! Commands piped into the shell.

use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};

use crate::common::{Workshop, stderr};

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
    assert_eq!((&*lines[0], &lines[1]), ("+ /models/chain/probes/e", &lines[2]));
    assert!(lines[3].starts_with("/models/chain/rigid_bodies"), "{lines:?}");
    let text = std::fs::read_to_string(shop.path("e.csv")).unwrap();
    assert_eq!(text.lines().count(), 12, "{text}");
    assert!(shop.path("model.json").exists());
}

#[test]
fn a_folder_of_results_is_made_and_takes_one_shell_at_a_time() {
    let shop = Workshop::new();
    let script = "probe /:energy=e.csv 0.01\nrun 0.02\nsave m.toml\n";
    said(&shop, &["chain", "--out", "new/results"], script);
    for file in ["e.csv", "m.toml"] {
        assert!(shop.path("new/results").join(file).exists(), "{file}");
    }
    let lock = std::fs::File::create(shop.path("new/results/run.lock")).unwrap();
    lock.lock().unwrap();
    let output = shell(&shop, &["chain", "--out", "new/results"], script);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("wait until it ends"), "{}", stderr(&output));
    said(&shop, &["chain", "--out", "new/results"], "run 0.02\ntime\n");
    said(&shop, &["chain", "--out", "more"], "save m.toml\n");
}

#[test]
fn a_window_shows_a_copy_whose_file_goes_with_it() {
    let shop = Workshop::new();
    std::fs::create_dir(shop.path("tmp")).unwrap();
    shop.write("view.txt", "view\n");
    let mut command = shop.command(&["shell", "chain", "--script", "view.txt"]);
    command.env("TMPDIR", shop.path("tmp")).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("no display"), "{}", stderr(&output));
    assert!(shop.names("tmp").is_empty(), "{:?}", shop.names("tmp"));
}

#[test]
fn a_command_of_an_event_is_read_when_it_is_added() {
    let shop = Workshop::new();
    for command in ["frob", "undo", "set"] {
        let output = shell(&shop, &["chain"], &format!("when t crosses 0.1: {command}\n"));
        assert_eq!(output.status.code(), Some(3), "{command}: {}", stderr(&output));
        assert!(stderr(&output).contains("no command of an event"), "{}", stderr(&output));
    }
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
        ("load chain\nsave s.sinew\nload boxes\nrestore s.sinew\n", 3, "is of another model"),
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

#[test]
fn scripts_give_the_same_whether_they_wait_or_not() {
    let shop = Workshop::new();
    let position = "get /models/chain/rigid_bodies/link1:position";
    let script = |wait: &str| {
        format!(
            "run 0.3\n{wait}set /models/chain:gravity 0 0 -2\n{wait}add_breakpoint 0.5\nrun\n{wait}{position}\n\
             run 0.1\n{wait}save at.sinew\nreset\nrun 0.2\n{wait}restore at.sinew\n{position}\ntime\n"
        )
    };
    let waited = said(&shop, &["chain"], &script("wait\n"));
    assert_eq!(waited.len(), 4, "{waited:?}");
    assert!(waited[0].starts_with("breakpoint at t = 0.5"), "{waited:?}");
    assert!(waited[3].starts_with("t = 0.6"), "{waited:?}");
    for _ in 0..5 {
        assert_eq!(said(&shop, &["chain"], &script("")), waited);
    }
}

#[test]
fn a_run_without_end_goes_on_until_it_is_paused() {
    let shop = Workshop::new();
    let lines = said(&shop, &["chain"], "run\nwait 0.3\npause\ntime\nstep\ntime\n");
    let number = |line: &str, at: usize| line.split(' ').nth(at).unwrap().parse::<f64>().unwrap();
    assert!(lines[0].starts_with("paused at t = "), "{lines:?}");
    let time = number(&lines[0], 4);
    assert!(time > 0.0, "{lines:?}");
    assert_eq!(number(&lines[1], 2), time, "it has halted");
    assert_eq!(number(&lines[2], 5), number(&lines[1], 5) + 1.0, "{lines:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_halts_a_run_and_ends_a_script() {
    let shop = Workshop::new();
    let mut command = shop.command(&["shell", "chain"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = piped.spawn().unwrap();
    let mut stdin = run.stdin.take().unwrap();
    // The first line of output says that the model is there and signals are heard.
    stdin.write_all(b"time\nrun\nwait 60\ntime\n").unwrap();
    let mut out = std::io::BufReader::new(run.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let begun = std::time::Instant::now();
    let id = run.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(begun.elapsed().as_secs() < 30, "it did not wait for its time");
    assert!(stderr(&output).contains("stdin, line 2: interrupted at t = "), "{}", stderr(&output));
}

#[test]
fn a_run_that_fails_is_told_with_its_own_line() {
    let shop = Workshop::new();
    shop.write(
        "pull.csv",
        "time,x,y,z\n0,0,0,-9.8\n0.1,0,0,-9\n0.2,0,0,-8\n0.3,0,0,-7\n0.4,,0,-7\n",
    );
    let script = "load chain\ninput /models/chain:gravity=pull.csv\nrun 1\n# it runs\ntime\n";
    let output = shell(&shop, &[], script);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("line 3: ") && told.contains("line 6: 'x' has no number here"), "{told}");
}

#[test]
fn probes_and_the_step_of_a_model_file_are_those_of_the_shell() {
    let shop = Workshop::new();
    let probe = "[[output_probes]]\nname = \"way\"\nproperties = [\"particles/bob:position\"]\nevery = 0.01\n";
    let bob = "[[particle]]\nname = \"bob\"\nmass = 1.0\n";
    shop.write("drop.toml", &format!("version = 1\n[solver]\nstep = 0.002\n{bob}{probe}"));
    let lines = said(&shop, &["drop.toml"], "run 0.1\ntime\n");
    assert!(lines[0].ends_with("after 50 steps"), "{lines:?}");
    let text = std::fs::read_to_string(shop.path("way.csv")).unwrap();
    assert_eq!(text.lines().count(), 12, "{text}");
    said(&shop, &["drop.toml"], "save again.toml\n");
    let lines = said(&shop, &["again.toml"], "run 0.1\ntime\n");
    assert!(lines[0].ends_with("after 50 steps"), "{lines:?}");
    assert_eq!(std::fs::read_to_string(shop.path("way.csv")).unwrap(), text);
    let lines = said(&shop, &["drop.toml", "--step", "0.005"], "run 0.1\ntime\n");
    assert!(lines[0].ends_with("after 20 steps"), "{lines:?}");
}

#[test]
fn a_model_is_loaded_again_when_a_file_of_it_has_changed() {
    let shop = Workshop::new();
    let mass = |mass: f64| format!("version = 1\n[[particle]]\nmass = {mass:?}\n");
    let main = "version = 1\n[[include]]\nfile = \"part.toml\"\n";
    std::fs::write(shop.path("main.toml"), main).unwrap();
    std::fs::write(shop.path("part.toml"), mass(1.5)).unwrap();
    let mut command = shop.command(&["shell"]);
    let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut type_in = run.stdin.take().unwrap();
    let mut lines = BufReader::new(run.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    let get = "get /models/main/models/part/particles/0:mass\n";
    write!(type_in, "load main.toml\nrun 0.02\n{get}").unwrap();
    assert_eq!(next(), "1.5 kg");
    writeln!(type_in, "reload").unwrap();
    assert_eq!(next(), "nothing has changed");
    std::fs::write(shop.path("part.toml"), mass(22.5)).unwrap();
    write!(type_in, "reload\n{get}time\n").unwrap();
    assert!(next().ends_with("part.toml has changed"));
    assert_eq!(next(), "22.5 kg");
    assert_eq!(next(), "t = 0 s after 0 steps");
    drop(type_in);
    assert!(run.wait().unwrap().success());
}

/// A newcomer's walk: a muscle between two landmarks, another name, back to the start, and what was saved loads again.
#[test]
fn a_muscle_is_added_renamed_taken_back_and_saved() {
    let shop = Workshop::new();
    let script = "\
load chain n=2
add particle anchor mass=0.1 position='1 0 1' dynamic=false
add axial_spring lift first=/models/chain/particles/anchor second=/models/chain/particles/anchor2
";
    let output = shell(&shop, &[], script);
    assert!(stderr(&output).contains("anchor2"), "{}", stderr(&output));
    shop.write(
        "muscle.txt",
        "add frame_marker end body=/models/chain/rigid_bodies/link1\n\
         add axial_spring lift first=/models/chain/particles/anchor \
         second=/models/chain/frame_markers/end material=simple_muscle material.max_force=20 excitation=1\n",
    );
    let script = "\
load chain n=2
add particle anchor mass=0.1 position='1 0 1' dynamic=false
source muscle.txt
run 0.05
rename /models/chain/axial_springs/lift biceps
get /models/chain/axial_springs/biceps:tension
duplicate /models/chain/axial_springs/biceps
undo
save lifted.toml
delete /models/chain/particles/anchor
undo
redo
redo
find /models/chain/axial_springs
";
    let lines = said(&shop, &[], script);
    let of = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(lines[0], "+ /models/chain/particles/anchor");
    assert!(lines.contains(&"+ /models/chain/axial_springs/lift".to_owned()), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("20 N") || line.starts_with("2e1 N")),
        "{lines:?}"
    );
    // A copy has the ends of the first one, and goes when it is undone.
    assert_eq!(of("+ /models/chain/axial_springs/biceps_2"), 1, "{lines:?}");
    assert_eq!(of("- /models/chain/axial_springs/biceps_2"), 1, "{lines:?}");
    assert_eq!(of("+ /models/chain/particles/anchor"), 2, "{lines:?}");
    // The spring goes with its end, comes back, and goes once more.
    let biceps = |line: &&String| line.ends_with("/biceps") && line.starts_with(['+', '-']);
    let moves: Vec<_> = lines.iter().filter(biceps).map(|line| &line[..1]).collect();
    assert_eq!(moves, ["-", "+", "-"], "{lines:?}");
    assert_eq!(of("nothing to redo"), 1, "{lines:?}");
    let again = said(
        &shop,
        &[],
        "load lifted.toml\nget /models/chain/axial_springs/biceps:material.max_force\n",
    );
    assert!(again[0].starts_with("20"), "{again:?}");
}

/// Load the jaw, add a muscle between two landmarks, scale the skull, run, write the gape down, undo, save, open.
#[test]
fn a_newcomer_walks_from_the_jaw_to_a_muscle_a_curve_and_a_file() {
    let shop = Workshop::new();
    let jaw = "/models/jaw-tongue-hyoid";
    let [lower, upper] = ["lower", "upper"].map(|end| format!("{jaw}/frame_markers/{end}_incisor"));
    let square =
        |axis: &str| format!("({{{lower}:position.{axis}}} - {{{upper}:position.{axis}}})^2");
    let gape = ["x", "y", "z"].map(square).join(" + ");
    let mass = format!("get {jaw}/rigid_bodies/cranium:mass");
    let script = format!(
        "load jaw-tongue-hyoid\n{mass}\n\
         add axial_spring helper first={lower} second={upper} material=simple_muscle \
         material.max_force=20 excitation=1\n\
         transform \"scale 1.05\" {jaw}/rigid_bodies/cranium\n{mass}\n\
         probe {lower}:position=gape.csv 0.01\nrun 0.03\nlet gape = sqrt({gape})\necho $gape\n\
         undo\nundo\n{mass}\nredo\nredo\nsave helped.toml\n"
    );
    let lines = said(&shop, &[], &script);
    let number = |line: &str| line.split(' ').next().unwrap().parse::<f64>();
    let numbers: Vec<f64> = lines.iter().filter_map(|line| number(line).ok()).collect();
    let [before, scaled, gape, undone] = numbers[..] else { panic!("{lines:?}") };
    assert!((scaled / before - 1.05_f64.powi(3)).abs() < 1e-9, "{before} {scaled}");
    assert_eq!(undone, before);
    assert!((1e-3..0.02).contains(&gape), "{gape}");
    let table = std::fs::read_to_string(shop.path("gape.csv")).unwrap();
    assert_eq!(table.lines().count(), 5, "{table}");
    let again = said(
        &shop,
        &[],
        &format!("load helped.toml\n{mass}\nget {jaw}/axial_springs/helper:material.max_force\n"),
    );
    assert_eq!(number(&again[0]), Ok(scaled), "{again:?}");
    assert!(again[1].starts_with("20"), "{again:?}");
}

#[test]
fn a_file_of_commands_is_told_by_its_line_and_may_not_read_itself() {
    let shop = Workshop::new();
    shop.write("bad.txt", "# a remark\ndelete /models/chain/rigid_bodies/nobody\n");
    let output = shell(&shop, &["chain"], "source bad.txt\n");
    let said = stderr(&output);
    assert!(said.contains("bad.txt, line 2") && said.contains("nobody"), "{said}");
    shop.write("self.txt", "source self.txt\n");
    let output = shell(&shop, &["chain"], "source self.txt\n");
    assert!(stderr(&output).contains("is read by itself"), "{}", stderr(&output));
}

#[test]
fn variables_hold_texts_and_formulas_and_loops_do_lines_for_each_value() {
    let shop = Workshop::new();
    let script = "\
load chain n=2
let list = /models/chain/particles
let half = 1 / 4 + 0.25
for k in 1..3
  add particle p$k mass=$half position=\"$k 0 0\"
  for axis in x y
    let place = {$list/p$k:position.$axis} * 2
    echo ${k}$axis $place
  end
end
let word = 'a b'
echo <$word> $$half
get $list/p2:mass
";
    let lines = said(&shop, &[], script);
    let expected = [
        "+ /models/chain/particles/p1",
        "1x 2",
        "1y 0",
        "+ /models/chain/particles/p2",
        "2x 4",
        "2y 0",
        "+ /models/chain/particles/p3",
        "3x 6",
        "3y 0",
        "<a b> $half",
        "0.5 kg",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn scripts_with_wrong_variables_or_loops_end_at_their_line() {
    let shop = Workshop::new();
    for (script, line, words) in [
        ("let kind = 1\necho $kin\n", "line 2", "did you mean 'kind'?"),
        ("for k in 1..2\necho $k\nget /models/x:$k\nend\n", "line 3", "there is no model"),
        ("echo a\nfor k in 1 2\necho $k\n", "line 2", "no `end`"),
        ("end\n", "line 1", "ends no `for`"),
        ("for k of 1 2\nend\n", "line 1", "NAME in VALUE"),
        ("let 1 = 2\n", "line 1", "NAME = VALUE"),
        ("let x = {/models/m:gravity.z}\n", "line 1", "`load` one"),
        ("for k in 1..9999999\nend\n", "line 1", "a million"),
    ] {
        let output = shell(&shop, &[], script);
        assert!(!output.status.success(), "{script}");
        let error = stderr(&output);
        assert!(error.contains(line) && error.contains(words), "{script}: {error}");
    }
}
