//! A file that grows by whole pieces, and can be taken back to the end of any of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format::Opening;
use crate::RecordingError;

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A file of whole lines or rows: what cannot be written as a whole is not in it.
pub struct LineFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl LineFile {
    /// A new file, or one that is gone on with.
    ///
    /// # Errors
    /// The refusal of the system.
    pub fn open(path: &Path, opening: Opening) -> Result<Self, RecordingError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let mut open = || {
            match opening {
                Opening::Resume => options.create(true),
                // What a link of that name leads to is not written over, and no other name of the file.
                Opening::New | Opening::Later => {
                    remove(path)?;
                    options.create_new(true)
                }
            };
            let mut file = options.open(path)?;
            let length = file.seek(SeekFrom::End(0))?;
            Ok(Self { path: path.to_owned(), file, length })
        };
        open().map_err(RecordingError::system("create", path))
    }

    /// Adds one piece.
    ///
    /// # Errors
    /// The refusal of the system; the file then ends as before.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        if let Err(source) = self.file.write_all(bytes) {
            // A part of the piece may be there.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            let path = self.path.clone();
            return Err(RecordingError::System { action: "write", path, source });
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Writes over bytes that are there.
    ///
    /// # Errors
    /// The refusal of the system.
    pub fn overwrite(&mut self, at: u64, bytes: &[u8]) -> Result<(), RecordingError> {
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(bytes)?;
            file.seek(SeekFrom::End(0))
        };
        write(&mut self.file).map(|_| ()).map_err(RecordingError::system("write", &self.path))
    }

    /// Has the disk take everything; the length of the file [bytes].
    ///
    /// # Errors
    /// The refusal of the system.
    pub fn place(&mut self) -> Result<u64, RecordingError> {
        self.file.sync_data().map_err(RecordingError::system("write", &self.path))?;
        Ok(self.length)
    }

    /// Cuts the file off at a length of before [bytes].
    ///
    /// # Errors
    /// A file that is shorter; the refusal of the system.
    pub fn go_back(&mut self, place: u64) -> Result<(), RecordingError> {
        if place > self.length {
            let (path, found) = (self.path.clone(), self.length);
            return Err(RecordingError::Shorter { path, place, found });
        }
        let cut = self.file.set_len(place).and_then(|()| self.file.seek(SeekFrom::Start(place)));
        cut.map_err(RecordingError::system("cut", &self.path))?;
        self.length = place;
        Ok(())
    }

    /// Its length [bytes].
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
