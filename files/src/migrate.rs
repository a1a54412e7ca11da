//! Versions of the file format, and what older ones become.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Findings};
use crate::tree::{Node, Tree, get};

/// The version that is written, and read without a change.
pub const VERSION: i64 = 1;

/// The top table of a file as one of the current version; `None` where there is no way.
pub(crate) fn current(top: Node, findings: &mut Findings) -> Option<Node> {
    let table = top.table()?.clone();
    let Some(node) = get(&table, "version") else {
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
