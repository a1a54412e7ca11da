//! TOML as a tree with places. All errors of syntax are found at once.

use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Findings};
use crate::tree::{Entry, Node, Span, Table, Tree};

/// The top table of a text.
pub(crate) fn parse(text: &str, file: u32, findings: &mut Findings) -> Node {
    let (table, errors) = DeTable::parse_recoverable(text);
    let reader = Reader { file };
    for error in errors {
        let span = error.span().map(|range| reader.span(&range));
        findings.error(|| Diagnostic::error(span, format!("TOML: {}", error.message())));
    }
    let (span, value) = (reader.span(&table.span()), reader.table(table.get_ref(), findings));
    Node { span, value }
}

struct Reader {
    file: u32,
}

impl Reader {
    fn span(&self, range: &Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    fn table(&self, table: &DeTable<'_>, findings: &mut Findings) -> Tree {
        let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let key: &Spanned<std::borrow::Cow<'_, str>> = key;
            let key_span = self.span(&key.span());
            Entry { key: key.get_ref().to_string(), key_span, value: self.node(value, findings) }
        };
        let entries: Table = table.iter().map(entry).collect();
        Tree::Table(Rc::new(entries))
    }

    fn node(&self, value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Node {
        let span = self.span(&value.span());
        let tree = match value.get_ref() {
            DeValue::String(text) => Ok(Tree::Text(text.to_string())),
            DeValue::Integer(int) => {
                let digits = int.as_str().replace('_', "");
                let parsed = i64::from_str_radix(&digits, int.radix());
                parsed.map(Tree::Int).map_err(|_| format!("{digits} is too large a whole number"))
            }
            DeValue::Float(real) => real_number(real.as_str()),
            DeValue::Boolean(it) => Ok(Tree::Bool(*it)),
            DeValue::Datetime(_) => Err("a date is nothing here".to_owned()),
            DeValue::Array(list) => {
                Ok(Tree::List(list.iter().map(|item| self.node(item, findings)).collect()))
            }
            DeValue::Table(table) => Ok(self.table(table, findings)),
        };
        let value = tree.unwrap_or_else(|message| {
            findings.error(|| Diagnostic::error(span, message));
            Tree::Null
        });
        Node { span, value }
    }
}

/// A number of TOML or JSON.
///
/// # Errors
/// It is not one, or too large for one.
pub(crate) fn real_number(text: &str) -> Result<Tree, String> {
    let digits = text.replace('_', "");
    match digits.parse::<f64>() {
        Ok(x) if x.is_nan() => Err("a number is asked for, and nan is none".to_owned()),
        Ok(x) if x.is_infinite() && !digits.ends_with("inf") => {
            Err(format!("{digits} is too large a number"))
        }
        Ok(x) => Ok(Tree::Real(x)),
        Err(_) => Err(format!("'{digits}' is no number")),
    }
}
