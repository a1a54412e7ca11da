//! A property of one component: a path, resolved once.

use crate::component::{Address, ComponentId};
use crate::property::{Access, ModelComponent, PropertyInfo, Value};

/// Line of a property that no table has: it is found by its description, of which there is one a declaration.
pub(crate) const DECLARED_ROW: usize = usize::MAX;

/// A property of one component, or of a node, element, region or support of a tissue. It stays valid
/// while the component lives, also when the model is compiled anew.
#[derive(Clone, Copy, Debug)]
pub struct PropertyRef {
    pub(crate) host: Address,
    /// Line of the table of its kind; [`DECLARED_ROW`] of a declared property.
    pub(crate) row: usize,
    pub(crate) info: &'static PropertyInfo,
}

impl PropertyRef {
    /// The component, or the part of a tissue, that has the property.
    pub fn host(&self) -> Address {
        self.host
    }

    /// Line of the property in the table.
    pub fn info(&self) -> &'static PropertyInfo {
        self.info
    }

    /// True if a user declared it on the component.
    pub fn is_declared(&self) -> bool {
        self.row == DECLARED_ROW
    }

    /// Its host and the place of its description, which tell it from all other properties.
    pub(crate) fn key(&self) -> (Address, usize) {
        (self.host, std::ptr::from_ref(self.info).addr())
    }

    /// Addresses that it refers to in `data`, its component; none for other properties.
    pub(crate) fn referred_by<T: ModelComponent>(&self, data: &T) -> Vec<Address> {
        match T::properties().get(self.row).map(|line| &line.access) {
            Some(Access::Reference { get, .. }) => get(data),
            _ => Vec::new(),
        }
    }
}

/// A value of its own, or that of an ancestor.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// This value.
    Explicit(Value),
    /// That of the nearest ancestor that has a value of its own, or else the default.
    Inherited,
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Explicit(value) => value.fmt(f),
            Self::Inherited => f.write_str("inherited"),
        }
    }
}

/// Source of the value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The component, which always has one.
    Own,
    /// The component, which could have inherited it.
    Explicit,
    /// This ancestor.
    Inherited(ComponentId),
    /// Nobody set it.
    Default,
    /// It follows from the model, or from a state of its simulation.
    Computed,
}
