//! Parameters: names for values, which `${name}` in a text stands for.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Findings};
use crate::tree::{Entry, Node, Table, Tree, get};

/// Longest text that parameters may make [byte].
const LONGEST: usize = 1 << 16;

/// The parameters of a file with the values that they have: those given, or else the defaults.
pub(crate) fn values(declared: Option<&Node>, given: &[Entry], findings: &mut Findings) -> Table {
    let none = Rc::new(Table::new());
    let declared = match declared.map(|node| (node, node.table())) {
        Some((_, Some(table))) => table,
        Some((node, None)) => {
            findings.error(|| Diagnostic::error(node.span, "parameters are a table of defaults"));
            &none
        }
        None => &none,
    };
    for entry in given.iter().filter(|entry| get(declared, &entry.key).is_none()) {
        findings.error(|| {
            let message = format!("the file has no parameter '{}'", entry.key);
            let known = declared.iter().map(|entry| entry.key.as_str());
            Diagnostic::unknown(entry.key_span, message, &entry.key, known)
        });
    }
    declared.iter().map(|entry| value(entry, given, findings)).collect()
}

fn value(entry: &Entry, given: &[Entry], findings: &mut Findings) -> Entry {
    let named = !entry.key.is_empty() && entry.key.chars().all(is_name);
    if !named {
        let message = "names of parameters are letters, digits and '_'";
        findings.error(|| Diagnostic::error(entry.key_span, message));
    }
    let Some(other) = given.iter().find(|other| other.key == entry.key) else {
        return entry.clone();
    };
    let same = match (&entry.value.value, &other.value.value) {
        (Tree::Int(_) | Tree::Real(_), Tree::Int(_) | Tree::Real(_)) => true,
        (default, value) => std::mem::discriminant(default) == std::mem::discriminant(value),
    };
    if !same {
        let (default, value) = (entry.value.value.describe(), other.value.value.describe());
        let message = format!("parameter '{}' is like {default}, and not {value}", entry.key);
        findings.error(|| Diagnostic::error(other.value.span, message));
    }
    Entry { value: other.value.clone(), ..entry.clone() }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Most values that parameters may make: a list that is said ten thousand times is as much longer.
const MOST_VALUES: usize = 4 << 20;

/// The tree with every `${name}` replaced: by the value where it is all of a text, by its text within one.
/// `$${` stands for `${`.
pub(crate) fn substitute(node: &Node, values: &Table, findings: &mut Findings) -> Node {
    Substitution { values, left: MOST_VALUES }.node(node, findings)
}

/// Parameters being put in their places.
struct Substitution<'v> {
    values: &'v Table,
    /// Number of values that may still be made.
    left: usize,
}

impl Substitution<'_> {
    fn node(&mut self, node: &Node, findings: &mut Findings) -> Node {
        let value = match &node.value {
            // What is too much was told.
            Tree::Text(text) if self.left == 0 && text.contains("${") => Tree::Null,
            Tree::Text(text) if text.contains("${") => {
                let value = replaced(node, text, self.values, findings);
                self.charged(node, value, findings)
            }
            Tree::List(list) => {
                Tree::List(list.iter().map(|item| self.node(item, findings)).collect())
            }
            Tree::Table(table) => {
                let entry = |entry: &Entry| Entry {
                    value: self.node(&entry.value, findings),
                    ..entry.clone_key()
                };
                Tree::Table(Rc::new(table.iter().map(entry).collect()))
            }
            other => other.clone(),
        };
        Node { span: node.span, value }
    }

    /// A value that was made, unless they are too many.
    fn charged(&mut self, node: &Node, value: Tree, findings: &mut Findings) -> Tree {
        match self.left.checked_sub(count(&value)) {
            Some(left) => {
                self.left = left;
                value
            }
            None => {
                let message = format!("parameters make more than {MOST_VALUES} values of the file");
                findings.error(|| Diagnostic::error(node.span, message));
                self.left = 0;
                Tree::Null
            }
        }
    }
}

/// Number of values in a value; a table is shared, not copied.
fn count(value: &Tree) -> usize {
    match value {
        Tree::List(list) => 1 + list.iter().map(|item| count(&item.value)).sum::<usize>(),
        _ => 1,
    }
}

/// The parameters that a file declares, with the text of their defaults.
pub(crate) fn declared(table: &Table) -> Vec<(String, String)> {
    let declared = get(table, "parameters").and_then(Node::table);
    let pair = |entry: &Entry| (entry.key.clone(), entry.value.value.describe());
    declared.iter().flat_map(|table| table.iter()).map(pair).collect()
}

impl Entry {
    fn clone_key(&self) -> Self {
        let value = Node { span: self.value.span, value: Tree::Null };
        Self { key: self.key.clone(), key_span: self.key_span, value }
    }
}

fn refused(node: &Node, message: &str, findings: &mut Findings) -> Tree {
    findings.error(|| Diagnostic::error(node.span, message));
    Tree::Null
}

fn replaced(node: &Node, text: &str, values: &Table, findings: &mut Findings) -> Tree {
    let whole = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    if let Some(name) = whole.filter(|name| name.chars().all(is_name)) {
        return match get(values, name) {
            Some(value) => value.value.clone(),
            None => unknown(node, name, values, findings),
        };
    }
    let (mut made, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("${") {
        let (before, after) = rest.split_at(at);
        if let Some(before) = before.strip_suffix('$') {
            made.extend([before, "${"]);
            rest = &after[2..];
            continue;
        }
        made.push_str(before);
        let Some((name, behind)) = after[2..].split_once('}') else {
            return refused(node, "'${' is not closed; '$${' stands for it as text", findings);
        };
        match get(values, name).map(|value| &value.value) {
            Some(Tree::Text(text)) => made.push_str(text),
            Some(Tree::Int(x)) => made.push_str(&x.to_string()),
            Some(Tree::Real(x)) => made.push_str(&x.to_string()),
            Some(other) => {
                let message =
                    format!("parameter '{name}' is {}, no part of a text", other.describe());
                return refused(node, &message, findings);
            }
            None => return unknown(node, name, values, findings),
        }
        if made.len() > LONGEST {
            let message = format!("parameters make a text of more than {LONGEST} bytes of this");
            return refused(node, &message, findings);
        }
        rest = behind;
    }
    Tree::Text(made + rest)
}

fn unknown(node: &Node, name: &str, values: &Table, findings: &mut Findings) -> Tree {
    findings.error(|| {
        let message = format!("there is no parameter '{name}'");
        let known = values.iter().map(|entry| entry.key.as_str());
        Diagnostic::unknown(node.span, message, name, known)
    });
    Tree::Null
}
