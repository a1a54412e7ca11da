//! Keys by the names of properties, where a file has other names of the same quantities: `E` for `youngs_modulus`.

use std::rc::Rc;

use sinew::component::{Kind, meant};

use super::Reader;
use super::component::own_keys;
use crate::diagnostic::{Diagnostic, Findings};
use crate::fields::{self, Field, TYPE};
use crate::tree::{Entry, Node, Table, Tree};

/// Words for [`TYPE`].
const TYPE_WORDS: [&str; 2] = ["law", "kind"];

impl Reader {
    /// Keys of a kind of component that are properties.
    pub(super) fn fields_of(&mut self, kind: Kind) -> Rc<Vec<Field>> {
        let make = || Rc::new(fields::of_kind(kind));
        self.fields.entry(kind.name().to_owned()).or_insert_with(make).clone()
    }

    /// The table of a component of a kind with its keys as properties are called; a key that is there by two names is refused.
    pub(super) fn spelled(&mut self, table: &Rc<Table>, kind: Kind) -> Rc<Table> {
        let known = Known { fields: &self.fields_of(kind), more: own_keys(kind), has_type: false };
        known.spelled(table, &mut self.findings)
    }

    /// The same for a part of a component.
    pub(super) fn spelled_by(&mut self, table: &Rc<Table>, fields: &[Field]) -> Rc<Table> {
        Known { fields, more: &[], has_type: false }.spelled(table, &mut self.findings)
    }
}

/// Keys that a table may have.
#[derive(Clone, Copy)]
struct Known<'f> {
    fields: &'f [Field],
    more: &'f [&'f str],
    /// True if the table names a law or kind.
    has_type: bool,
}

impl<'f> Known<'f> {
    /// The key that is meant by `key`, if another one is.
    fn other(&self, key: &str) -> Option<&'f str> {
        let names = self.fields.iter().map(|field| field.key).chain(self.more.iter().copied());
        match meant(key, names) {
            Some(name) => (name != key).then_some(name),
            None => (self.has_type && TYPE_WORDS.contains(&key)).then_some(TYPE),
        }
    }

    /// Keys of the table of a key.
    fn inside(&self, key: &str) -> Option<Known<'f>> {
        let field = self.fields.iter().find(|field| field.key == key)?;
        let has_type = field.info.is_some();
        let inside = Known { fields: &field.children, more: &[], has_type };
        (!field.children.is_empty()).then_some(inside)
    }

    fn spelled(self, table: &Rc<Table>, findings: &mut Findings) -> Rc<Table> {
        let mut changed: Option<Table> = None;
        for (k, entry) in table.iter().enumerate() {
            if let Some(name) = self.other(&entry.key) {
                let before = &table[..k];
                let twice = table.iter().any(|it| it.key == name)
                    || before.iter().any(|it| self.other(&it.key) == Some(name));
                if twice {
                    let message = format!("'{}' is '{name}', which is there too", entry.key);
                    let error = Diagnostic::error(entry.key_span, message);
                    findings.error(|| error.help("keep one of them"));
                }
                let all = changed.get_or_insert_with(|| table.to_vec());
                all[k] = Entry { key: name.to_owned(), ..entry.clone() };
            } else if let (Some(inside), Some(inner)) =
                (self.inside(&entry.key), entry.value.table())
            {
                let spelled = inside.spelled(inner, findings);
                if !Rc::ptr_eq(&spelled, inner) {
                    let value = Node { value: Tree::Table(spelled), ..entry.value.clone() };
                    changed.get_or_insert_with(|| table.to_vec())[k] =
                        Entry { value, ..entry.clone() };
                }
            }
        }
        changed.map_or_else(|| table.clone(), Rc::new)
    }
}
