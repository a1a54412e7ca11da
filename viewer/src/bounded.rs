//! Small text files, read no further than they can be: a file that grows without end is refused.

use std::io::{self, Read};
use std::path::Path;

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// What the system refuses, a file that is longer, or that is no UTF-8 text. Anything but a file, such as a
/// device or a pipe, which may never end.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    let read = file.take(most + 1).read_to_string(&mut text)? as u64;
    if read > most {
        let why = format!("it is longer than {most} bytes, which no such file is");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}
