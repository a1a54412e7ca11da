//! Cases that once went wrong, each with what it must do now: `repro` beside the data sets (`../shared`, or the folder
//! that SINEW_SHARED names). A file without a line here fails the test; without the folder nothing is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Workshop, stderr};

/// The longest that a case may take: they take seconds, beside other tests and builds.
const LONGEST: Duration = Duration::from_secs(300);

/// Outcome that a command must have.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// It ends well, and no step gains more than this share of the energy of the start.
    Ends(f64),
    /// It ends well, and the last row of `probes.csv` has, in a column, a value to within a tolerance.
    Reaches(&'static str, f64, f64),
    /// It is refused with this code, and these words.
    Refused(i32, &'static str),
}

use Outcome::{Ends, Reaches, Refused};

/// Whatever energy: something works in it, or it is that of equilibrium.
const ANY: f64 = f64::INFINITY;

/// A file, the command with FILE in its place, and what must come of it.
const CASES: &[(&str, &str, Outcome)] = &[
    ("jaw_const1.csv", JAW, Ends(ANY)),
    ("tumble.toml", "run FILE --integrator runge-kutta-4 --step 0.001 --time 1", Ends(1e-6)),
    // v exp(-d t) sin(w t)/w with v = 1 m/s, d = 1/s and w² = 100 - 1 rad²/s²; the step leaves 2e-7 m.
    ("damper.json", DAMPER, Reaches("p:position.x", -0.018534571, 1e-6)),
    // 0.3 m and -1.864 mm, as by dormand-prince.
    ("thelen_body.json", THELEN, Reaches("b:position.x", 0.298135832, 1e-8)),
    ("rk4_panic_v406.toml", "run FILE --contact-solver sparse", Ends(ANY)),
    ("limit_start_outside.toml", "run FILE --time 0.1", Ends(1e-6)),
    ("conflict_joints.toml", "run FILE --time 0.1", Refused(4, "connectors/j2 is off by")),
    ("4bar_inconsistent.toml", "run FILE --time 0.1", Refused(4, "connectors/j2 is off by")),
    ("s37.toml", "run FILE --every 0", Ends(1e-6)),
    ("s41.toml", "run FILE --every 0", Ends(1e-6)),
    ("s93.toml", "run FILE --every 0", Ends(1e-6)),
    // The elastica under a dead load of 10 EI/L² is 0.8106 m deep at its end; strains reach 2 %.
    ("elastica_corot.json", ELASTICA, Reaches("486:displacement.z", -0.8106, 1e-3)),
    ("far_body_hang.toml", "run FILE --time 0.02", Refused(3, "rigid_bodies/b10:position is")),
    ("evil_overwrites_and_ansi.toml", "shell FILE", Refused(3, "thesis.csv is there already")),
    ("42_ansi_key.toml", "check FILE", Refused(3, "there is no key")),
    ("30_dotted_inline_deep.toml", "run FILE", Refused(3, "more than 100 tables and lists")),
    ("54_probe_every_tiny.toml", "run FILE", Refused(3, "sample less often")),
    ("62_csv_fifo.toml", "run FILE", Refused(3, "a pipe, a device or a socket")),
    ("01_zlib_bomb_raw_4G.vtu", "info FILE", Refused(3, "bytes are declared, 192 are expected")),
    ("03_zlib_bomb_blocks_8G.vtu", "info FILE", Refused(3, "bytes are declared, 192 are expected")),
];

const JAW: &str =
    "run jaw-tongue-hyoid --param task=rest --time 0.3 --step 0.01 --every 0 --input FILE";
const DAMPER: &str = "run FILE --integrator runge-kutta-4 --step 0.01 --time 1 --probe /models/m/particles/p:position";
const THELEN: &str = "run FILE --integrator trapezoidal --newton --step 0.00025 --time 0.2 \
                      --probe /models/m/rigid_bodies/b:position";
const ELASTICA: &str = "run FILE --integrator static --increments 10 \
                        --probe /models/m/fem_models/b/nodes/486:displacement";

/// The folder of cases, if it is there.
fn folder() -> Option<PathBuf> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared").into();
    let root = std::env::var_os("SINEW_SHARED").map_or_else(beside, PathBuf::from);
    Some(root.join("repro")).filter(|folder| folder.is_dir())
}

