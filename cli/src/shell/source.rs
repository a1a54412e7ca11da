//! Commands one a line: those of a script, and those of a file in the place of one command (`source FILE`).

use std::io::{self, BufRead, BufReader, Read};

use sinew::formula::{PropertyFormula, PropertyFormulaError};
use sinew::property::PropertyError;
use sinew::schedule::ScheduleError;

use super::command::{Command, CommandError, MAX_DEPTH, Next, words};
use super::runner::Runner;
use super::script::{self, Lines, Statement};
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
        let mut statements = Lines::default();
        loop {
            let unread = |source| LineError::Read { line: self.line + 1, source };
            let Some(text) = next_line(lines).map_err(unread)? else { break };
            self.line += 1;
            let done = self.take_line(&mut statements, &text);
            if done.map_err(|error| failed(self, error))? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        if let Some(line) = statements.unended() {
            let source = Box::new(CommandError::Loop("this `for` has no `end`"));
            return Err(LineError::Command { line, source });
        }
        self.wait(None).map_err(|error| failed(self, error))?;
        Ok(Next::Go)
    }

    /// Takes a line, and does what it completes: a command, or a loop.
    pub(super) fn take_line(
        &mut self,
        statements: &mut Lines,
        text: &str,
    ) -> Result<Next, CommandError> {
        match statements.push(self.line, text)? {
            Some(statement) => self.run_statement(&statement),
            None => Ok(Next::Go),
        }
    }

    fn run_statement(&mut self, statement: &Statement) -> Result<Next, CommandError> {
        let it = match statement {
            Statement::Line { number, text } => {
                self.line = *number;
                return match Command::parse(&self.variables.fill(text)?)? {
                    Some(command) => self.run(command),
                    None => Ok(Next::Go),
                };
            }
            Statement::For(it) => it,
        };
        let end = self.line;
        self.line = it.number;
        self.interrupt.clear();
        for value in script::values(&self.variables.fill(&it.values)?)? {
            self.variables.set(it.name.clone(), value);
            for statement in &it.body {
                if self.interrupt.is_requested() {
                    return Err(CommandError::Interrupted(self.now()));
                }
                if self.run_statement(statement)? == Next::Quit {
                    return Ok(Next::Quit);
                }
            }
        }
        self.line = end;
        Ok(Next::Go)
    }

    /// Keeps the value of a formula, or a text, as a variable.
    pub(super) fn keep(&mut self, name: String, text: String) -> Result<(), CommandError> {
        let value = match self.value_of(&text)? {
            Some(number) => number.to_string(),
            None => words(&text).join(" "),
        };
        self.variables.set(name, value);
        Ok(())
    }

    /// Value of a formula now; `None` for a text that is none.
    fn value_of(&mut self, text: &str) -> Result<Option<f64>, CommandError> {
        if self.runner.is_none() && text.contains('{') {
            return Err(CommandError::NoModel);
        }
        let mut scheduler = self.runner.as_ref().map(Runner::lock);
        let model = scheduler.as_ref().map(|it| it.simulation().model());
        let find = |path: &str| match model {
            Some(model) => model.property(path),
            None => Err(PropertyError::NoName(path.to_owned())),
        };
        let mut formula = match PropertyFormula::parse(text, &find) {
            Ok(formula) => formula,
            Err(PropertyFormulaError::Text { .. }) if !text.contains('{') => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(scheduler) = &mut scheduler else { return Ok(Some(formula.eval(0.0, |_| 0.0))) };
        let (time, simulation) = (scheduler.time(), scheduler.simulation_mut());
        let read = |property: &_| simulation.get(property).map_err(ScheduleError::from);
        Ok(Some(formula.eval_with(time, read)?))
    }

    /// Time of the model [s]; 0 without one.
    fn now(&self) -> f64 {
        self.runner.as_ref().map_or(0.0, |runner| runner.lock().time())
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
