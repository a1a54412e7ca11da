//! ParaView's time series: an index of the frames written so far.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::io::write::vtu_write::{WriteError, escaped, replace_file};

/// Writes a .pvd file; it is complete after each [`push`](Self::push), so an interrupted run leaves
/// a series of all frames up to there.
#[derive(Debug)]
pub struct PvdWriter {
    path: PathBuf,
    entries: String,
}

impl PvdWriter {
    /// Starts a series without frames.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, WriteError> {
        let writer = Self { path: path.into(), entries: String::new() };
        writer.write()?;
        Ok(writer)
    }

    /// Adds the frame at `time` [s]. A `file` in the folder of the series is named relative to it.
    ///
    /// # Errors
    /// A time that is not finite, or the file cannot be written.
    pub fn push(&mut self, time: f64, file: &Path) -> Result<(), WriteError> {
        self.push_parts(time, &[file])
    }

    /// Adds the frame at `time` [s] that these files make together, each a part of its own.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_parts(&mut self, time: f64, files: &[impl AsRef<Path>]) -> Result<(), WriteError> {
        if !time.is_finite() {
            return Err(WriteError::Time { time });
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        for (part, file) in files.iter().map(AsRef::as_ref).enumerate() {
            let relative = file.strip_prefix(folder).unwrap_or(file);
            let name = escaped(&relative.to_string_lossy().replace('\\', "/"));
            // Display of f64 gives the shortest text that reads back to the same number.
            self.entries += &format!(
                "    <DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" file=\"{name}\"/>\n"
            );
        }
        self.write()
    }

    fn write(&self) -> Result<(), WriteError> {
        replace_file(&self.path, |out: &mut std::io::BufWriter<fs::File>| {
            writeln!(out, "<?xml version=\"1.0\"?>")?;
            writeln!(out, "<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>")?;
            out.write_all(self.entries.as_bytes())?;
            writeln!(out, "  </Collection>\n</VTKFile>")
        })
    }
}
