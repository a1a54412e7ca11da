//! Report on a file, with the lines that it is about.

use std::fmt::Write;
use std::path::Path;

use ariadne::{CharSet, Config, IndexType, Label, ReportKind};

use crate::diagnostic::{Diagnostic, Findings, Severity};
use crate::source::Source;
use crate::tree::Span;
use crate::visible::{masked, visible};

/// A line longer than this is that of a machine: it is not shown.
const LONGEST_LINE: usize = 400;

/// Findings, and the files that they are about.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(crate) findings: Findings,
    pub(crate) sources: Vec<Source>,
}

impl Report {
    /// Number of errors; with one there is no model.
    pub fn error_count(&self) -> usize {
        self.findings.error_count
    }

    /// The first hundred errors, and the first hundred warnings and notes.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.findings.list
    }

    /// File, line and column of a finding, the latter two from 1.
    pub fn place(&self, diagnostic: &Diagnostic) -> Option<(&Path, usize, usize)> {
        let span = diagnostic.span?;
        let source = self.sources.get(span.file as usize)?;
        let (line, column) = source.line_column(span.start);
        Some((&source.path, line, column))
    }

    /// Fit for a terminal: one line, `elbow.toml:3:5: error: ...`, and a second one with what to do.
    pub fn line(&self, diagnostic: &Diagnostic) -> String {
        let place = self.place(diagnostic).map_or_else(String::new, |(path, line, column)| {
            format!("{}:{line}:{column}: ", path.display())
        });
        let word = word(diagnostic.severity);
        let mut text = format!("{place}{word}: {}\n", diagnostic.message);
        if let Some(help) = &diagnostic.help {
            text += &format!("  help: {help}\n");
        }
        visible(&text).into_owned()
    }

    /// All findings with the lines of the files, for people at a terminal.
    pub fn render(&self, colour: bool) -> String {
        let mut text = String::new();
        for diagnostic in self.diagnostics() {
            text += &self.excerpt(diagnostic, colour).unwrap_or_else(|| self.line(diagnostic));
        }
        let kept = self.diagnostics().iter().filter(|d| d.severity == Severity::Error).count();
        let remarks = self.diagnostics().len() - kept;
        let (errors, remarks) = (self.error_count() - kept, self.findings.remark_count - remarks);
        for (count, what) in [(remarks, "warnings and notes"), (errors, "errors")] {
            if count > 0 {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "and {count} more {what}");
            }
        }
        text
    }

    /// `None` where there is no text to show, or it is too long.
    fn excerpt(&self, diagnostic: &Diagnostic, colour: bool) -> Option<String> {
        let span = diagnostic.span?;
        let source = self.sources.get(span.file as usize)?;
        let (start, end) = first_line(&source.text, span)?;
        let kind = match diagnostic.severity {
            Severity::Error => ReportKind::Error,
            Severity::Warning => ReportKind::Warning,
            Severity::Note => ReportKind::Advice,
        };
        let path = visible(&source.path.display().to_string()).into_owned();
        let config = Config::default()
            .with_index_type(IndexType::Byte)
            .with_color(colour)
            .with_char_set(CharSet::Ascii)
            .with_compact(true);
        let place = (path.clone(), start..end);
        let mut report = ariadne::Report::build(kind, place.clone())
            .with_config(config)
            .with_message(visible(&diagnostic.message))
            .with_label(Label::new(place).with_message("here"));
        if let Some(help) = &diagnostic.help {
            report = report.with_help(visible(help));
        }
        let mut bytes = Vec::new();
        let cache = (path, ariadne::Source::from(masked(&source.text)));
        report.finish().write(cache, &mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// The part of a span on its first line, not empty; `None` where that line is very long.
fn first_line(text: &str, span: Span) -> Option<(usize, usize)> {
    let start = text.floor_char_boundary(span.start as usize);
    let bytes = text.as_bytes();
    let line_start = bytes[..start].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let rest = bytes[start..].iter().position(|&b| b == b'\n' || b == b'\r');
    let line_end = rest.map_or(text.len(), |at| start + at);
    if line_end - line_start > LONGEST_LINE {
        return None;
    }
    let end = (span.end as usize).clamp(start, line_end.max(start));
    // A place without a length is shown by its character.
    Some((start, text.ceil_char_boundary(end.max(start + 1))))
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
