//! Properties: everything of a component that can be read or set by name, from one table a kind.
//! The tables stand beside the components, in `kinds/`; here is what all have in common.

mod component;
mod components;
mod composite;
mod declared;
mod error;
mod linked;
mod named;
mod problem;
mod range;
mod reference;
mod render;
mod schedule;
mod table;
mod text;
mod totals;
mod transformation;
mod value;

use std::sync::LazyLock;

pub use component::ModelComponent;
pub use components::{CodeKind, Components, JointImage};
pub(crate) use composite::{Item, ItemAccess, composite, distinct, info};
pub use declared::{Declaration, DeclarationError};
pub(crate) use declared::{DeclaredProperty, MOST_DECLARED};
pub use error::PropertyError;
pub use linked::LinkedText;
pub(crate) use linked::{Find, ReadLinked};
pub use named::NamedProperty;
pub(crate) use named::{paths_of, width_of};
pub use problem::{CheckError, Problem};
pub use range::Range;
pub(crate) use range::number;
pub(crate) use reference::DECLARED_ROW;
pub use reference::{PropertyRef, Setting, Source};
pub use render::{FaceStyle, LineStyle, PointStyle, RenderProps, Shading, Substance};
pub(crate) use schedule::put_schedule;
pub(crate) use table::{
    Access, Check, GetItem, Put, Refusal, SetExtent, SetItem, properties, taken,
};
pub use table::{Property, PropertyInfo};
pub(crate) use totals::totals;
pub use transformation::Transformation;
pub use value::{Numbers, Pose, PropertyType, PropertyValue, Value};
pub(crate) use value::{OnePath, Paths, choices};

use crate::component::Invalidates;

/// The name of a component, which every kind has.
pub(crate) static NAME: LazyLock<PropertyInfo> = LazyLock::new(|| PropertyInfo {
    name: "name",
    value_type: PropertyType::Text,
    unit: "",
    range: Range::FINITE,
    default: Value::Text(String::new()),
    doc: "Name in paths; empty for none",
    invalidates: Invalidates::NOTHING,
    read_only: false,
    inheritable: false,
    simulated: false,
    number: 0,
});
