//! The tables of `sinew inverse`: excitations, desired and reached motions side by side, and a
//! summary.

use std::fs;
use std::path::Path;

use serde_json::json;
use sinew::inverse::{InverseError, MotionTarget, TrackedExcitation, TrackedStep};
use sinew::model::Model;
use sinew_run_files::Opening;
use sinew_run_files::write::{LineFile, quoted};

use crate::exit::CliError;
use crate::output::{OutputError, write_file};

/// Names of the files.
pub(super) const EXCITATIONS: &str = "excitations.csv";
const TARGETS: &str = "targets.csv";
const SUMMARY: &str = "inverse.json";

/// The files while they are written.
pub(super) struct Tables {
    excitations: LineFile,
    targets: LineFile,
    sizes: Vec<usize>,
    names: Vec<String>,
    /// Sums of squared distances, and the largest, one a target.
    squares: Vec<f64>,
    largest: Vec<f64>,
    steps: usize,
    out_of_reach: usize,
    missed: usize,
}

impl Tables {
    /// Creates the folder and the tables with their headings.
    ///
    /// # Errors
    /// What cannot be written, or named.
    pub(super) fn create(
        folder: &Path,
        model: &Model,
        (targets, excitations): (&[MotionTarget], &[TrackedExcitation]),
    ) -> Result<Self, CliError> {
        fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
        let property = |it: &TrackedExcitation| -> Result<String, InverseError> {
            Ok(model.property_path(&it.property(model)?))
        };
        let columns = excitations.iter().map(property).collect::<Result<Vec<String>, _>>()?;
        let mut own = Self {
            excitations: LineFile::open(&folder.join(EXCITATIONS), Opening::New)?,
            targets: LineFile::open(&folder.join(TARGETS), Opening::New)?,
            sizes: targets.iter().map(MotionTarget::size).collect(),
            names: targets.iter().map(|target| target.path(model)).collect(),
            squares: vec![0.0; targets.len()],
            largest: vec![0.0; targets.len()],
            steps: 0,
            out_of_reach: 0,
            missed: 0,
        };
        append(&mut own.excitations, ["time".to_owned()].into_iter().chain(columns))?;
        let mut heading = vec!["time".to_owned()];
        for (target, name) in targets.iter().zip(&own.names) {
            let parts = target.columns(model)?;
            heading.extend(parts.iter().map(|part| format!("desired {part}")));
            heading.extend(parts);
            heading.push(format!("distance {name}"));
        }
        append(&mut own.targets, heading)?;
        Ok(own)
    }

    /// Adds the rows of a step.
    ///
    /// # Errors
    /// What cannot be written.
    pub(super) fn add(&mut self, step: &TrackedStep) -> Result<(), CliError> {
        let TrackedStep { record, reached, distances } = step;
        let number = |x: &f64| format!("{x:?}");
        let row = [record.time].iter().chain(&record.excitations).map(number).collect::<Vec<_>>();
        append(&mut self.excitations, row)?;
        let (mut row, mut first) = (vec![number(&record.time)], 0);
        for (k, size) in self.sizes.iter().enumerate() {
            let own = first..first + size;
            first += size;
            row.extend(record.desired[own.clone()].iter().map(number));
            row.extend(reached[own].iter().map(number));
            row.push(number(&distances[k]));
            self.squares[k] += distances[k].powi(2);
            self.largest[k] = self.largest[k].max(distances[k]);
        }
        self.steps += 1;
        self.out_of_reach += usize::from(record.out_of_reach);
        self.missed += usize::from(record.missed);
        append(&mut self.targets, row)
    }

    /// Writes the summary; its lines for people.
    ///
    /// # Errors
    /// What cannot be written.
    pub(super) fn finish(mut self, folder: &Path, time: f64) -> Result<String, CliError> {
        self.excitations.place()?;
        self.targets.place()?;
        let mean = |k: usize| (self.squares[k] / self.steps.max(1) as f64).sqrt();
        let targets: Vec<_> = (0..self.names.len())
            .map(|k| json!({ "target": self.names[k], "rms": mean(k), "largest": self.largest[k] }))
            .collect();
        let summary = json!({ "program": "sinew", "time": time, "steps": self.steps, "out_of_reach": self.out_of_reach, "missed": self.missed, "targets": targets });
        let text = format!("{summary:#}\n");
        write_file(&folder.join(SUMMARY), text.as_bytes())?;
        let mut lines = format!("{} steps to {time} s\n", self.steps);
        for (k, name) in self.names.iter().enumerate() {
            let line = format!(
                "  {name}: distance {:.3e} (rms), {:.3e} at most\n",
                mean(k),
                self.largest[k]
            );
            lines.push_str(&line);
        }
        if self.out_of_reach > 0 {
            lines.push_str(&format!(
                "  {} of {} steps were out of reach of the excitations: the nearest motion was followed\n",
                self.out_of_reach, self.steps
            ));
        }
        if self.missed > 0 {
            lines.push_str(&format!(
                "  {} of {} steps missed the targets by more than half of what was asked for: no excitation leads there, or targets contradict \
                 each other\n",
                self.missed, self.steps
            ));
        }
        Ok(lines)
    }
}

fn append(file: &mut LineFile, fields: impl IntoIterator<Item = String>) -> Result<(), CliError> {
    let fields: Vec<String> = fields.into_iter().map(|field| quoted(&field)).collect();
    Ok(file.append((fields.join(",") + "\n").as_bytes())?)
}
