//! Targets of the paths in a value that is set.

use crate::component::Address;
use crate::kinds::operand_paths;
use crate::model::Model;
use crate::property::{LinkedText, NamedProperty, PropertyError, PropertyType, ReadLinked, Value};

/// Targets of a value.
#[derive(Default)]
pub(super) struct Targets {
    /// Those of a reference.
    pub(super) addresses: Vec<Address>,
    /// Properties that it names, in its order.
    pub(super) named: Vec<NamedProperty>,
    /// The text, with what it names.
    pub(super) linked: Option<LinkedText>,
}

/// Sort of the paths in a value.
#[derive(Clone, Copy)]
pub(super) enum Lookup {
    /// Those of components and parts, where it has any.
    Addresses,
    /// Those of properties.
    Named,
    /// Those in a text that is read so, where they lead somewhere.
    Linked(ReadLinked),
}

impl Model {
    /// Targets of a value of a type: components of the paths of a reference, properties that it names.
    pub(super) fn targets(
        &self,
        lookup: Lookup,
        ty: PropertyType,
        value: &Value,
    ) -> Result<Targets, PropertyError> {
        let mut targets = Targets::default();
        match (lookup, value) {
            (Lookup::Linked(read), Value::Text(text)) => {
                targets.linked = Some(read(text, &|path| self.find(path).ok()));
            }
            (Lookup::Named, Value::Paths(paths)) => {
                let named = paths.iter().map(|path| self.named(path));
                targets.named = named.collect::<Result<_, _>>()?;
            }
            (Lookup::Named, Value::Text(text)) => {
                let named = operand_paths(text).into_iter().map(|path| self.named(path));
                targets.named = named.collect::<Result<_, _>>()?;
            }
            (Lookup::Addresses, Value::Path(path) | Value::Text(path))
                if ty == PropertyType::Path =>
            {
                if !path.trim().is_empty() {
                    targets.addresses = vec![self.find(path.trim())?];
                }
            }
            (Lookup::Addresses, Value::Paths(paths)) if ty == PropertyType::Paths => {
                let found = paths.iter().map(|path| self.find(path));
                targets.addresses = found.collect::<Result<_, _>>()?;
            }
            (Lookup::Linked(_) | Lookup::Named | Lookup::Addresses, _) => {}
        }
        Ok(targets)
    }
}
