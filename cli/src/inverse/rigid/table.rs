//! Tables as OpenSim's storage files, which `sinew` reads as well: a heading, names of columns, rows.

use std::path::Path;

use crate::exit::CliError;
use crate::output::write_file;

/// A table over time, written as a whole.
pub(super) struct StorageTable {
    title: &'static str,
    columns: Vec<String>,
    rows: Vec<String>,
}

impl StorageTable {
    /// A table of rows at times [s], to the last bit.
    pub(super) fn new(
        title: &'static str,
        columns: Vec<String>,
        (times, values): (&[f64], &[Vec<f64>]),
    ) -> Self {
        let row = |(time, values): (&f64, &Vec<f64>)| {
            let words: Vec<String> =
                [time].into_iter().chain(values).map(|x| format!("{x:?}")).collect();
            words.join("\t")
        };
        Self { title, columns, rows: times.iter().zip(values).map(row).collect() }
    }

    /// Writes the file. Names have no spaces, which end a word of the heading.
    ///
    /// # Errors
    /// The refusal of the system.
    pub(super) fn write(&self, path: &Path) -> Result<(), CliError> {
        let (title, count) = (self.title, self.columns.len() + 1);
        let names: Vec<String> = self.columns.iter().map(|it| it.replace(' ', "_")).collect();
        let text = format!(
            "{title}\nversion=1\nnRows={}\nnColumns={count}\ninDegrees=no\nendheader\ntime\t{}\n{}\n",
            self.rows.len(),
            names.join("\t"),
            self.rows.join("\n")
        );
        Ok(write_file(path, text.as_bytes())?)
    }
}
