//! Properties from a list of constants: a law that is added to its room brings its properties along.

use crate::component::Invalidates;
use crate::property::{
    Access, Check, GetItem, Property, PropertyInfo, PropertyType, Range, SetItem, Value,
};

/// A part of a composite, before it belongs to a kind.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Name behind the dot.
    pub(crate) name: &'static str,
    pub(crate) value_type: PropertyType,
    /// Unit; "-" for a pure number, "" for what has none.
    pub(crate) unit: &'static str,
    pub(crate) range: Range,
    pub(crate) default: Value,
    pub(crate) doc: &'static str,
}

/// Functions that read, write and check the parts of a composite.
pub(crate) struct ItemAccess<T: 'static> {
    pub(crate) get: GetItem<T>,
    /// `None`: they can only be read.
    pub(crate) set: Option<SetItem<T>>,
    pub(crate) check: Option<Check<T>>,
}

/// A line of a table for each of `items`: `prefix.name`. Of items of one name (constants that several
/// laws have) the first one stands for all; where their ranges differ, the check has to tell.
pub(crate) fn composite<T>(
    prefix: &str,
    invalidates: Invalidates,
    items: impl IntoIterator<Item = Item>,
    access: &ItemAccess<T>,
) -> Vec<Property<T>> {
    distinct(items).into_iter().map(|item| property(prefix, invalidates, item, access)).collect()
}

/// One item a name.
pub(crate) fn distinct(items: impl IntoIterator<Item = Item>) -> Vec<Item> {
    let mut distinct: Vec<Item> = Vec::new();
    for item in items {
        // `force` of one law may be a force, of another a factor: its own description tells.
        if let Some(known) = distinct.iter_mut().find(|known| known.name == item.name)
            && known.unit != item.unit
        {
            known.unit = "by law";
        }
        match distinct.iter_mut().find(|known| known.name == item.name) {
            Some(known) if known.range != item.range => known.range = Range::FINITE,
            Some(_) => {}
            None => distinct.push(item),
        }
    }
    distinct
}

fn property<T>(
    prefix: &str,
    invalidates: Invalidates,
    item: Item,
    access: &ItemAccess<T>,
) -> Property<T> {
    Property {
        access: Access::Item { item: item.name, get: access.get, set: access.set },
        info: info(prefix, invalidates, item, access.set.is_none()),
        check: access.check,
    }
}

/// Description of the property `prefix.name`. Its name is kept for good: a table is made once.
pub(crate) fn info(
    prefix: &str,
    invalidates: Invalidates,
    item: Item,
    read_only: bool,
) -> PropertyInfo {
    PropertyInfo {
        name: Box::leak(format!("{prefix}.{}", item.name).into_boxed_str()),
        value_type: item.value_type,
        unit: item.unit,
        range: item.range,
        default: item.default,
        doc: item.doc,
        invalidates: if read_only { Invalidates::NOTHING } else { invalidates },
        read_only,
        inheritable: false,
        simulated: false,
        number: 0,
    }
}
