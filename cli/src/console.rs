//! Text on stdout and stderr. What names and files bring along to command the terminal is shown, not sent. A
//! reader that hangs up (`sinew models | head`) is no error; whatever else keeps stdout from taking a text is.

use std::io::{self, Write};

use sinew_model_files::visible;

use crate::exit::{Exit, Failure};

/// Stdout that does not take what is printed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to stdout: {0}")]
pub(crate) struct StdoutError(io::Error);

impl Failure for StdoutError {
    fn exit(&self) -> Exit {
        Exit::Output
    }
}

/// Writes `text` to stdout.
///
/// # Errors
/// A full disk, or whatever else refuses it.
pub(crate) fn print(text: &str) -> Result<(), StdoutError> {
    print_styled(&visible(text))
}

/// Writes `text` to stdout as it is: what stands in it was made visible where that is not its style.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_styled(text: &str) -> Result<(), StdoutError> {
    let mut out = io::stdout().lock();
    taken(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The outcome of printing, where a reader that hangs up is none.
///
/// # Errors
/// As [`print`].
pub(crate) fn taken(printed: io::Result<()>) -> Result<(), StdoutError> {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(StdoutError(error)),
        _ => Ok(()),
    }
}

/// Writes the line `text` to stderr.
pub(crate) fn complain(text: &str) {
    // Nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}
