//! `sinew sweep`: what it runs, keeps, runs again and refuses.

use crate::common::{Workshop, names, stderr};

const BEAM: &str = r#"
model = "beam"
options = ["--time", "0.05", "--frames", "none"]
[[factor]]
name = "E"
values = [2e3, 5e5]
[[factor]]
name = "/models/beam:gravity"
values = ["0 0 -9.8", "0 0 0"]
"#;

/// Rows of the table, by the names of the columns.
fn table(shop: &Workshop, folder: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(shop.path(folder).join("table.csv")).expect("a table");
    let fields = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect::<Vec<_>>();
    let heading = fields(reader.headers().expect("a heading"));
    (heading, reader.records().map(|row| fields(&row.expect("a row"))).collect())
}

fn column(heading: &[String], name: &str) -> usize {
    let place = heading.iter().position(|it| it == name);
    place.unwrap_or_else(|| panic!("no column {name} in {heading:?}"))
}

#[test]
fn a_grid_runs_every_case_and_the_table_has_what_each_came_to() {
    let shop = Workshop::new();
    shop.write("stiffness.toml", BEAM);
    let output = shop.sinew(&["sweep", "stiffness.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (heading, rows) = table(&shop, "results/stiffness");
    assert_eq!(heading[..5], ["case", "E", "/models/beam:gravity", "status", "reason"]);
    assert_eq!(rows.len(), 4);
    let tip = column(&heading, "tip_displacement.2");
    let sinks: Vec<f64> = rows.iter().map(|row| row[tip].parse().expect("a number")).collect();
    // A soft beam is still falling when a stiff one swings back; those without weight stay.
    assert!(sinks[0].max(sinks[2]) < -0.01 && (sinks[0] - sinks[2]).abs() > 1e-4, "{sinks:?}");
    assert_eq!((sinks[1], sinks[3]), (0.0, 0.0));
    // The same as by hand.
    let by_hand = ["beam", "--time", "0.05", "--frames", "none", "--param", "E=500000"];
    let alone = shop.run_json(&by_hand);
    assert_eq!(alone["tip_displacement"][2].as_f64(), Some(sinks[2]));
}

#[test]
fn what_is_done_is_kept_and_what_is_open_is_run() {
    let shop = Workshop::new();
    shop.write("stiffness.toml", BEAM);
    let case = |words: &[&str]| shop.sinew(&[&["sweep", "stiffness.toml"], words].concat());
    let output = case(&["--case", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(names(&shop.path("results/stiffness/cases")), ["3", "3.lock", "3.log"]);
    let record = shop.path("results/stiffness/cases/3/run.json");
    let former = std::fs::read(&record).expect("a record");
    let output = case(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(std::fs::read(&record).expect("a record"), former);
    assert_eq!(table(&shop, "results/stiffness").1.len(), 4);
    // Of another sweep nothing is overwritten.
    shop.write("stiffness.toml", &BEAM.replace("5e5", "6e5"));
    let output = case(&[]);
    assert_eq!(output.status.code(), Some(5));
    assert!(stderr(&output).contains("another sweep"), "{}", stderr(&output));
    assert_eq!(std::fs::read(&record).expect("a record"), former);
}

#[test]
fn a_folder_takes_one_sweep_at_a_time_and_single_cases_beside_it() {
    let shop = Workshop::new();
    shop.write("stiffness.toml", BEAM);
    let sweep = |words: &[&str]| shop.sinew(&[&["sweep", "stiffness.toml"], words].concat());
    assert_eq!(sweep(&["--case", "1"]).status.code(), Some(0));
    let lock = std::fs::File::create(shop.path("results/stiffness/run.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let output = sweep(&[]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("wait until it ends"), "{}", stderr(&output));
    assert_eq!(sweep(&["--case", "2"]).status.code(), Some(0));
    drop(lock);
    // A case that another process runs is left to it, with its log.
    let lock = std::fs::File::create(shop.path("results/stiffness/cases/3.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    shop.write("results/stiffness/cases/3.log", "step 1");
    let output = sweep(&["--case", "3"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("wait until it ends"), "{}", stderr(&output));
    let log = std::fs::read_to_string(shop.path("results/stiffness/cases/3.log"));
    assert_eq!(log.expect("a log"), "step 1");
    drop(lock);
    assert_eq!(sweep(&[]).status.code(), Some(0));
}

#[test]
fn a_case_that_fails_is_told_and_the_others_run() {
    let shop = Workshop::new();
    shop.write("bad.toml", &BEAM.replace("[2e3, 5e5]", "[2e3, -1]"));
    let output = shop.sinew(&["sweep", "bad.toml", "--out", "kept"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("case 3 failed"), "{}", stderr(&output));
    let (heading, rows) = table(&shop, "kept");
    let [status, reason] = ["status", "reason"].map(|name| column(&heading, name));
    let states: Vec<&str> = rows.iter().map(|row| &*row[status]).collect();
    assert_eq!(states, ["done", "done", "failed", "failed"]);
    assert!(rows[2][reason].contains("-1"), "{}", rows[2][reason]);
    // They fail once more when that is asked for, and else are left as they are.
    let log = shop.path("kept/cases/3.log");
    std::fs::write(&log, "error: as it was\n").expect("a log");
    assert_eq!(shop.sinew(&["sweep", "bad.toml", "--out", "kept"]).status.code(), Some(4));
    assert_eq!(table(&shop, "kept").1[2][reason], "as it was");
    let again = ["sweep", "bad.toml", "--out", "kept", "--retry"];
    assert_eq!(shop.sinew(&again).status.code(), Some(4));
    assert!(table(&shop, "kept").1[2][reason].contains("-1"));
}

#[test]
fn rows_of_a_list_are_cases() {
    let shop = Workshop::new();
    shop.write("cases.csv", "E, --step\n2e4, 0.01\n3e4, 0.005\n");
    let sweep = "model = 'beam'\noptions = ['--time', '0.02', '--frames', 'none']\n\
                 design = 'list'\nlist = 'cases.csv'";
    shop.write("listed.toml", sweep);
    let output = shop.sinew(&["sweep", "listed.toml", "--list"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "case,E,--step\n1,2e4,0.01\n2,3e4,0.005\n");
    let output = shop.sinew(&["sweep", "listed.toml", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (heading, rows) = table(&shop, "results/listed");
    let steps = column(&heading, "steps");
    assert_eq!((&*rows[0][steps], &*rows[1][steps]), ("2", "4"));
}

#[test]
fn a_script_for_slurm_runs_one_case_a_job() {
    let shop = Workshop::new();
    shop.write("stiffness.toml", BEAM);
    let output = shop.sinew(&["sweep", "stiffness.toml", "--engine", "slurm"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let script = shop.path("results/stiffness/sweep.sbatch");
    let text = std::fs::read_to_string(&script).expect("a script");
    assert!(
        text.contains("--array=1-4\n") && text.contains("/stiffness/cases/%a.slurm\n"),
        "{text}"
    );
    for number in ["1", "4"] {
        let mut job = std::process::Command::new("bash");
        let status = job.arg(&script).env("SLURM_ARRAY_TASK_ID", number).status();
        assert!(status.expect("bash").success());
    }
    let output = shop.sinew(&["sweep", "stiffness.toml", "--collect"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("4 cases: 2 done, 0 failed, 2 open"), "{said}");
    // As Slurm does: its options are the comments before the first command, and each job of the array has its number.
    shop.write(
        "sbatch",
        "array=$(sed '/^[^#]/,$d' \"$1\" | sed -n 's/^#SBATCH --array=\\([0-9]*\\)-\\([0-9]*\\)$/\\1 \\2/p')\n\
         bash -n \"$1\" || exit 2\n\
         for task in $(seq $array); do SLURM_ARRAY_TASK_ID=$task bash \"$1\" || exit 1; done\n",
    );
    let mut submitted = std::process::Command::new("bash");
    let status = submitted.arg(shop.path("sbatch")).arg(&script).status();
    assert_eq!(status.expect("bash").code(), Some(0));
    let output = shop.sinew(&["sweep", "stiffness.toml", "--collect"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("4 cases: 4 done, 0 failed, 0 open"), "{said}");
}

#[test]
fn sweeps_that_cannot_run_are_refused_before_anything_is_written() {
    let shop = Workshop::new();
    for (text, code, words) in [
        ("model = 'beam'\nmodell = 1", 3, "line 2"),
        ("model = 'beam'\noptions = ['--tme', '1']", 3, "--tme"),
        ("model = 'beam'\noptions = ['--out', 'x']", 3, "leave out --out"),
        ("model = 'beam'\ndesign = 'random'", 3, "`samples` must be given"),
        ("model = 'beam'\ndesign = 'list'\nlist = 'nowhere.csv'", 3, "nowhere.csv"),
    ] {
        shop.write("sweep.toml", text);
        let output = shop.sinew(&["sweep", "sweep.toml"]);
        assert_eq!(output.status.code(), Some(code), "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{text}: {}", stderr(&output));
        assert!(shop.names("results").is_empty());
    }
    shop.write("sweep.toml", BEAM);
    let output = shop.sinew(&["sweep", "sweep.toml", "--case", "5"]);
    assert!(stderr(&output).contains("there is no case 5; there are 4"), "{}", stderr(&output));
    std::fs::create_dir(shop.path("mine")).expect("a folder");
    shop.write("mine/thesis.csv", "precious");
    let output = shop.sinew(&["sweep", "sweep.toml", "--out", "mine"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(shop.names("mine"), ["thesis.csv"]);
}

#[test]
fn the_table_stands_in_a_parquet_file_too() {
    let shop = Workshop::new();
    shop.write("stiffness.toml", BEAM);
    let output = shop.sinew(&["sweep", "stiffness.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = std::fs::read(shop.path("results/stiffness/table.parquet")).expect("a table");
    assert_eq!((&file[..4], &file[file.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
}
