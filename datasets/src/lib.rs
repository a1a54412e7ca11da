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
mod builtin;
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
pub mod liver;
pub mod obj;
pub mod params;
pub mod plate;
mod published;
pub mod random;
mod skeleton;
pub mod sphere;
pub mod stance;
pub mod tongue;
pub mod ventricle;
pub mod walker;

pub use builtin::{Builtin, ParamInfo};
pub use params::{ParamError, Params, Range};

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
    liver::BUILTIN,
];

/// The built-in model of this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
