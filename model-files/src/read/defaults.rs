//! Defaults of a file: `[defaults.axial_spring]` has the values of all axial springs of the file
//! that do not give their own.

use std::rc::Rc;

use sinew::component::Kind;

use super::Reader;
use super::component::own_keys;
use super::group::COMPONENT_KEYS;
use crate::diagnostic::Diagnostic;
use crate::fields::{DECLARED, Group, TYPE, key_of};
use crate::tree::{Entry, Node, Span, Table, Tree, get};

impl Reader {
    /// The defaults of a file by the keys of the kinds; what is not known is told once, here.
    pub(super) fn defaults(&mut self, top: &Table) -> Rc<Table> {
        let Some(node) = get(top, "defaults") else { return Rc::default() };
        let Some(table) = self.table_of(node, "defaults") else { return Rc::default() };
        add_spans(&table, &mut self.findings.shared);
        let kinds: Vec<(Kind, String)> =
            Group::List.kinds().map(|kind| (kind, key_of(kind))).collect();
        let mut known = Table::new();
        for entry in table.iter() {
            let Some((kind, _)) = kinds.iter().find(|(_, key)| *key == entry.key) else {
                self.findings.error(|| {
                    let message = format!("there is no kind of component '{}'", entry.key);
                    let names = kinds.iter().map(|(_, key)| key.as_str());
                    Diagnostic::unknown(entry.key_span, message, &entry.key, names)
                });
                continue;
            };
            let Some(own) = self.table_of(&entry.value, &entry.key) else { continue };
            let own = self.spelled(&own, *kind);
            let own = Tree::Table(Rc::new(self.known_defaults(*kind, &own)));
            let value = Node { span: entry.value.span, value: own };
            known.push(Entry { value, ..entry.clone() });
        }
        Rc::new(known)
    }

    /// The defaults that a kind has a key for.
    fn known_defaults(&mut self, kind: Kind, table: &Table) -> Table {
        let fields = self.fields_of(kind);
        let names: Vec<&str> = fields
            .iter()
            .map(|field| field.key)
            .chain(own_keys(kind).iter().copied())
            .filter(|key| !COMPONENT_KEYS.contains(key))
            .chain([DECLARED])
            .collect();
        let (known, unknown): (Table, Table) =
            table.iter().cloned().partition(|entry| names.contains(&entry.key.as_str()));
        for entry in unknown {
            self.findings.error(|| {
                let message = format!("there is no default '{}' of a {}", entry.key, kind.name());
                Diagnostic::unknown(entry.key_span, message, &entry.key, names.iter().copied())
            });
        }
        known
    }

    /// The table of a component with the defaults of its kind.
    pub(super) fn with_defaults(&self, own: &Rc<Table>, key: &str, scope: usize) -> Rc<Table> {
        match get(&self.scopes[scope].defaults, key).and_then(Node::table) {
            Some(defaults) => Rc::new(merged(defaults, own)),
            None => own.clone(),
        }
    }
}

/// Adds the places of all keys and values below a table; its own may be that of its heading alone.
fn add_spans(table: &Table, spans: &mut Vec<Span>) {
    for entry in table {
        spans.extend([entry.key_span, entry.value.span]);
        if let Some(inner) = entry.value.table() {
            add_spans(inner, spans);
        }
    }
}

/// Both tables in one; what is in the second wins. Tables in them are merged too, but for those of laws of
/// different types.
fn merged(defaults: &Table, own: &Table) -> Table {
    let mut all = own.clone();
    for default in defaults {
        let Some(entry) = all.iter_mut().find(|entry| entry.key == default.key) else {
            all.push(default.clone());
            continue;
        };
        let (Some(inner), Some(given)) = (default.value.table(), entry.value.table()) else {
            continue;
        };
        if is_same_type(inner, given) {
            entry.value.value = Tree::Table(Rc::new(merged(inner, given)));
        }
    }
    all
}

/// True if two tables can be of one law: the second names no type, or that of the first.
fn is_same_type(default: &Table, own: &Table) -> bool {
    let text = |table: &Table| get(table, TYPE).and_then(Node::text).map(str::to_owned);
    text(own).is_none_or(|own| text(default) == Some(own))
}
