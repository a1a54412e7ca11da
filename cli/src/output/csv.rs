//! `energies.csv`: one row a step, written line by line so that a run can be watched.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use csv::Writer;
use sinew::system::StepStats;

use super::OutputError;
use crate::run::Observation;

/// Name of the file.
pub(super) const NAME: &str = "energies.csv";

/// Columns before those of the tip.
const STATE: [&str; 9] =
    ["time", "kinetic", "gravitational", "strain", "total", "volume", "com_x", "com_y", "com_z"];
/// Columns of a model with a tip.
const TIP: [&str; 3] = ["tip_displacement_x", "tip_displacement_y", "tip_displacement_z"];
/// Columns after those of the tip.
const WORK: [&str; 3] = ["linear_solves", "cg_iterations", "step_ms"];

/// The table while it is written.
pub(super) struct EnergyTable {
    path: PathBuf,
    writer: Writer<File>,
}

impl EnergyTable {
    /// A table with its heading, in `directory`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn create(directory: &Path, has_tip: bool) -> Result<Self, OutputError> {
        let path = directory.join(NAME);
        let file = File::create(&path).map_err(OutputError::system("create", &path))?;
        let mut table = Self { path, writer: Writer::from_writer(file) };
        let tip = if has_tip { &TIP[..] } else { &[] };
        table.write_row(STATE.iter().chain(tip).chain(&WORK))?;
        Ok(table)
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
        let Observation { time, energies, volume, center_of_mass, tip_displacement } = observation;
        let mut numbers = vec![
            *time,
            energies.kinetic,
            energies.gravitational,
            energies.strain,
            energies.total(),
        ];
        numbers.push(*volume);
        numbers.extend(center_of_mass);
        numbers.extend(tip_displacement.iter().flatten());
        // `{:?}` is the shortest text that reads back as the same number, with an exponent where
        // that is shorter.
        let mut row: Vec<_> = numbers.iter().map(|x| format!("{x:?}")).collect();
        row.push(stats.linear_solves.to_string());
        row.push(stats.cg_iterations.to_string());
        row.push(format!("{:.4}", step_time.as_secs_f64() * 1e3));
        self.write_row(row)
    }

    fn write_row(
        &mut self,
        row: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> Result<(), OutputError> {
        let written = self.writer.write_record(row);
        let flushed = written.and_then(|()| self.writer.flush().map_err(csv::Error::from));
        flushed.map_err(|source| OutputError::Table { path: self.path.clone(), source })
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
        let energies = Energies { kinetic: 1e-300, gravitational: -0.1, strain: 1.0 / 3.0 };
        let observation = Observation {
            time: 0.01,
            energies,
            volume: 6.25e-2,
            center_of_mass: Vec3::new(1.0, -2e22, 0.0),
            tip_displacement: Some(Vec3::new(1e-17, 0.2, -0.3)),
        };
        let mut table = EnergyTable::create(directory.path(), true).unwrap();
        let stats = StepStats { linear_solves: 3, cg_iterations: 40, ..StepStats::default() };
        table.add(&observation, &stats, Duration::from_micros(1500)).unwrap();

        // Read while the table is still open: the row must be there.
        let mut reader = csv::Reader::from_path(directory.path().join(NAME)).unwrap();
        let row: Vec<f64> = reader.deserialize().next().unwrap().unwrap();
        let e = energies;
        let expected = [
            0.01,
            e.kinetic,
            e.gravitational,
            e.strain,
            e.total(),
            6.25e-2,
            1.0,
            -2e22,
            0.0,
            1e-17,
            0.2,
            -0.3,
            3.0,
            40.0,
            1.5,
        ];
        assert_eq!(row, expected);
        assert_eq!(reader.headers().unwrap().len(), expected.len());
    }
}
