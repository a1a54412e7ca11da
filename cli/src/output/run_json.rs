//! `run.json`: what was run, with which settings, where, and what came of it. Its presence marks a
//! directory as one of results.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use sinew::io::read_file;
use sinew::solve::SolverSettings;

use super::{OutputError, atomic};
use crate::args::RunArgs;
use crate::run::machine::Machine;
use crate::run::{Prepared, Session, Statistics, Summary};

/// Name of the file.
pub(super) const NAME: &str = "run.json";

/// Largest record that is read [byte]; one has some kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// What `program` says in every file of ours.
const PROGRAM: &str = "sinew";

/// Whether `directory` holds the record of a run.
pub(super) fn marks_a_run(directory: &Path) -> bool {
    read(directory).is_some_and(|record| record["program"] == PROGRAM)
}

/// The files that probes of the run recorded to; what is no plain name among them is passed over.
pub(super) fn probe_files(directory: &Path) -> Vec<PathBuf> {
    let Some(record) = read(directory) else { return Vec::new() };
    let files = record["probe_files"].as_array().into_iter().flatten();
    let files = files.filter_map(|file| Some(PathBuf::from(file.as_str()?)));
    files.filter(|file| file.file_name() == Some(file.as_os_str())).collect()
}

/// The record in a directory.
fn read(directory: &Path) -> Option<Value> {
    let text = read_file(&directory.join(NAME), MAX_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
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
        args: &RunArgs,
        session: &Session<'_>,
        (prepared, probe_files): (&Prepared, &[PathBuf]),
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
            ("parameters", json!(args.model.edits.params)),
            ("set", json!(args.model.edits.sets)),
            ("notes", json!(source.notes)),
            ("settings", settings(args, session)),
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

    /// Writes the record of the run that ended as `summary` says.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn finish(
        &mut self,
        summary: &Summary,
        statistics: &Statistics,
        frame_count: usize,
    ) -> Result<(), OutputError> {
        self.set("status", json!(summary.status.unwrap_or("done")));
        self.set("reason", json!(summary.reason));
        self.set("frames", json!(frame_count));
        self.set("statistics", solver_statistics(statistics));
        let result = serde_json::to_value(summary).unwrap_or(Value::Null);
        self.set("result", result);
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

/// The options that decide what is computed.
fn settings(args: &RunArgs, session: &Session<'_>) -> Value {
    let plan = session.plan;
    let SolverSettings { cg_tolerance, cg_max_iterations, .. } = plan.settings;
    json!({
        "integrator": args.solve.integrator,
        "integrator_detail": format!("{:?}", plan.settings.integrator),
        "step_s": plan.step,
        "smallest_step_s": plan.smallest_step,
        "steps": plan.step_count,
        "solver": format!("{:?}", args.solve.solver).to_lowercase(),
        "preconditioner": format!("{:?}", args.solve.preconditioner).to_lowercase(),
        "friction": format!("{:?}", args.solve.contact.friction).to_lowercase(),
        "friction_method": format!("{:?}", args.solve.contact.friction_method).to_lowercase(),
        "contact_solver": format!("{:?}", args.solve.contact.contact_solver).to_lowercase(),
        "stabilization": format!("{:?}", args.solve.contact.stabilization).to_lowercase(),
        "cg_tolerance": cg_tolerance,
        "cg_max_iterations": cg_max_iterations,
        "backend": session.kind,
        "backend_reason": session.why,
        "device": session.kind.device(session.backend()),
        "threads": rayon::current_num_threads(),
        "frames": args.frames,
        "frame_interval_s": plan.frame_interval,
        "probes": args.probes.probe,
        "traces": args.probes.trace,
        "inputs": args.probes.input,
        "checkpoint_every_s": args.probes.checkpoint_every,
        "resumed": args.probes.resume,
    })
}

/// Counts over the whole run, and sizes of its last system.
fn solver_statistics(statistics: &Statistics) -> Value {
    json!({
        "linear_solves": statistics.linear_solves,
        "substeps": statistics.substeps,
        "unilateral_rows": statistics.unilateral_rows,
        "contacts": statistics.contacts,
        "exchanges": statistics.exchanges,
        "box_for_cone_steps": statistics.box_for_cone,
        "factorizations": statistics.factorizations,
        "cg_iterations": statistics.cg_iterations,
        "corrections": statistics.corrections,
        "bytes_up": statistics.bytes_up,
        "bytes_down": statistics.bytes_down,
        "matrix_blocks": statistics.last.matrix_blocks,
        "factor_nnz": statistics.last.factor_nnz,
        "last_residual": statistics.last.residual,
    })
}
