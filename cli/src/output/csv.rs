//! `energies.csv`: one row a step, written line by line so that a run can be watched.

use std::path::Path;
use std::time::Duration;

use sinew::system::StepStats;
use sinew_run_files::Opening;
use sinew_run_files::write::{LineFile, quoted};

use super::error::OutputError;
use super::observe::{Observation, Observer};

/// Name of the file.
pub(crate) const NAME: &str = "energies.csv";

/// Columns before those of the tip.
const STATE: [&str; 9] =
    ["time", "kinetic", "gravitational", "strain", "total", "volume", "com_x", "com_y", "com_z"];
/// Columns of a model with a tip.
const TIP: [&str; 3] = ["tip_displacement_x", "tip_displacement_y", "tip_displacement_z"];
/// Columns of a model with bodies or constraints, after those of the watched distances.
const MECHANISM: [&str; 3] = ["rotational", "row_error", "substeps"];
/// The last columns.
const WORK: [&str; 3] = ["linear_solves", "cg_iterations", "step_ms"];

/// The table while it is written.
pub(super) struct EnergyTable {
    file: LineFile,
}

impl EnergyTable {
    /// A table with its heading, in `directory`; or the one that is there, up to a place [bytes].
    ///
    /// # Errors
    /// A file that cannot be written, or is shorter.
    pub(super) fn open(
        directory: &Path,
        observer: &Observer,
        place: Option<u64>,
    ) -> Result<Self, OutputError> {
        let path = directory.join(NAME);
        if let Some(place) = place {
            let mut file = LineFile::open(&path, Opening::Resume)?;
            file.go_back(place)?;
            return Ok(Self { file });
        }
        let mut table = Self { file: LineFile::open(&path, Opening::New)? };
        let tip = if observer.has_tip() { &TIP[..] } else { &[] };
        let mechanism = if observer.has_mechanism() { &MECHANISM[..] } else { &[] };
        let begin = STATE.iter().chain(tip).copied().chain(observer.distance_names());
        table.write_row(begin.chain(mechanism.iter().chain(&WORK).copied()))?;
        Ok(table)
    }

    /// Has the disk take all rows; where they end [bytes].
    ///
    /// # Errors
    /// The refusal of the system.
    pub(super) fn place(&mut self) -> Result<u64, OutputError> {
        Ok(self.file.place()?)
    }

    /// Adds the row of a step of wall time `step_time`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn add(
        &mut self,
        observation: &Observation,
        stats: &StepStats,
        step_time: Duration,
    ) -> Result<(), OutputError> {
        let energies = &observation.energies;
        let mut numbers = vec![
            observation.time,
            energies.kinetic,
            energies.gravitational,
            energies.strain,
            energies.total(),
        ];
        numbers.push(observation.volume);
        numbers.extend(&observation.center_of_mass);
        numbers.extend(observation.tip_displacement.iter().flatten());
        numbers.extend(&observation.distances);
        numbers
            .extend(observation.mechanism.iter().flat_map(|m| [m.rotational_energy, m.row_error]));
        // `{:?}` is the shortest text that reads back as the same number, with an exponent where
        // that is shorter.
        let mut row: Vec<_> = numbers.iter().map(|x| format!("{x:?}")).collect();
        row.extend(observation.mechanism.map(|_| stats.substeps.to_string()));
        row.push(stats.linear_solves.to_string());
        row.push(stats.cg_iterations.to_string());
        row.push(format!("{:.4}", step_time.as_secs_f64() * 1e3));
        self.write_row(row)
    }

    fn write_row(
        &mut self,
        row: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), OutputError> {
        let fields: Vec<String> = row.into_iter().map(|field| quoted(field.as_ref())).collect();
        Ok(self.file.append((fields.join(",") + "\n").as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use sinew::Vec3;
    use sinew::system::Energies;

    use super::*;

    #[test]
    fn a_row_reads_back_as_the_numbers_that_were_written() {
        let directory = tempfile::tempdir().unwrap();
        let model = sinew_datasets::beam::beam(&Default::default()).unwrap();
        let observer = Observer::of(&model, &model.compile().unwrap(), Vec::new());
        let energies = Energies { kinetic: 1e-300, gravitational: -0.1, strain: 1.0 / 3.0 };
        let observation = Observation {
            time: 0.01,
            energies,
            volume: 6.25e-2,
            center_of_mass: Vec3::new(1.0, -2e22, 0.0),
            tip_displacement: Some(Vec3::new(1e-17, 0.2, -0.3)),
            distances: Vec::new(),
            mechanism: None,
        };
        let mut table = EnergyTable::open(directory.path(), &observer, None).unwrap();
        let stats = StepStats { linear_solves: 3, cg_iterations: 40, ..StepStats::default() };
        table.add(&observation, &stats, Duration::from_micros(1500)).unwrap();

        // Read while the table is still open: the row must be there.
        let mut reader = csv::Reader::from_path(directory.path().join(NAME)).unwrap();
        let row: Vec<f64> = reader.deserialize().next().unwrap().unwrap();
        let total = energies.total();
        let state = [0.01, 1e-300, -0.1, 1.0 / 3.0, total, 6.25e-2, 1.0, -2e22, 0.0];
        let rest = [1e-17, 0.2, -0.3, 3.0, 40.0, 1.5];
        assert_eq!(row, [&state[..], &rest].concat());
        assert_eq!(reader.headers().unwrap().len(), row.len());
    }
}
