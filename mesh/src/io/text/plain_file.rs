//! Opening of files for reading. Pipes, devices and folders are refused before they are opened: reading
//! them may wait for ever, or never end.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a regular file for reading; links are followed.
///
/// # Errors
/// The refusal of the system; [`io::ErrorKind::InvalidInput`] for a pipe, a device, a socket or a folder.
pub fn open_file(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() {
        return File::open(path);
    }
    let what = if kind.is_dir() { "a folder" } else { "a pipe, a device or a socket" };
    let message = format!("it is {what}, and a file is expected: save the data in a file");
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// As [`open_file`]; [`io::ErrorKind::FileTooLarge`] for a larger one.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    let too_large = || {
        let message = format!("it has more than {most} bytes, the most that is read here");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    let mut bytes = Vec::new();
    let room = usize::try_from(length).ok().filter(|_| length <= most).ok_or_else(too_large)?;
    bytes.try_reserve_exact(room.saturating_add(1))?;
    // The file may grow meanwhile.
    io::Read::read_to_end(&mut io::Read::take(file, most.saturating_add(1)), &mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_a_device_are_refused_by_what_they_are() {
        let folder = open_file(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err().to_string();
        assert!(folder.contains("a folder"), "{folder}");
        #[cfg(unix)]
        for path in ["/dev/zero", "/dev/null"] {
            let error = read_file(Path::new(path), 10).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}: {error}");
        }
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let this = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = fs::metadata(&this).unwrap().len();
        assert_eq!(read_file(&this, length).unwrap().len() as u64, length);
        let error = read_file(&this, length - 1).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{error}");
    }
}
