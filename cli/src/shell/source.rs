//! `source FILE`: commands of a file in the place of one command.

use std::fs::File;
use std::io::BufReader;

use super::command::{Command, CommandError, MAX_DEPTH};
use super::session::Shell;
use super::{Next, next_line};

impl Shell {
    /// Does the commands of a file, as those of a script: a run ends before the next command is done.
    ///
    /// # Errors
    /// The first command that fails, with its line; a file that cannot be read, or that reads itself.
    pub(super) fn source(&mut self, file: &str) -> Result<Next, CommandError> {
        if self.depth == MAX_DEPTH {
            return Err(CommandError::TooDeep(file.to_owned()));
        }
        let kept = (self.is_script, self.line, self.depth);
        (self.is_script, self.line) = (true, 0);
        self.depth += 1;
        let done = self.lines_of(file);
        (self.is_script, self.line, self.depth) = kept;
        done
    }

    fn lines_of(&mut self, file: &str) -> Result<Next, CommandError> {
        let unread = |why: std::io::Error| CommandError::Read {
            name: file.to_owned(),
            why: why.to_string(),
        };
        let mut lines = BufReader::new(sinew::io::open_file(file.as_ref()).map_err(unread)?);
        let sourced = |shell: &mut Self, source| CommandError::Sourced {
            name: file.to_owned(),
            line: shell.failed_line.take().unwrap_or(shell.line),
            source: Box::new(source),
        };
        while let Some(text) = next_line::<BufReader<File>>(&mut lines).map_err(unread)? {
            self.line += 1;
            let done = Command::parse(&text).and_then(|command| match command {
                Some(command) => self.run(command),
                None => Ok(Next::Go),
            });
            if done.map_err(|error| sourced(self, error))? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        self.wait(None).map_err(|error| sourced(self, error))?;
        Ok(Next::Go)
    }
}
