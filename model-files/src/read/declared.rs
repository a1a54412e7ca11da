//! Properties that a file declares on a component: `declared = { age = { type = "number", unit = "year", value = 52 } }`.

use sinew::component::{ComponentId, Invalidates};
use sinew::property::{Declaration, PropertyInfo, PropertyType, Range, Setting, Value};

use super::Reader;
use super::value::value;
use crate::diagnostic::Diagnostic;
use crate::fields::{DECLARED, DECLARED_KEYS, TYPE};
use crate::tree::{Entry, Node, Table, get};
use crate::units::{Factor, Units};

impl Reader {
    /// Declares the properties that a table of a component has.
    pub(super) fn declared(&mut self, id: ComponentId, table: &Table, scope: usize) {
        let Some(node) = get(table, DECLARED) else { return };
        let Some(all) = self.table_of(node, DECLARED) else { return };
        for entry in all.iter() {
            if let Err(error) = self.declare(id, entry, scope) {
                self.faulty.insert(id);
                self.findings.push(error);
            }
        }
    }

    fn declare(&mut self, id: ComponentId, entry: &Entry, scope: usize) -> Result<(), Diagnostic> {
        let table = known_table(entry)?;
        let Some(word) = text(table, TYPE)? else {
            let message = format!("the declared property '{}' needs a 'type'", entry.key);
            return Err(Diagnostic::error(entry.key_span, message));
        };
        let refused =
            |error: &dyn std::fmt::Display| Diagnostic::error(entry.key_span, error.to_string());
        let ty = Declaration::type_of(word).map_err(|error| refused(&error))?;
        let mut declaration = Declaration::new(&entry.key, ty)
            .unit(text(table, "unit")?.unwrap_or_default())
            .doc(text(table, "doc")?.unwrap_or_default());
        let units = self.scopes[scope].units;
        let read = |key: &'static str, unit: &str| match get(table, key) {
            Some(node) => value_of(node, (key, ty), unit, units),
            None => Ok(None),
        };
        if let Some(default) = read("default", &declaration.unit)? {
            declaration = declaration.default_value(default);
        }
        let value = read("value", &declaration.unit)?;
        let property = self.draft.declare(id, declaration).map_err(|error| refused(&error))?;
        match value {
            Some(value) => {
                let set = self.draft.set(&property, &Setting::Explicit(value));
                set.map_err(|error| refused(&error))
            }
            None => Ok(()),
        }
    }
}

/// The table of a declared property, which has known keys only.
fn known_table(entry: &Entry) -> Result<&Table, Diagnostic> {
    let Some(table) = entry.value.table() else {
        let message = format!("'{}' is a table, not {}", entry.key, entry.value.value.describe());
        let help = "it has a 'type', and may have a 'unit', a 'default', a 'value' and a 'doc'";
        return Err(Diagnostic::error(entry.value.span, message).help(help));
    };
    let names = DECLARED_KEYS.map(|(key, _)| key);
    if let Some(odd) = table.iter().find(|it| !names.contains(&it.key.as_str())) {
        let message = format!("a declared property has no '{}'", odd.key);
        return Err(Diagnostic::unknown(odd.key_span, message, &odd.key, names.into_iter()));
    }
    Ok(table)
}

/// A text of a table, if it is there.
fn text<'t>(table: &'t Table, key: &str) -> Result<Option<&'t str>, Diagnostic> {
    let Some(node) = get(table, key) else { return Ok(None) };
    let message = || format!("'{key}' is a text, not {}", node.value.describe());
    node.text().map(Some).ok_or_else(|| Diagnostic::error(node.span, message()))
}

/// A value of a type, of the unit that a file has for `unit`.
fn value_of(
    node: &Node,
    (key, value_type): (&'static str, PropertyType),
    unit: &str,
    units: Units,
) -> Result<Option<Value>, Diagnostic> {
    let factors = match value_type {
        PropertyType::Pose => units.cycle("m, -", 7),
        PropertyType::Colour => vec![Factor::ONE],
        _ => vec![units.factor(unit)],
    };
    let info = PropertyInfo {
        name: key,
        value_type,
        unit: "",
        range: Range::FINITE,
        default: Value::Bool(false),
        doc: "of the type of the declared property",
        invalidates: Invalidates::NOTHING,
        read_only: false,
        inheritable: false,
        simulated: false,
        number: 0,
    };
    value(node, &info, units, &factors)
}
