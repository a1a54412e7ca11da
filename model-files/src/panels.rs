//! Control panels as a file describes them, the section `[[panels]]`: components that say more than their properties do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sinew::model::{ControlPanel, ControlWidget, Model};
use sinew::property::PropertyError;
use sinew::schedule::ControlItem;

/// A control panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Panel {
    /// Name of the panel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// Items from top to bottom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<PanelItem>,
}

/// A property on a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PanelItem {
    /// Path of the property: `axial_springs/lad:excitation`, or from the root on.
    pub(crate) property: String,
    /// Label beside it; the property's own name without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// Widget; by the type of the property without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) widget: Option<Widget>,
    /// Lower end of a slider, in the unit of the property in SI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) low: Option<f64>,
    /// Upper end of a slider, in the unit of the property in SI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) high: Option<f64>,
}

/// Widgets of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Widget {
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

/// Widgets by their words in a file; none stands for the one that fits.
const WIDGETS: [(Widget, ControlWidget); 6] = [
    (Widget::Slider, ControlWidget::Slider),
    (Widget::Number, ControlWidget::Number),
    (Widget::Checkbox, ControlWidget::Checkbox),
    (Widget::Choice, ControlWidget::Choice),
    (Widget::Colour, ControlWidget::Colour),
    (Widget::Text, ControlWidget::Text),
];

impl Panel {
    /// The description of a component, properties by absolute paths.
    pub(crate) fn of(panel: &ControlPanel, model: &Model) -> Self {
        let item = |it: &sinew::model::PanelItem| {
            let widget = WIDGETS.into_iter().find(|(_, widget)| *widget == it.widget);
            let widget = widget.map(|(word, _)| word);
            let (property, label) = (it.property.path(model), it.label.clone());
            PanelItem { property, label, widget, low: it.low, high: it.high }
        };
        Self { name: panel.name.clone(), items: panel.items.iter().map(item).collect() }
    }

    /// The component of a description whose paths are absolute.
    ///
    /// # Errors
    /// A property that the model does not have.
    pub(crate) fn component(&self, model: &Model) -> Result<ControlPanel, PropertyError> {
        let item = |it: &PanelItem| {
            let PanelItem { property, label, widget, low, high } = it.clone();
            let widget = WIDGETS.into_iter().find(|(word, _)| Some(*word) == widget);
            let widget = widget.map(|(_, widget)| widget).unwrap_or_default();
            ControlItem { property, label, widget, low, high }.item(model)
        };
        let items = self.items.iter().map(item).collect::<Result<_, _>>()?;
        Ok(ControlPanel::new(self.name.clone(), items))
    }
}
