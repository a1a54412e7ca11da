//! `run.json`: the model of a run, its settings, its machine and its outcome. Its presence marks a
//! directory as one of results.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use sinew::io::read_file;

use super::atomic;
use super::error::OutputError;
use crate::compute::machine::Machine;
use crate::load::Prepared;
use crate::options::EditArgs;

/// Name of the file.
pub(super) const NAME: &str = "run.json";

/// Largest record that is read [byte]; one has some kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// Value of `program` in every file of ours.
const PROGRAM: &str = "sinew";

/// True if `directory` holds the record of a run.
pub(super) fn marks_a_run(directory: &Path) -> bool {
    record_in(directory).is_some_and(|record| record["program"] == PROGRAM)
}

/// The files that probes of the run recorded to; what is no plain name among them is passed over.
pub(super) fn probe_files(directory: &Path) -> Vec<PathBuf> {
    let Some(record) = record_in(directory) else { return Vec::new() };
    let files = record["probe_files"].as_array().into_iter().flatten();
    let files = files.filter_map(|file| Some(PathBuf::from(file.as_str()?)));
    files.filter(|file| file.file_name() == Some(file.as_os_str())).collect()
}

/// The record in a directory, if it holds one.
pub(crate) fn record_in(directory: &Path) -> Option<Value> {
    let text = read_file(&directory.join(NAME), MAX_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Outcome of a run, for its record.
pub(crate) struct Outcome {
    /// `done`, `interrupted` or `failed`.
    pub(crate) status: &'static str,
    /// Reason of its failure.
    pub(crate) reason: Option<String>,
    /// Counts over the run.
    pub(crate) statistics: Value,
    /// The object of `--json`.
    pub(crate) result: Value,
}

/// The record while the run goes on.
pub(super) struct RunJson {
    path: PathBuf,
    record: Map<String, Value>,
}

impl RunJson {
    /// Writes the record of a run that begins, with the status `running`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn begin(
        directory: &Path,
        (prepared, edits): (&Prepared, &EditArgs),
        settings: Value,
        probe_files: &[PathBuf],
    ) -> Result<Self, OutputError> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let source = &prepared.source;
        let sections = [
            ("program", json!(PROGRAM)),
            ("version", json!(env!("CARGO_PKG_VERSION"))),
            ("status", json!("running")),
            ("reason", Value::Null),
            ("started_unix_s", json!(started)),
            ("model", json!({"name": source.name, "origin": source.origin})),
            ("parameters", json!(edits.params)),
            ("set", json!(edits.sets)),
            ("notes", json!(source.notes)),
            ("settings", settings),
            ("probe_files", json!(probe_files)),
            ("machine", json!(Machine::this())),
            ("load_s", json!(prepared.load_time.as_secs_f64())),
            ("compile_s", json!(prepared.compile_time.as_secs_f64())),
        ];
        let record = sections.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
        let run_json = Self { path: directory.join(NAME), record };
        run_json.write()?;
        Ok(run_json)
    }

    /// Writes the record of the run that ended so.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn finish(
        &mut self,
        outcome: Outcome,
        frame_count: usize,
    ) -> Result<(), OutputError> {
        self.set("status", json!(outcome.status));
        self.set("reason", json!(outcome.reason));
        self.set("frames", json!(frame_count));
        self.set("statistics", outcome.statistics);
        self.set("result", outcome.result);
        self.write()
    }

    /// Writes that the run ended because of `reason`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn abandon(&mut self, reason: &str) -> Result<(), OutputError> {
        self.set("status", json!("failed"));
        self.set("reason", json!(reason));
        self.write()
    }

    fn set(&mut self, key: &str, value: Value) {
        self.record.insert(key.to_owned(), value);
    }

    fn write(&self) -> Result<(), OutputError> {
        let text = format!("{:#}\n", Value::Object(self.record.clone()));
        atomic::write(&self.path, text.as_bytes())
    }
}
