//! Properties that a component names: by the component or the part of a tissue that has them, so that they are found under
//! another name too.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::property::{CheckError, Components, Problem, PropertyInfo};

/// A property by its host and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedProperty {
    /// The component, or the part of a tissue, that has it.
    pub host: Address,
    /// Its name; in a formula with the part of it that is meant, `position.x`.
    pub name: String,
}

impl NamedProperty {
    /// The property `name` of `host`.
    pub fn new(host: impl Into<Address>, name: impl Into<String>) -> Self {
        Self { host: host.into(), name: name.into() }
    }

    /// Its path.
    pub fn path(&self, model: &dyn Components) -> String {
        format!("{}:{}", model.path(self.host), self.name)
    }

    /// The reference to its host, without which it is none.
    pub(crate) fn reference(&self) -> Reference {
        Reference::hard(self.host.component())
    }

    /// Leads it to the image of its host.
    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        if let Some(id) = map(self.host.component()) {
            self.host = self.host.on(id);
        }
    }

    /// Its description in a model.
    ///
    /// # Errors
    /// What is not there, at the property `at` of who names it.
    pub(crate) fn info(
        &self,
        model: &dyn Components,
        at: &str,
    ) -> Result<&'static PropertyInfo, CheckError> {
        if !model.contains(self.host.component()) {
            return Err(Problem::Missing(model.path(self.host)).at(at));
        }
        let info = model.property_info(self.host, &self.name);
        info.map_err(|error| Problem::Property(error.to_string()).at(at))
    }
}

/// Count of the numbers of properties in a row, each of a fixed count.
///
/// # Errors
/// The first one that is not there, or has no fixed count of numbers.
pub(crate) fn width_of(
    properties: &[NamedProperty],
    model: &dyn Components,
) -> Result<usize, CheckError> {
    let mut width = 0;
    for property in properties {
        let info = property.info(model, "properties")?;
        let path = || property.path(model);
        width += info.value_type.numeric_size().ok_or_else(|| {
            Problem::Property(format!("{} is no fixed count of numbers", path())).at("properties")
        })?;
    }
    Ok(width)
}

/// Paths of properties.
pub(crate) fn paths_of(properties: &[NamedProperty], model: &dyn Components) -> Vec<String> {
    properties.iter().map(|it| it.path(model)).collect()
}
