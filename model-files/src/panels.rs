//! Control panels: named groups of properties that a user turns, the section `[[panels]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A control panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Name of the panel.
    pub name: String,
    /// Items from top to bottom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<PanelItem>,
}

/// A property on a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PanelItem {
    /// Path of the property: `axial_springs/lad:excitation`, or from the root on.
    pub property: String,
    /// Label beside it; the property's own name without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Widget; by the type of the property without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget: Option<Widget>,
    /// Lower end of a slider, in the unit of the property in SI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end of a slider, in the unit of the property in SI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// Widgets of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Widget {
    /// A number along a line.
    Slider,
    /// A number in a field.
    Number,
    /// A box to tick.
    Checkbox,
    /// One of several words.
    Choice,
    /// A colour.
    Colour,
    /// Text.
    Text,
}
