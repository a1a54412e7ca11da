//! Properties by their hosts and names, and formulas of them.

use crate::component::ROOT;
use crate::component::path::ParsedPath;
use crate::kinds::{NamedFormula, operands_of};
use crate::model::Model;
use crate::property::{NamedProperty, PropertyError};

impl Model {
    /// The property, or part of one, at a path; who names it looks whether there is one of that name.
    pub(crate) fn named(&self, path: &str) -> Result<NamedProperty, PropertyError> {
        let parsed = ParsedPath::parse(path)?;
        let name = parsed.property.ok_or_else(|| PropertyError::NoName(path.to_owned()))?;
        Ok(NamedProperty::new(self.walk(ROOT.into(), path, &parsed)?, name))
    }
}

impl NamedFormula {
    /// The formula `text` of properties of a model, `{PATH:NAME}`.
    ///
    /// # Errors
    /// A path that leads nowhere.
    pub fn read(name: &str, text: &str, model: &Model) -> Result<Self, PropertyError> {
        let operands = operands_of(text).map(|path| model.named(path));
        Ok(Self::new(name, text, operands.collect::<Result<_, _>>()?))
    }
}
