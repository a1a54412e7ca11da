//! Errors of commands as text. They know no model, so that components can hold commands.

/// Errors of reading a line as a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditTextError {
    /// There is nothing on the line.
    #[error("there is nothing on the line: a command is expected")]
    Empty,
    /// There is no such command.
    #[error("unknown edit '{name}'; there are {known}")]
    Unknown {
        /// Its first word.
        name: String,
        /// All commands.
        known: String,
    },
    /// A command that does not take the words that follow it.
    #[error("{name} takes {expected}, not '{given}'")]
    Words {
        /// The command.
        name: String,
        /// The words that it takes.
        expected: &'static str,
        /// The words that were given.
        given: String,
    },
    /// A quote is not closed.
    #[error("a quote is not closed in '{0}'")]
    OpenQuote(String),
}
