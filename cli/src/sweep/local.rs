//! Cases as processes of this machine: as many at a time as asked for, each with its share of the cores.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sinew::schedule::StopFlag;

use super::cases::Cases;
use super::error::SweepError;
use super::folder::{CaseState, Folder};
use super::spec::Spec;
use crate::exit::CliError;

/// Interval between looks for the end of a process: little beside a run of a second.
const POLL: Duration = Duration::from_millis(5);
/// Time that processes may go on after a request to stop, which a terminal sends them too.
const PATIENCE: Duration = Duration::from_secs(10);

/// Common data for starting the cases.
pub(super) struct Launcher<'s> {
    pub(super) program: PathBuf,
    /// The folder of the file of the sweep.
    pub(super) directory: PathBuf,
    pub(super) spec: &'s Spec,
    pub(super) cases: &'s Cases,
    pub(super) folder: &'s Folder,
    /// Threads of each process; `None` where the options say it.
    pub(super) threads: Option<usize>,
}

/// Results seen while cases ran.
#[derive(Default)]
struct Seen {
    failed: usize,
    error: Option<CliError>,
}

impl Launcher<'_> {
    /// Runs cases, `jobs` at a time, until all are through or a stop is asked for.
    ///
    /// # Errors
    /// A process that cannot be started, or a file that cannot be written; the others end first.
    pub(super) fn run(
        &self,
        numbers: &[usize],
        jobs: usize,
        (stop, quiet): (&StopFlag, bool),
    ) -> Result<(), CliError> {
        let (next, seen) = (AtomicUsize::new(0), Mutex::new(Seen::default()));
        let bar = bar(numbers.len(), quiet);
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(numbers.len()) {
                scope.spawn(|| {
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.is_set() {
                            return;
                        }
                        let outcome = self.run_one(number, stop);
                        let mut seen = seen.lock().expect("no thread panics with the lock");
                        match outcome {
                            Ok(is_failed) => seen.failed += usize::from(is_failed),
                            Err(error) => {
                                seen.error.get_or_insert(error);
                                return;
                            }
                        }
                        if seen.failed > 0 {
                            bar.set_message(format!("{} failed", seen.failed));
                        }
                        bar.inc(1);
                    }
                });
            }
        });
        bar.finish_and_clear();
        seen.into_inner().expect("no thread panics with the lock").error.map_or(Ok(()), Err)
    }

    /// Runs one case; whether it failed.
    fn run_one(&self, number: usize, stop: &StopFlag) -> Result<bool, CliError> {
        // Another process may run it, which writes to the log.
        let _lock = self.folder.lock_case(number)?;
        let log = self.folder.log(number);
        let file = File::create(&log).map_err(SweepError::system("create", &log))?;
        let started = self.command(number).stderr(file).spawn();
        let child = started.map_err(SweepError::system("start", &self.program))?;
        wait(child, stop).map_err(SweepError::system("wait for", &self.program))?;
        Ok(matches!(self.folder.state(number), CaseState::Failed { .. }))
    }

    /// The command line of a case, with nothing on stdin and stdout.
    pub(super) fn command(&self, number: usize) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.cases.command_line(self.spec, number - 1));
        if let Some(threads) = self.threads {
            command.arg(format!("--threads={threads}"));
        }
        command.arg("--quiet").arg("--out").arg(self.folder.case(number));
        let directory = Some(&*self.directory).filter(|it| *it != Path::new(""));
        command.current_dir(directory.unwrap_or(Path::new(".")));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// Waits for a process; one that does not stop when asked to is ended.
fn wait(mut child: Child, stop: &StopFlag) -> std::io::Result<()> {
    let mut asked: Option<Instant> = None;
    while child.try_wait()?.is_none() {
        if stop.is_set() && asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            child.kill()?;
        }
        std::thread::sleep(POLL);
    }
    Ok(())
}

/// A bar of cases on stderr; none without a terminal.
fn bar(count: usize, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::stderr();
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} cases {msg}, {eta} left");
    ProgressBar::with_draw_target(Some(count as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
