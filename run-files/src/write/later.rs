//! A file that is made when the first row comes: opening a model writes nothing.

use std::fs::symlink_metadata;
use std::path::{Path, PathBuf};

use sinew::schedule::{CallbackError, Sink};

use super::format::{Format, Opening};
#[cfg(feature = "parquet")]
use super::parquet;
use super::{create, csv, npy, opensim};
use crate::RecordingError;

/// A sink that is not open yet, or is.
pub(super) struct Later {
    path: PathBuf,
    columns: Vec<String>,
    sink: Option<Box<dyn Sink>>,
}

impl Later {
    /// A file for `columns`.
    ///
    /// # Errors
    /// A file of that name that is no recording of the same columns.
    pub(super) fn new(
        path: &Path,
        columns: &[String],
        format: Format,
    ) -> Result<Self, RecordingError> {
        // What is no file of its own (a link, a device) is nobody's recording.
        let found = symlink_metadata(path).ok();
        let is_recording = |is_file: bool| {
            is_file
                && match format {
                    Format::Csv => csv::is_recording(path, columns),
                    Format::Npy => npy::is_recording(path, columns),
                    Format::Storage => opensim::is_recording(path, columns),
                    #[cfg(feature = "parquet")]
                    Format::Parquet => parquet::is_recording(path, columns),
                }
        };
        match found {
            Some(it) if !is_recording(it.is_file()) => {
                Err(RecordingError::Occupied { path: path.to_owned() })
            }
            _ => Ok(Self { path: path.to_owned(), columns: columns.to_vec(), sink: None }),
        }
    }

    fn open(&mut self) -> Result<&mut dyn Sink, CallbackError> {
        if self.sink.is_none() {
            self.sink = Some(create(&self.path, &self.columns, Opening::New)?);
        }
        // Made above where it was not there.
        Ok(&mut **self.sink.as_mut().ok_or("the file is not open")?)
    }
}

impl Sink for Later {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.open()?.write(time, values)
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.open()?.place()
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.open()?.go_back(place)
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        self.sink.as_mut().map_or(Ok(()), |sink| sink.finish())
    }
}
