//! Files and commands that are out of order on purpose: each is an error that names it, in time.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Workshop, stderr};

/// A particle that falls, with more of a file behind it.
fn falling(more: &str) -> String {
    format!("version = 1\nname = \"fall\"\n[[particle]]\nname = \"bob\"\n{more}")
}

/// Output of a command; one that takes a minute is ended, and fails the test.
fn in_time(shop: &Workshop, arguments: &[&str], input: &[u8]) -> Output {
    in_time_with(&mut shop.command(arguments), input)
}

/// The same of any command without input.
#[cfg(target_os = "linux")]
fn in_time_of(command: &mut Command) -> Output {
    in_time_with(command, b"")
}

fn in_time_with(command: &mut Command, input: &[u8]) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = piped.spawn().unwrap();
    // One that ends at once does not read it all.
    let _ = run.stdin.take().unwrap().write_all(input);
    let begun = Instant::now();
    while run.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            run.kill().unwrap();
            panic!("{command:?} hangs: {}", stderr(&run.wait_with_output().unwrap()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    run.wait_with_output().unwrap()
}

fn assert_told(output: &Output, code: i32, what: &str) {
    assert_eq!(output.status.code(), Some(code), "{what}: {}", stderr(output));
    assert!(stderr(output).contains(what), "{what}: {}", stderr(output));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_files() {
    let shop = Workshop::new();
    let made = Command::new("mkfifo").arg(shop.path("pipe.csv")).status().unwrap();
    assert!(made.success());
    let input =
        "[[input_probes]]\nname = \"i\"\nproperties = [\":gravity\"]\nfile = \"pipe.csv\"\n";
    shop.write("fall.toml", &falling(input));
    shop.write("good.toml", &falling(""));
    for arguments in [
        &["run", "fall.toml"][..],
        &["check", "fall.toml"],
        &["run", "beam", "--input", "pipe.csv"],
        &["run", "beam", "--probes", "pipe.csv"],
        &["run", "beam", "--resume", "/dev/zero"],
        &["run", "beam", "--probes", "/dev/zero"],
        &["info", "/dev/zero"],
        &["info", "pipe.csv"],
        &["run", "./pipe.csv"],
        &["convert", "/dev/zero", "a.vtu"],
    ] {
        let output = in_time(&shop, arguments, b"");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", stderr(&output));
        let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("a pipe, a device or a socket"), "{arguments:?}: {text}");
    }
}

#[test]
fn deep_files_and_endless_samples_are_refused() {
    let shop = Workshop::new();
    let deep = format!("{{{} = [", vec!["a"; 70].join(".")).repeat(38);
    shop.write("deep.toml", &format!("version = 1\nx = {deep}"));
    assert_told(&in_time(&shop, &["run", "deep.toml"], b""), 3, "more than 100 tables and lists");
    let probe = "[[output_probes]]\nname = \"p\"\nproperties = [\":energy\"]\nevery = 1e-300\n";
    shop.write("dense.toml", &falling(probe));
    assert_told(&in_time(&shop, &["run", "dense.toml"], b""), 3, "samples in a step");
    assert!(shop.names("results").is_empty());
    // In a shell the step is known when it runs.
    let output = in_time(&shop, &["shell", "dense.toml"], b"run 0.02\n");
    assert_told(&output, 3, "sample less often");
}

#[test]
fn times_that_no_clock_counts_and_lines_that_are_no_text_end_a_script_with_their_line() {
    let shop = Workshop::new();
    let output = in_time(&shop, &["shell", "chain"], b"wait 1e300\nrun 0.02\nwait 1e300\ntime\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let output = in_time(&shop, &["shell"], b"help\n\xff\xfe\n");
    assert_told(&output, 3, "stdin, line 2: byte 1 is not UTF-8");
    let long = [b"# ".to_vec(), vec![b'x'; 2 << 20]].concat();
    assert_told(&in_time(&shop, &["shell"], &long), 3, "line 1: it is longer than 1048576 bytes");
}

#[cfg(unix)]
#[test]
fn a_run_limited_to_no_speed_at_all_ends_when_it_is_interrupted() {
    let shop = Workshop::new();
    let arguments = ["run", "chain", "--pace", "1e-300", "--quiet"];
    let mut run = shop.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    let table = shop.path("results/chain/energies.csv");
    let begun = Instant::now();
    while std::fs::read_to_string(&table).map_or(0, |text| text.lines().count()) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not begin");
        assert!(run.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
}

#[test]
fn nothing_of_a_name_reaches_the_terminal_as_a_command() {
    let shop = Workshop::new();
    shop.write("key.toml", "version = 1\n\"\\u001b[2Jkey\" = 1\n");
    shop.write("evil.toml", &falling("").replace("bob", "\\u001b[31mEVIL\\u001b]0;pwned\\u0007"));
    let all = [
        in_time(&shop, &["check", "key.toml"], b""),
        in_time(&shop, &["run", "key.toml"], b""),
        in_time(&shop, &["inspect", "evil.toml", "/models/fall/particles"], b""),
        in_time(&shop, &["inspect", "evil.toml", "--json"], b""),
        in_time(&shop, &["run", "\u{1b}[31m"], b""),
        in_time(&shop, &["shell", "evil.toml"], b"find /\nget /\x1b[31m:a\n"),
    ];
    for output in all {
        let shown = [output.stdout, output.stderr].concat();
        assert!(!shown.contains(&0x1b) && !shown.contains(&7), "{:?}", String::from_utf8(shown));
    }
    let particles = ["inspect", "evil.toml", "/models/fall/particles", "--json"];
    let json = in_time(&shop, &particles, b"").stdout;
    let read: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(read.to_string().contains("EVIL"), "{read}");
}

#[test]
fn sinew_alone_says_what_there_is_and_a_model_file_its_parameters() {
    let shop = Workshop::new();
    let help = shop.sinew(&[]);
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.status.success() && text.contains("Examples:") && text.contains("shell"),
        "{text}"
    );
    assert!(shop.names(".").is_empty(), "{:?}", shop.names("."));
    shop.write("par.toml", &falling("[parameters]\nside = \"l\"\nflexion = 0.5\n"));
    let list = shop.sinew(&["models", "par.toml"]);
    let text = String::from_utf8(list.stdout).unwrap();
    assert!(text.contains("side     'l'\nflexion  0.5\n"), "{text}");
}

/// End of a short run with so much memory [kB].
#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq)]
enum End {
    Done,
    /// The system starts no program, or no threads of it.
    NotBegun,
    /// Told, and refused with an exit code.
    Told,
}

#[cfg(target_os = "linux")]
fn end_with(shop: &Workshop, kilobytes: u32) -> End {
    let sinew = env!("CARGO_BIN_EXE_sinew");
    let run = "run beam --param nx=12,ny=8,nz=8 --time 0.02 --step 0.01 --every 0.01 --threads 1";
    let script = format!("ulimit -v {kilobytes}; exec {sinew} {run} --quiet --out r{kilobytes}");
    let output = in_time_of(Command::new("sh").args(["-c", &script]).current_dir(shop.path(".")));
    let text = stderr(&output);
    let end = match output.status.code() {
        Some(0) => End::Done,
        // The loader finds no room.
        None | Some(127) if text.is_empty() || text.contains("shared") => End::NotBegun,
        Some(1) if text.contains("cannot start the threads") => End::NotBegun,
        Some(1) if text.contains("cannot listen for Ctrl-C") => End::NotBegun,
        Some(1) if text.contains("error: out of memory: ") => End::Told,
        Some(3..=5) if text.contains("error: ") && text.contains("memory") => End::Told,
        other => panic!("{kilobytes} kB: {other:?}, {text}"),
    };
    let left = shop.names(&format!("r{kilobytes}"));
    for name in left.iter().filter(|name| name.ends_with(".vtu")) {
        let bytes = std::fs::read(shop.path(&format!("r{kilobytes}/{name}"))).unwrap();
        assert!(bytes.ends_with(b"</VTKFile>\n"), "{kilobytes} kB: {name}");
    }
    end
}

/// Memory that ends at many places of a run in turn: a line that says so and an exit code, and nothing half written.
#[cfg(target_os = "linux")]
#[test]
fn wherever_memory_ends_the_run_says_so_and_leaves_nothing_half_written() {
    let shop = Workshop::new();
    let (mut least, mut most) = (10_000, 1_000_000);
    while most - least > most / 100 {
        let middle = (least + most) / 2;
        match end_with(&shop, middle) {
            End::Done => most = middle,
            End::NotBegun | End::Told => least = middle,
        }
    }
    let ends: Vec<End> =
        (80..100).map(|percent| end_with(&shop, most / 100 * percent + 1)).collect();
    let told = ends.iter().filter(|end| **end == End::Told).count();
    assert!(told > 4, "{ends:?} below {most} kB");
}
