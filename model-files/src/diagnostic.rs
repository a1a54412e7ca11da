//! Diagnostics: errors and notes on a file, with their places, collected and counted.

use crate::tree::Span;

/// More errors than this, and more warnings and notes, are counted, not kept: nobody reads them, and each costs a search
/// for the nearest name.
const MOST: usize = 100;

/// Severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is no model.
    Error,
    /// There is one, which may not be what was meant.
    Warning,
    /// For information.
    Note,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Message that says what is wrong.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// Place in the file; `None` for a file as a whole that could not be read.
    pub span: Option<Span>,
}

impl Diagnostic {
    pub(crate) fn error(span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        let (message, span) = (message.into(), span.into());
        Self { severity: Severity::Error, message, help: None, span }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// " ... 'name' ..." with the names that are spelled like it as help, or else all of a few.
    pub(crate) fn unknown<'n>(
        span: Span,
        message: String,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Self {
        let error = Self::error(span, message);
        let near = sinew::component::similar(name, known.clone());
        if let [first, rest @ ..] = &near[..] {
            let others: String = rest.iter().map(|name| format!(" or '{name}'")).collect();
            return error.help(format!("did you mean '{first}'{others}?"));
        }
        let all: Vec<&str> = known.take(MOST_NAMES + 1).collect();
        if all.is_empty() || all.len() > MOST_NAMES {
            return error;
        }
        error.help(format!("known here: {}", all.join(", ")))
    }
}

/// A list of names longer than this is not read.
const MOST_NAMES: usize = 40;

/// All findings, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Diagnostic>,
    /// Errors, those that were not kept included.
    pub(crate) error_count: usize,
    /// Warnings and notes, those that were not kept included.
    pub(crate) remark_count: usize,
    /// Stretches of text that several components are read from: what is wrong with one is told once.
    pub(crate) shared: Vec<Span>,
}

impl Findings {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_told(&diagnostic) {
            return;
        }
        let count = match diagnostic.severity {
            Severity::Error => &mut self.error_count,
            Severity::Warning | Severity::Note => &mut self.remark_count,
        };
        *count += 1;
        if *count <= MOST {
            self.list.push(diagnostic);
        }
    }

    /// An error that is worked out only if it is kept.
    pub(crate) fn error(&mut self, make: impl FnOnce() -> Diagnostic) {
        if self.is_full() {
            self.error_count += 1;
        } else {
            self.push(make());
        }
    }

    pub(crate) fn warn(&mut self, span: impl Into<Option<Span>>, message: impl Into<String>) {
        let severity = Severity::Warning;
        self.push(Diagnostic { severity, ..Diagnostic::error(span, message) });
    }

    pub(crate) fn note(&mut self, span: impl Into<Option<Span>>, message: impl Into<String>) {
        let severity = Severity::Note;
        self.push(Diagnostic { severity, ..Diagnostic::error(span, message) });
    }

    /// True if the same place of a text that is shared was told of already.
    fn is_told(&self, diagnostic: &Diagnostic) -> bool {
        let Some(at) = diagnostic.span else { return false };
        let holds = |it: &&Span| it.file == at.file && it.start <= at.start && at.end <= it.end;
        self.shared.iter().any(|it| holds(&it))
            && self.list.iter().any(|found| found.span == diagnostic.span)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.error_count >= MOST
    }

    /// The value, or `None` with the error kept.
    pub(crate) fn take<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }
}
