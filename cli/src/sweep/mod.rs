//! `sinew sweep`: one model under many parameters, each case a run in a process and a folder of its own.

mod args;
mod cases;
mod engine;
mod error;
mod folder;
mod local;
#[cfg(feature = "parquet")]
mod parquet_table;
mod spec;
mod table;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::compute::Interrupt;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::output::write_file;

use args::EngineArg;
pub(crate) use args::SweepArgs;
use cases::Cases;
use error::SweepError;
use folder::{CaseState, Folder};
use local::Launcher;
use spec::Spec;
use table::Tally;

/// Folder below which results go when `--out` is not given.
const DEFAULT_ROOT: &str = "results";
/// Failures that are told; the table has all.
const TOLD: usize = 10;

/// Options on the command line of a case that concern the sweep.
pub(crate) struct CaseOptions {
    /// Threads that were asked for.
    pub(crate) threads: Option<u16>,
}

/// Checks the command line of a case: it must be one of `sinew run` that leaves results to the sweep.
pub(crate) type Check = fn(&[String]) -> Result<CaseOptions, String>;

/// Runs the cases that `args` ask for.
///
/// # Errors
/// A sweep that is refused, and results that cannot be written. A case that fails is no error here: the table tells.
pub(crate) fn run(args: &SweepArgs, check: Check) -> Result<Exit, CliError> {
    let spec = Spec::read(&args.file)?;
    let cases = Cases::of(&spec, &args.file)?;
    if args.list {
        console::print(&table::cases_as_csv(&cases))?;
        return Ok(Exit::Done);
    }
    let options = check_command_line(&spec, &cases, (&args.file, check))?;
    let root = absolute(args.out.clone().unwrap_or_else(|| default_root(&args.file)))?;
    let folder = Folder::open(&root, &spec, &cases)?;
    if args.collect {
        return report(args, &folder, &cases, false);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    let program =
        std::env::current_exe().map_err(SweepError::system("find", Path::new("sinew")))?;
    let paths = (&*program, &*absolute(args.file.clone())?, &*root);
    let counts = (cases.count(), options.threads.map_or(1, usize::from));
    match args.engine {
        EngineArg::Slurm => {
            hand_over(&folder, ("sweep.sbatch", "sbatch"), engine::slurm(paths, counts))
        }
        EngineArg::Ray => hand_over(&folder, ("sweep.py", "python"), engine::ray(paths, counts)),
        EngineArg::Local => {
            let launcher = Launcher {
                program: program.clone(),
                directory: args.file.parent().map(Path::to_owned).unwrap_or_default(),
                spec: &spec,
                cases: &cases,
                folder: &folder,
                threads: options.threads.is_none().then_some(1),
            };
            run_here(args, launcher, [jobs, cores])
        }
    }
}

/// Runs cases on this machine: those that are asked for and not through.
fn run_here(
    args: &SweepArgs,
    mut launcher: Launcher<'_>,
    [jobs, cores]: [usize; 2],
) -> Result<Exit, CliError> {
    let (folder, cases) = (launcher.folder, launcher.cases);
    // Single cases run beside each other, and each locks a folder of its own.
    let _lock = args.case.is_none().then(|| folder.lock()).transpose()?;
    let numbers = numbers_of(args, cases)?;
    let is_left = |number: &usize| match folder.state(*number) {
        CaseState::Open => true,
        CaseState::Done(_) => false,
        CaseState::Failed { .. } => args.retry,
    };
    let left: Vec<usize> = numbers.clone().filter(is_left).collect();
    // Fewer cases than jobs have more cores each; a single one has others beside it.
    let jobs = if args.case.is_none() { jobs.min(left.len()).max(1) } else { jobs };
    launcher.threads = launcher.threads.map(|_| (cores / jobs).max(1));
    let interrupt = Interrupt::listen_for_each()?;
    launcher.run(&left, jobs, (&interrupt.flag(), args.quiet))?;
    if args.case.is_none() {
        return report(args, folder, cases, interrupt.is_requested());
    }
    // Others may run beside it and write the table.
    let number = *numbers.start();
    match folder.state(number) {
        CaseState::Done(_) => Ok(Exit::Done),
        CaseState::Failed { reason, .. } => {
            console::complain(&format!("case {number} failed: {reason}"));
            Ok(Exit::Step)
        }
        CaseState::Open if interrupt.is_requested() => Ok(Exit::Interrupted),
        CaseState::Open => {
            let log = folder.log(number);
            console::complain(&format!("case {number} came to no end: see {}", log.display()));
            Ok(Exit::Output)
        }
    }
}

/// Numbers of the cases that are asked for.
fn numbers_of(args: &SweepArgs, cases: &Cases) -> Result<RangeInclusive<usize>, SweepError> {
    match args.case {
        None => Ok(1..=cases.count()),
        Some(number) => match usize::try_from(number) {
            Ok(number) if number <= cases.count() => Ok(number..=number),
            _ => {
                let (path, count) = (args.file.clone(), cases.count());
                Err(SweepError::NoCase { path, number, count })
            }
        },
    }
}

/// Writes the table, and says what came of the cases.
fn report(
    args: &SweepArgs,
    folder: &Folder,
    cases: &Cases,
    is_interrupted: bool,
) -> Result<Exit, CliError> {
    let Tally { done, failed, open } = table::write(folder, cases)?;
    for (number, reason) in failed.iter().take(TOLD) {
        console::complain(&format!("case {number} failed: {reason}"));
    }
    if failed.len() > TOLD {
        console::complain(&format!("and {} more", failed.len() - TOLD));
    }
    if !args.quiet {
        let table = folder.file(table::NAME);
        let failed = failed.len();
        console::print(&format!(
            "{} cases: {done} done, {failed} failed, {open} open\ntable     {}\n",
            cases.count(),
            table.display()
        ))?;
    }
    Ok(match (is_interrupted, failed.is_empty(), open) {
        (true, ..) => Exit::Interrupted,
        (false, false, _) => Exit::Step,
        (false, true, 0) => Exit::Done,
        // A process that was ended by force.
        (false, true, _) if !args.collect => Exit::Step,
        (false, true, _) => Exit::Done,
    })
}

/// Writes a script beside the cases, and says how to start it.
fn hand_over(
    folder: &Folder,
    (name, starter): (&str, &str),
    text: String,
) -> Result<Exit, CliError> {
    let path = folder.file(name);
    write_file(&path, text.as_bytes())?;
    console::print(&format!("{starter} {}\n", path.display()))?;
    Ok(Exit::Done)
}

/// Options of the first case; those of others differ in levels alone.
fn check_command_line(
    spec: &Spec,
    cases: &Cases,
    (path, check): (&Path, Check),
) -> Result<CaseOptions, SweepError> {
    let program = ["sinew".to_owned()];
    check(&[&program[..], &cases.command_line(spec, 0)].concat())
        .map_err(|message| SweepError::Options { path: path.to_owned(), number: 1, message })
}

fn default_root(file: &Path) -> PathBuf {
    Path::new(DEFAULT_ROOT).join(file.file_stem().unwrap_or(file.as_os_str()))
}

fn absolute(path: PathBuf) -> Result<PathBuf, SweepError> {
    std::path::absolute(&path).map_err(SweepError::system("find", &path))
}