/// A command in a workshop that ends by itself, on a copy of the file: some look for others beside them.
fn outcome(shop: &Workshop, file: &Path, command: &str) -> Output {
    let name = file.file_name().expect("a file").to_str().expect("a name");
    std::fs::copy(file, shop.path(name)).expect("a copy of the case");
    let word = |word| if word == "FILE" { name } else { word };
    let arguments: Vec<&str> = command.split(' ').map(word).collect();
    let mut command = shop.command(&arguments);
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = piped.spawn().expect("sinew starts");
    let begun = Instant::now();
    while run.try_wait().expect("a child").is_none() {
        if begun.elapsed() > LONGEST {
            run.kill().expect("a child");
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    run.wait_with_output().expect("a child")
}

/// The largest gain of energy over the start, over that of the start, by the tables of energies in the results.
fn largest_gain(shop: &Workshop) -> f64 {
    let folders = shop.names("results");
    let tables = folders.iter().map(|name| shop.path(&format!("results/{name}/energies.csv")));
    let gain = |table: PathBuf| {
        let text = std::fs::read_to_string(table).expect("a table of energies");
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let column = lines.next().expect("a head").iter().position(|&name| name == "total");
        let column = column.expect("a column of totals");
        let totals: Vec<f64> = lines.map(|line| line[column].parse().expect("a number")).collect();
        let most = totals.iter().fold(totals[0], |most: f64, total| most.max(*total));
        (most - totals[0]) / totals[0].abs()
    };
    tables.map(gain).fold(0.0, f64::max)
}

/// The number in the last row of the tables of probes, in the column whose name ends so.
fn reached(shop: &Workshop, column: &str) -> f64 {
    let folder = shop.names("results").remove(0);
    let table = shop.path(&format!("results/{folder}/probes.csv"));
    let text = std::fs::read_to_string(table).expect("a table of probes");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a head");
    let at = names.iter().position(|name| name.ends_with(column)).expect("the column");
    lines.next_back().expect("a row")[at].parse().expect("a number")
}

/// Fault of a case, if any.
fn fault((name, command, expected): &(&str, &str, Outcome), file: &Path) -> Option<String> {
    let shop = Workshop::new();
    shop.write("thesis.csv", "all of it\n");
    if *name == "62_csv_fifo.toml" {
        let made = std::process::Command::new("mkfifo").arg(shop.path("fifo.csv")).status();
        assert!(made.expect("mkfifo").success());
    }
    let output = outcome(&shop, file, command);
    let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    let kept = std::fs::read_to_string(shop.path("thesis.csv")).expect("the file that was there");
    let fine = match *expected {
        Ends(gain) => output.status.success() && (gain == ANY || largest_gain(&shop) <= gain),
        Reaches(column, value, within) => {
            output.status.success() && (reached(&shop, column) - value).abs() <= within
        }
        Refused(code, words) => output.status.code() == Some(code) && said.contains(words),
    };
    let clean = kept == "all of it\n" && !said.contains('\u{1b}');
    let gain = if output.status.success() { largest_gain(&shop) } else { 0.0 };
    let what = || format!("{name}: {expected:?}, but {} (gain {gain:.2e}):\n{said}", output.status);
    (!(fine && clean)).then(what)
}

#[test]
fn cases_that_went_wrong_do_what_the_table_says() {
    let Some(folder) = folder() else {
        eprintln!("skipped: there is no folder of cases beside the repository (SINEW_SHARED)");
        return;
    };
    let there: BTreeSet<String> =
        crate::common::names(&folder).into_iter().filter(|name| name != "README.md").collect();
    let known: BTreeSet<String> = CASES.iter().map(|case| case.0.to_owned()).collect();
    assert_eq!(
        there.difference(&known).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "files without a line"
    );
    let faults: Vec<String> = CASES
        .iter()
        .filter(|case| there.contains(case.0))
        .filter_map(|case| fault(case, &folder.join(case.0)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
