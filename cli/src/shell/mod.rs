//! `sinew shell`: a model loaded, run, looked at and changed by commands. Typed ones are told what is
//! wrong and go on; of a script the first that fails ends it, with its line.

mod args;
mod command;
mod complete;
mod edits;
#[cfg(test)]
mod live_tests;
mod run_commands;
mod runner;
mod script;
mod session;
mod source;
mod time_command;
mod windows;

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io::{BufRead, IsTerminal};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Config, Editor};

use sinew_model_files::visible;

use crate::compute::{Interrupt, Live};
use crate::console;
use crate::exit::{CliError, Exit, Failure};
pub(crate) use args::ShellArgs;
use command::{CommandError, Next};
use complete::Completion;
use script::Lines;
use session::{Announce, Shell};
use source::LineError;

type LineEditor = Editor<Completion, DefaultHistory>;

/// Errors that end a shell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellError {
    /// A command of a script.
    #[error("{name}, line {line}: {source}")]
    Command {
        /// The script, or stdin.
        name: String,
        /// Its line, from 1.
        line: usize,
        /// Error of the command.
        source: Box<CommandError>,
    },
    /// A script, or the terminal, that cannot be read.
    #[error("cannot read {name}: {why}")]
    Read {
        /// Name of the script.
        name: String,
        /// Reason of the system.
        why: String,
    },
}

impl Failure for ShellError {
    fn exit(&self) -> Exit {
        match self {
            Self::Command { source, .. } => source.exit(),
            Self::Read { .. } => Exit::Input,
        }
    }
}

/// Reads and does commands until there are no more.
///
/// # Errors
/// A model that cannot be loaded; the first command of a script that fails.
pub(crate) fn run(args: &ShellArgs) -> Result<Exit, CliError> {
    let live = Live::new(&args.live)?;
    let is_typed = args.script.is_none() && std::io::stdin().is_terminal();
    let interrupt = if is_typed { Interrupt::never() } else { Interrupt::listen_for_each()? };
    let mut shell = Shell::new(args.out.clone(), live, interrupt);
    if let Some(model) = &args.model {
        shell.load(model, &args.edits, true)?;
    }
    match &args.script {
        Some(path) => {
            let name = path.display().to_string();
            let file = std::fs::File::open(path).map_err(|error| read_error(&name, &error))?;
            run_script(&mut shell, &name, std::io::BufReader::new(file))?;
        }
        None if is_typed => return type_commands(shell),
        None => run_script(&mut shell, "stdin", std::io::stdin().lock())?,
    }
    shell.finish()?;
    shell.windows.wait();
    Ok(Exit::Done)
}

fn read_error(name: &str, error: &dyn std::fmt::Display) -> ShellError {
    ShellError::Read { name: name.to_owned(), why: error.to_string() }
}

/// Does the commands of a script, one a line; `#` begins a remark.
fn run_script(shell: &mut Shell, name: &str, mut lines: impl BufRead) -> Result<(), ShellError> {
    shell.is_script = true;
    match shell.run_lines(&mut lines) {
        Ok(_) => Ok(()),
        Err(LineError::Read { line, source }) => {
            Err(read_error(&format!("{name}, line {line}"), &source))
        }
        Err(LineError::Command { line, source }) => {
            Err(ShellError::Command { name: name.to_owned(), line, source })
        }
    }
}

/// Writes a line in the place of what is being typed, which comes again with the next key. (The printer of
/// rustyline would draw it at once, but leaves keys that come in a burst unread.)
fn announcer(is_typing: &Arc<AtomicBool>) -> Announce {
    let is_typing = Arc::clone(is_typing);
    Arc::new(move |line, prompt| {
        let prompt = if is_typing.load(Ordering::SeqCst) { prompt } else { "" };
        let line = visible(line);
        // The next command finds stdout as it is too, and says so.
        let _ = console::print_styled(&format!("\r\x1b[K{line}\r\n{prompt}"));
    })
}

/// An editor of lines that completes what the shell knows, with the history of a file, where there is one.
fn editor_of(
    shell: &Rc<RefCell<Shell>>,
    history: Option<&OsStr>,
) -> Result<LineEditor, ReadlineError> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = LineEditor::with_config(config)?;
    editor.set_helper(Some(Completion(Rc::clone(shell))));
    if let Some(path) = history {
        // There is none the first time.
        let _ = editor.load_history(path);
    }
    Ok(editor)
}

/// Next line that is typed; `is_typing` is set as long.
fn read_line(
    editor: &mut LineEditor,
    prompt: &str,
    is_typing: &AtomicBool,
) -> Result<String, ReadlineError> {
    is_typing.store(true, Ordering::SeqCst);
    let typed = editor.readline(prompt);
    is_typing.store(false, Ordering::SeqCst);
    typed
}

/// Does what is typed, with history and completion.
fn type_commands(shell: Shell) -> Result<Exit, CliError> {
    let failed = |error: ReadlineError| read_error("the terminal", &error);
    let shell = Rc::new(RefCell::new(shell));
    let history = std::env::var_os("SINEW_HISTORY");
    let mut editor = editor_of(&shell, history.as_deref()).map_err(failed)?;
    // The editor listens for signals too, and the last one who begins to hears them.
    let is_typing = Arc::new(AtomicBool::new(false));
    shell.borrow_mut().interrupt = Interrupt::listen_for_each()?;
    shell.borrow_mut().announce = Some(announcer(&is_typing));
    let mut statements = Lines::default();
    loop {
        let prompt = match statements.is_open() {
            true => "... ".to_owned(),
            false => shell.borrow().prompt(),
        };
        let text = match read_line(&mut editor, &prompt, &is_typing) {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => {
                let paused = shell.borrow_mut().pause();
                paused.unwrap_or_else(|error| console::complain(&format!("error: {error}")));
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error).into()),
        };
        let done = shell.borrow_mut().take_line(&mut statements, &text);
        match done {
            Ok(Next::Go) => {}
            Ok(Next::Quit) => break,
            Err(error) => console::complain(&format!("error: {error}")),
        }
    }
    if let Some(path) = &history {
        editor.save_history(path).map_err(failed)?;
    }
    shell.borrow_mut().finish()?;
    shell.borrow_mut().windows.wait();
    Ok(Exit::Done)
}
