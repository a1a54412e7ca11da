//! The folder of a sweep: `sweep.json` describes the sweep, `cases/` has the results of each case
//! and beside them the output of its run, `table.csv` one row a case.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sinew::io::read_file;

use super::cases::Cases;
use super::error::SweepError;
use super::spec::Spec;
use crate::exit::CliError;
use crate::output::{DirectoryLock, record_in, write_file};

/// Name of the record.
const RECORD: &str = "sweep.json";
/// Largest record that is read [byte].
const MAX_RECORD: u64 = 1 << 30;
/// Largest log whose last error is looked for [byte].
const MAX_LOG: u64 = 16 << 20;

/// The folder of a sweep.
pub(super) struct Folder {
    root: PathBuf,
    /// Digits of the number of a case.
    width: usize,
}

/// State of a case.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CaseState {
    /// Nothing yet, or its run did not come to an end.
    Open,
    /// All of it, with the object of `--json`.
    Done(Value),
    /// An end before that.
    Failed {
        /// The reason.
        reason: String,
        /// The object of `--json`; null where the run did not begin.
        result: Value,
    },
}

impl Folder {
    /// The folder of a sweep, made where it is not there.
    ///
    /// # Errors
    /// A folder of something else, or of other cases; one that cannot be written.
    pub(super) fn open(root: &Path, spec: &Spec, cases: &Cases) -> Result<Self, CliError> {
        let folder = Self { root: root.to_owned(), width: cases.count().to_string().len() };
        let record = json!({
            "program": "sinew",
            "model": spec.model,
            "options": spec.options,
            "names": cases.names,
            "levels": cases.levels,
        });
        let path = root.join(RECORD);
        match read_file(&path, MAX_RECORD) {
            Ok(text) => {
                let former: Option<Value> = serde_json::from_slice(&text).ok();
                if former.as_ref() != Some(&record) {
                    return Err(SweepError::Other(root.to_owned()).into());
                }
            }
            Err(_) if root.read_dir().is_ok_and(|mut it| it.next().is_some()) => {
                return Err(SweepError::Occupied(root.to_owned()).into());
            }
            Err(_) => {
                let all = root.join("cases");
                fs::create_dir_all(&all).map_err(SweepError::system("create", &all))?;
                write_file(&path, format!("{record}\n").as_bytes())?;
            }
        }
        Ok(folder)
    }

    /// Keeps other sweeps out as long as the lock lives.
    ///
    /// # Errors
    /// Another one that runs.
    pub(super) fn lock(&self) -> Result<DirectoryLock, CliError> {
        Ok(DirectoryLock::take(&self.root)?)
    }

    /// Keeps others from running a case as long as the lock lives.
    ///
    /// # Errors
    /// Another process that runs it.
    pub(super) fn lock_case(&self, number: usize) -> Result<DirectoryLock, CliError> {
        Ok(DirectoryLock::beside(&self.case(number))?)
    }

    /// Folder of the results of a case.
    pub(super) fn case(&self, number: usize) -> PathBuf {
        self.root.join("cases").join(format!("{number:0width$}", width = self.width))
    }

    /// File with the output of the run of a case.
    pub(super) fn log(&self, number: usize) -> PathBuf {
        self.case(number).with_extension("log")
    }

    /// A file beside the cases.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// State of a case, as far as its files tell.
    pub(super) fn state(&self, number: usize) -> CaseState {
        let Some(mut record) = record_in(&self.case(number)) else {
            return match self.last_error(number) {
                Some(reason) => CaseState::Failed { reason, result: Value::Null },
                None => CaseState::Open,
            };
        };
        let result = record["result"].take();
        match record["status"].as_str() {
            Some("done") => CaseState::Done(result),
            Some("failed") => {
                let reason = record["reason"].as_str().unwrap_or("no reason was written");
                CaseState::Failed { reason: reason.to_owned(), result }
            }
            _ => CaseState::Open,
        }
    }

    /// The error that a run ended with before it had a folder.
    fn last_error(&self, number: usize) -> Option<String> {
        let text = read_file(&self.log(number), MAX_LOG).ok()?;
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().rev().find_map(|line| line.strip_prefix("error: ")).map(str::to_owned)
    }
}
