//! JSON as a tree with places: strict JSON, without comments.

use std::collections::HashSet;
use std::rc::Rc;

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::diagnostic::{Diagnostic, Findings};
use crate::toml_text::{real_number, too_deep};
use crate::tree::{DEEPEST, Entry, Node, Span, Tree};

/// The value that a text is.
pub(crate) fn parse(text: &str, file: u32, findings: &mut Findings) -> Node {
    let whole = Span { file, start: 0, end: text.len().min(1) as u32 };
    let nothing = Node { span: whole, value: Tree::Null };
    match parse_to_ast(text, &CollectOptions::default(), &strict()) {
        Err(error) => {
            let range = error.range();
            let span = Span { file, start: range.start as u32, end: range.end as u32 };
            let kind = error.kind().to_string();
            findings.error(|| Diagnostic::error(span, format!("JSON: {kind}")));
            nothing
        }
        Ok(parsed) => match parsed.value {
            Some(value) => Reader { file, depth: 0 }.node(&value, findings),
            None => {
                findings.error(|| Diagnostic::error(whole, "the file is empty"));
                nothing
            }
        },
    }
}

/// JSON as its standard has it.
fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

struct Reader {
    file: u32,
    /// Objects and lists around what is read.
    depth: usize,
}

impl Reader {
    fn span(&self, of: &impl Ranged) -> Span {
        let range = of.range();
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    fn node(&mut self, value: &Value<'_>, findings: &mut Findings) -> Node {
        let span = self.span(value);
        if self.depth == DEEPEST {
            findings.error(|| too_deep(span));
            return Node { span, value: Tree::Null };
        }
        self.depth += 1;
        let value = match value {
            Value::StringLit(text) => Tree::Text(text.value.to_string()),
            Value::BooleanLit(it) => Tree::Bool(it.value),
            Value::NullKeyword(_) => Tree::Null,
            Value::NumberLit(number) => match number.value.parse::<i64>() {
                // Minus zero is a number of its own.
                Ok(x) if number.value != "-0" => Tree::Int(x),
                _ => real_number(number.value).unwrap_or_else(|error| {
                    findings.error(|| Diagnostic::error(span, error.to_string()));
                    Tree::Null
                }),
            },
            Value::Array(list) => {
                Tree::List(list.elements.iter().map(|item| self.node(item, findings)).collect())
            }
            Value::Object(object) => self.table(&object.properties, findings),
        };
        self.depth -= 1;
        Node { span, value }
    }

    fn table(&mut self, properties: &[ObjectProp<'_>], findings: &mut Findings) -> Tree {
        let (mut seen, mut entries) = (HashSet::new(), Vec::with_capacity(properties.len()));
        for property in properties {
            let (key, key_span) = (property.name.as_str(), self.span(&property.name));
            if !seen.insert(key) {
                findings.error(|| Diagnostic::error(key_span, format!("'{key}' is there twice")));
                continue;
            }
            let value = self.node(&property.value, findings);
            entries.push(Entry { key: key.to_owned(), key_span, value });
        }
        Tree::Table(Rc::new(entries))
    }
}
