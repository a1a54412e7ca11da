//! Versions of the file format, and the conversion of older ones.
//!
//! Version 0 is the document that a model is for serde, written as JSON: a list of components with their
//! parents by number. It has no `version`, and begins with `{"components"`.

use std::rc::Rc;

use sinew::model::Model;

use crate::diagnostic::{Diagnostic, Findings};
use crate::tree::{Node, Span, Tree, get};

/// The version that is written, and read without a change.
pub const VERSION: i64 = 1;

/// The top table of a file as one of the current version; `None` where there is no way.
pub(crate) fn current(top: Node, findings: &mut Findings) -> Option<Node> {
    let table = top.table()?.clone();
    let Some(node) = get(&table, "version") else {
        // Of a file that could not be read there is nothing.
        if table.is_empty() && findings.error_count > 0 {
            return None;
        }
        findings.error(|| {
            let message = "the file does not say its version";
            Diagnostic::error(top.span, message).help(format!("begin with 'version = {VERSION}'"))
        });
        return Some(top);
    };
    match node.value {
        Tree::Int(VERSION) => Some(top),
        Tree::Int(newer) if newer > VERSION => {
            findings.error(|| {
                let message =
                    format!("the file has version {newer}, and this program reads {VERSION}");
                Diagnostic::error(node.span, message).help("take a newer sinew")
            });
            None
        }
        Tree::Null => Some(Node { span: top.span, value: Tree::Table(Rc::new(table.to_vec())) }),
        _ => {
            findings.error(|| {
                let message = format!("there is no version {}", node.value.describe());
                Diagnostic::error(node.span, message).help(format!("'version = {VERSION}'"))
            });
            None
        }
    }
}

/// The model in a file of version 0; `None` for a file of another one.
///
/// # Errors
/// What is wrong with it, where.
pub(crate) fn version_0(text: &str, file: u32) -> Option<Result<Model, Diagnostic>> {
    let begin: String = text.chars().filter(|c| !c.is_whitespace()).take(START.len()).collect();
    if begin != START {
        return None;
    }
    let model = serde_json::from_str(text).map_err(|error| {
        let at = byte_of(text, error.line(), error.column());
        let span = Span { file, start: at, end: at + 1 };
        Diagnostic::error(span, format!("a document of version 0: {error}"))
    });
    Some(model)
}

/// First characters of files of version 0.
const START: &str = "{\"components\"";

/// The byte at a line and a column, both from 1.
fn byte_of(text: &str, line: usize, column: usize) -> u32 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)) as u32
}
