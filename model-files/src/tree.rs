//! Tree of a file's values with their places in the text, before they are interpreted.

use std::rc::Rc;

/// Most tables and lists around a value. Models need a dozen; what goes through a tree calls itself for each.
pub(crate) const DEEPEST: usize = 100;

/// A stretch of the text of one of the files that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Number of the file.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Tree,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Node>),
    Table(Rc<Table>),
}

/// Keys and values in the order of the file; no key is there twice.
pub(crate) type Table = Vec<Entry>;

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Node,
}

impl Tree {
    /// Description of it, in messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(it) => format!("{it}"),
            Self::Int(it) => format!("{it}"),
            Self::Real(it) => format!("{it:?}"),
            Self::Text(text) => {
                let short: String = text.chars().take(40).collect();
                let dots = if short.len() < text.len() { ".." } else { "" };
                format!("'{short}{dots}'")
            }
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Table(_) => "a table".into(),
        }
    }
}

impl Node {
    /// Its entries, if it is a table.
    pub(crate) fn table(&self) -> Option<&Rc<Table>> {
        match &self.value {
            Tree::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Tree::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its number, if it is one; files without a sign for infinity write it as text.
    pub(crate) fn number(&self) -> Option<f64> {
        match &self.value {
            Tree::Int(x) => Some(*x as f64),
            Tree::Real(x) => Some(*x),
            Tree::Text(text) => match text.as_str() {
                "inf" => Some(f64::INFINITY),
                "-inf" => Some(f64::NEG_INFINITY),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The value of a key.
pub(crate) fn get<'t>(table: &'t Table, key: &str) -> Option<&'t Node> {
    table.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
}
