//! Name, parameters and maker of a built-in model.

use sinew::model::Model;

use crate::{ParamError, Params};

/// One parameter of a built-in model, for help texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// The key of `key=value`.
    pub key: &'static str,
    /// Its default, as it would be written.
    pub default: &'static str,
    /// Its unit; `-` for none.
    pub unit: &'static str,
    /// Meaning of the parameter.
    pub doc: &'static str,
}

impl ParamInfo {
    /// A row of a parameter list.
    pub(crate) const fn new(
        key: &'static str,
        default: &'static str,
        unit: &'static str,
        doc: &'static str,
    ) -> Self {
        Self { key, default, unit, doc }
    }
}

/// A model that can be made by name.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [ParamInfo],
    /// Makes the model; refuses values out of range and unknown keys.
    pub build: fn(&mut Params) -> Result<Model, ParamError>,
}
