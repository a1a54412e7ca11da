//! Text on stdout and stderr. A reader that hangs up (`sinew models | head`) is no error here.

use std::io::Write;

/// Writes `text` to stdout.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody is left to be told when stdout is closed.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes the line `text` to stderr.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
