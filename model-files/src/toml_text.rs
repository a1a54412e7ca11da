//! TOML as a tree with places. All errors of syntax are found at once.

use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Findings};
use crate::toml_depth;
use crate::tree::{DEEPEST, Entry, Node, Span, Table, Tree};

/// The top table of a text.
pub(crate) fn parse(text: &str, file: u32, findings: &mut Findings) -> Node {
    if let Some(at) = toml_depth::too_deep(text) {
        let span = Span { file, start: at as u32, end: at as u32 + 1 };
        findings.error(|| too_deep(span));
        return Node { span, value: Tree::Table(Rc::default()) };
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader { file, depth: 0 };
    for error in errors {
        let span = error.span().map(|range| reader.span(&range));
        findings.error(|| Diagnostic::error(span, format!("TOML: {}", error.message())));
    }
    let (span, value) = (reader.span(&table.span()), reader.table(table.get_ref(), findings));
    Node { span, value }
}

struct Reader {
    file: u32,
    /// Tables and lists around what is read.
    depth: usize,
}

impl Reader {
    fn span(&self, range: &Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    fn table(&mut self, table: &DeTable<'_>, findings: &mut Findings) -> Tree {
        let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let key: &Spanned<std::borrow::Cow<'_, str>> = key;
            let key_span = self.span(&key.span());
            Entry { key: key.get_ref().to_string(), key_span, value: self.node(value, findings) }
        };
        let entries: Table = table.iter().map(entry).collect();
        Tree::Table(Rc::new(entries))
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Node {
        let span = self.span(&value.span());
        if self.depth == DEEPEST {
            findings.error(|| too_deep(span));
            return Node { span, value: Tree::Null };
        }
        self.depth += 1;
        let tree = match value.get_ref() {
            DeValue::String(text) => Ok(Tree::Text(text.to_string())),
            DeValue::Integer(int) => {
                let digits = int.as_str().replace('_', "");
                let parsed = i64::from_str_radix(&digits, int.radix());
                parsed.map(Tree::Int).map_err(|_| ValueError::LargeInteger(digits))
            }
            DeValue::Float(real) => real_number(real.as_str()),
            DeValue::Boolean(it) => Ok(Tree::Bool(*it)),
            DeValue::Datetime(_) => Err(ValueError::Date),
            DeValue::Array(list) => {
                let items: Vec<Node> = list.iter().map(|item| self.node(item, findings)).collect();
                // A list without one of its values is another fault, which follows from the one that was told.
                let is_whole = items.iter().all(|item| !matches!(item.value, Tree::Null));
                Ok(if is_whole { Tree::List(items) } else { Tree::Null })
            }
            DeValue::Table(table) => Ok(self.table(table, findings)),
        };
        self.depth -= 1;
        let value = tree.unwrap_or_else(|error| {
            findings.error(|| Diagnostic::error(span, error.to_string()));
            Tree::Null
        });
        Node { span, value }
    }
}

/// A value within too many others.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("this stands in more than {DEEPEST} tables and lists");
    Diagnostic::error(span, message).help("no model needs so many: is a name with dots meant?")
}

/// Errors of a value of TOML or JSON.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ValueError {
    #[error("a number is asked for, and nan is none")]
    Nan,
    #[error("{0} is too large a number")]
    LargeNumber(String),
    #[error("{0} is too large a whole number")]
    LargeInteger(String),
    #[error("'{0}' is no number")]
    NoNumber(String),
    #[error("a date is nothing here")]
    Date,
}

/// A number of TOML or JSON.
///
/// # Errors
/// It is not one, or too large for one.
pub(crate) fn real_number(text: &str) -> Result<Tree, ValueError> {
    let digits = text.replace('_', "");
    match digits.parse::<f64>() {
        Ok(x) if x.is_nan() => Err(ValueError::Nan),
        Ok(x) if x.is_infinite() && !digits.ends_with("inf") => {
            Err(ValueError::LargeNumber(digits))
        }
        Ok(x) => Ok(Tree::Real(x)),
        Err(_) => Err(ValueError::NoNumber(digits)),
    }
}
