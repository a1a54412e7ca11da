//! Commands one a line: those of a script, and those of a file in the place of one command (`source FILE`).

use std::io::{self, BufRead, BufReader, Read};

use super::command::{Command, CommandError, MAX_DEPTH, Next};
use super::session::Shell;

/// Longest line of a script [byte].
const LONGEST_LINE: u64 = 1 << 20;

/// Errors of lines.
pub(super) enum LineError {
    /// A line that cannot be read.
    Read {
        /// Its number, from 1.
        line: usize,
        /// Error of the system.
        source: io::Error,
    },
    /// A command that failed.
    Command {
        /// Its line; that of its `run` for a run that failed.
        line: usize,
        /// Error of the command.
        source: Box<CommandError>,
    },
}

impl Shell {
    /// Does commands, one a line, up to `quit` or the first that fails, and waits for the run at the end; `#` begins a
    /// remark.
    pub(super) fn run_lines(&mut self, lines: &mut impl BufRead) -> Result<Next, LineError> {
        let failed = |shell: &mut Self, source| LineError::Command {
            line: shell.failed_line.take().unwrap_or(shell.line),
            source: Box::new(source),
        };
        loop {
            let unread = |source| LineError::Read { line: self.line + 1, source };
            let Some(text) = next_line(lines).map_err(unread)? else { break };
            self.line += 1;
            let done = Command::parse(&text).and_then(|command| match command {
                Some(command) => self.run(command),
                None => Ok(Next::Go),
            });
            if done.map_err(|error| failed(self, error))? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        self.wait(None).map_err(|error| failed(self, error))?;
        Ok(Next::Go)
    }

    /// Does the commands of a file, as those of a script: a run ends before the next command is done.
    ///
    /// # Errors
    /// The first command that fails, with its line; a file that cannot be read, or that reads itself.
    pub(super) fn source(&mut self, file: &str) -> Result<Next, CommandError> {
        if self.depth == MAX_DEPTH {
            return Err(CommandError::TooDeep(file.to_owned()));
        }
        let read =
            |why: io::Error| CommandError::Read { name: file.to_owned(), why: why.to_string() };
        let mut lines = BufReader::new(sinew::io::open_file(file.as_ref()).map_err(read)?);
        let kept = (self.is_script, self.line, self.depth);
        (self.is_script, self.line) = (true, 0);
        self.depth += 1;
        let done = self.run_lines(&mut lines);
        (self.is_script, self.line, self.depth) = kept;
        done.map_err(|error| match error {
            LineError::Read { source, .. } => read(source),
            LineError::Command { line, source } => {
                CommandError::Sourced { name: file.to_owned(), line, source }
            }
        })
    }
}

/// The next line of a script; `None` after the last.
///
/// # Errors
/// What is no text, or has no end of a line for long; the refusal of the system.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE {
        return Err(io::Error::other(format!("it is longer than {LONGEST_LINE} bytes")));
    }
    let text = String::from_utf8(line).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        io::Error::other(format!("byte {at} is not UTF-8: save the script as UTF-8 text"))
    })?;
    Ok(Some(text))
}
