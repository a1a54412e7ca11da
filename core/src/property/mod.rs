//! Properties: everything of a component that can be read or set by name, from one table a kind.
//! The tables stand beside the components, in `model/`; here is what all have in common.

mod access;
mod error;
mod inherit;
mod markdown;
mod parts;
mod render;
mod simulated;
mod table;
mod text;
mod value;

pub use access::{PropertyRef, Setting};
pub use error::PropertyError;
pub use markdown::markdown;
pub use render::{FaceStyle, LineStyle, PointStyle, RenderProps, Shading};
pub use simulated::Simulated;
pub(crate) use table::{Access, properties};
pub use table::{Property, PropertyInfo, Range};
pub(crate) use value::choices;
pub use value::{Pose, PropertyType, PropertyValue, Value};

use crate::component::Invalidates;

/// The name of a component, which every kind has.
pub(crate) static NAME: PropertyInfo = PropertyInfo {
    name: "name",
    value_type: PropertyType::Text,
    unit: "",
    range: Range::FINITE,
    default: || Value::Text(String::new()),
    doc: "Name in paths; empty for none",
    invalidates: Invalidates::NOTHING,
    read_only: false,
    inheritable: false,
    simulated: false,
    plain: true,
};
