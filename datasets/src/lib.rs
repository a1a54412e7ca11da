//! Built-in models: each generator makes a [`sinew::model::Model`] from `key=value` parameters.
//! The list is [`BUILTINS`]; nothing here steps a model. README.md says where dimensions and
//! constants come from.
#![forbid(unsafe_code)]

pub mod airway;
pub mod beam;
pub mod blocks;
pub mod body;
pub mod bones;
pub mod bowl;
pub mod boxes;
pub mod chain;
mod course;
pub mod face;
mod fibres;
pub mod fold;
mod interpolation;
pub mod jaw;
pub mod jaw_tongue_hyoid;
pub mod knee;
pub mod larynx;
pub mod law;
pub mod obj;
pub mod params;
pub mod plate;
mod published;
pub mod random;
mod skeleton;
pub mod spelling;
pub mod sphere;
pub mod stance;
pub mod tongue;
pub mod ventricle;
pub mod walker;

pub use params::{ParamError, Params, Range};
use sinew::model::Model;

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
    const fn new(
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

/// Every built-in model.
pub const BUILTINS: &[Builtin] = &[
    beam::BUILTIN,
    chain::BUILTIN,
    boxes::BUILTIN,
    plate::BUILTIN,
    bowl::BUILTIN,
    blocks::BUILTIN,
    fold::BUILTIN,
    sphere::BUILTIN,
    tongue::BUILTIN,
    jaw_tongue_hyoid::BUILTIN,
    body::BUILTIN,
    walker::BUILTIN,
    stance::BUILTIN,
    face::BUILTIN,
    airway::BUILTIN,
    ventricle::BUILTIN,
    knee::BUILTIN,
    larynx::BUILTIN,
];

/// The built-in model of this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
