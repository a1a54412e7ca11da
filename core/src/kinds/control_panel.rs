//! Control panels, as components: named groups of properties with a widget each. How they are drawn is not here.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::property::{
    CheckError, Components, ModelComponent, NamedProperty, Paths, Problem, PropertyValue, Put,
    Refusal, Value, choices, properties,
};

/// Widgets that set properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlWidget {
    /// A slider where there are bounds, else what the type of the property asks for.
    #[default]
    Auto,
    /// A slider.
    Slider,
    /// A field.
    Number,
    /// A box to be ticked.
    Checkbox,
    /// One of several words.
    Choice,
    /// A colour.
    Colour,
    /// Text.
    Text,
}

choices!(named ControlWidget {
    Auto => "auto",
    Slider => "slider",
    Number => "number",
    Checkbox => "checkbox",
    Choice => "choice",
    Colour => "colour",
    Text => "text",
});

/// One property of a panel: that of a component, or by its path where a panel is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PanelItem<P = NamedProperty> {
    /// The property.
    pub property: P,
    /// Label beside it; the end of its path without one.
    pub label: Option<String>,
    /// Widget that sets it.
    pub widget: ControlWidget,
    /// Least value of a slider, in the unit of the property.
    pub low: Option<f64>,
    /// Greatest value of a slider, in the unit of the property.
    pub high: Option<f64>,
}

impl PanelItem {
    /// A property with the widget that fits it.
    pub fn new(property: NamedProperty) -> Self {
        Self { property, label: None, widget: ControlWidget::Auto, low: None, high: None }
    }
}

impl<P> PanelItem<P> {
    /// The same for a property that is told otherwise.
    pub(crate) fn with_property<Q>(&self, property: Q) -> PanelItem<Q> {
        let (label, widget) = (self.label.clone(), self.widget);
        PanelItem { property, label, widget, low: self.low, high: self.high }
    }
}

/// A group of properties that a user turns, with a widget each. A property whose component is deleted goes from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ControlPanel {
    /// Name in paths, and title above it.
    pub name: String,
    /// From top to bottom.
    pub items: Vec<PanelItem>,
}

impl ControlPanel {
    /// A panel with a title.
    pub fn new(name: impl Into<String>, items: Vec<PanelItem>) -> Self {
        Self { name: name.into(), items }
    }

    /// Shows those of a list; those that it shows already keep their labels, widgets and bounds.
    fn put_properties(&mut self, _: &Value, named: &[NamedProperty]) -> Put {
        let mut before = std::mem::take(&mut self.items);
        let item = |property: &NamedProperty| {
            // One that is named twice is two items.
            match before.iter().position(|it| it.property == *property) {
                Some(known) => before.remove(known),
                None => PanelItem::new(property.clone()),
            }
        };
        self.items = named.iter().map(item).collect();
        Ok(())
    }

    fn put_labels(&mut self, text: &str) -> Put {
        let refused = Refusal::Value("it must be one label a property at most");
        let labels = parted(text);
        let labels = self.filled(labels, String::new()).ok_or(refused)?;
        for (item, label) in self.items.iter_mut().zip(labels) {
            item.label = (!label.is_empty()).then_some(label);
        }
        Ok(())
    }

    fn put_widgets(&mut self, text: &str) -> Put {
        let refused = Refusal::Value(
            "it must be auto, slider, number, checkbox, choice, colour or text, one a property at most",
        );
        let words = parted(text);
        let widgets: Option<Vec<_>> =
            words.into_iter().map(|word| ControlWidget::from_value(&Value::Text(word))).collect();
        let widgets = widgets.and_then(|widgets| self.filled(widgets, ControlWidget::Auto));
        for (item, widget) in self.items.iter_mut().zip(widgets.ok_or(refused)?) {
            item.widget = widget;
        }
        Ok(())
    }

    fn put_bounds(&mut self, bounds: Vec<f64>, of: fn(&mut PanelItem) -> &mut Option<f64>) -> Put {
        let refused = Refusal::Value("it must be one number a property at most");
        let bounds = self.filled(bounds, f64::INFINITY).ok_or(refused)?;
        for (item, bound) in self.items.iter_mut().zip(bounds) {
            *of(item) = bound.is_finite().then_some(bound);
        }
        Ok(())
    }

    /// A value a property, the `usual` one where none is given; nothing where there are more.
    fn filled<T: Clone>(&self, mut values: Vec<T>, usual: T) -> Option<Vec<T>> {
        let count = self.items.len();
        if values.len() > count {
            return None;
        }
        values.resize(count, usual);
        Some(values)
    }

    fn labels(&self) -> String {
        let label = |it: &PanelItem| it.label.clone().unwrap_or_default();
        joined(self.items.iter().map(label))
    }

    fn widgets(&self) -> String {
        joined(self.items.iter().map(|it| it.widget.name().to_owned()))
    }

    /// Its properties with their values, in the order in which they can be set.
    pub(crate) fn values(&self, model: &dyn Components) -> [(&'static str, Value); 5] {
        [
            ("properties", Value::Paths(self.paths(model))),
            ("labels", Value::Text(self.labels())),
            ("widgets", Value::Text(self.widgets())),
            ("low", Value::List(self.lows())),
            ("high", Value::List(self.highs())),
        ]
    }

    fn paths(&self, model: &dyn Components) -> Vec<String> {
        self.items.iter().map(|it| it.property.path(model)).collect()
    }

    fn lows(&self) -> Vec<f64> {
        self.items.iter().map(|it| it.low.unwrap_or(f64::NEG_INFINITY)).collect()
    }

    fn highs(&self) -> Vec<f64> {
        self.items.iter().map(|it| it.high.unwrap_or(f64::INFINITY)).collect()
    }

    /// Properties that are set are there. One that is not there any more is shown as missing.
    fn check_properties(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.items.iter().try_for_each(|it| it.property.info(model, "properties").map(|_| ()))
    }

    /// Bounds are finite, and rise.
    fn check_bounds(&self, _: &dyn Components) -> Result<(), CheckError> {
        let what = "bound";
        for item in &self.items {
            if let Some(value) = item.low.into_iter().chain(item.high).find(|x| !x.is_finite()) {
                return Err(Problem::Entry { what, value, must: "finite" }.at("low"));
            }
            if let (Some(low), Some(value)) = (item.low, item.high)
                && low >= value
            {
                let must = "above the low one of the same property";
                return Err(Problem::Entry { what, value, must }.at("high"));
            }
        }
        Ok(())
    }
}

impl ModelComponent for ControlPanel {
    const HOME: Option<&'static str> = Some("panels");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        let host = |it: &PanelItem| Reference::soft(it.property.host.component());
        self.items.iter().for_each(|it| visit(host(it)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.items.retain_mut(|it| match map(it.property.host.component()) {
            Some(id) => {
                it.property.host = it.property.host.on(id);
                true
            }
            None => false,
        });
    }

    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.items.retain_mut(|it| keep(&mut it.property.host));
        true
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_bounds(model)
    }

    properties! { ControlPanel {
        "properties": Paths = Paths::default(), "", FINITE, NOTHING, "Properties that it shows, PATH:NAME; those that it shows already keep their labels, widgets and bounds",
            named (|it, model| Value::Paths(it.paths(model)), |it, value, named| it.put_properties(value, named)), check ControlPanel::check_properties;
        "labels": String = String::new(), "", FINITE, NOTHING, "Labels with a semicolon between two, one a property; the end of its path where one is empty",
            replacing (|it: &ControlPanel| Some(it.labels()), |it: &mut ControlPanel, text: String| it.put_labels(&text)), check ControlPanel::check_bounds;
        "widgets": String = String::new(), "", FINITE, NOTHING, "Widgets with a semicolon between two, one a property: auto, slider, number, checkbox, choice, colour or text",
            via (|it: &ControlPanel| Some(it.widgets()), |it: &mut ControlPanel, text: String| it.put_widgets(&text)), check ControlPanel::check_bounds;
        "low": Vec<f64> = Vec::new(), "by property", ANY, NOTHING, "Least values of sliders, one a property; -inf for none",
            via (|it: &ControlPanel| Some(it.lows()), |it: &mut ControlPanel, low: Vec<f64>| it.put_bounds(low, |it| &mut it.low)), check ControlPanel::check_bounds;
        "high": Vec<f64> = Vec::new(), "by property", ANY, NOTHING, "Greatest values of sliders, one a property; inf for none",
            via (|it: &ControlPanel| Some(it.highs()), |it: &mut ControlPanel, high: Vec<f64>| it.put_bounds(high, |it| &mut it.high)), check ControlPanel::check_bounds;
    } }
}

/// Several texts in one, a semicolon between two; one within a text stands behind a backslash.
fn joined(texts: impl Iterator<Item = String>) -> String {
    let escaped = |text: String| text.trim().replace('\\', "\\\\").replace(';', "\\;");
    texts.map(escaped).collect::<Vec<_>>().join("; ")
}

/// The texts of one, empty ones too; none of an empty one.
fn parted(text: &str) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let (mut parts, mut chars) = (vec![String::new()], text.chars());
    while let Some(c) = chars.next() {
        let (c, ends) = match c {
            '\\' => (chars.next(), false),
            ';' => (None, true),
            c => (Some(c), false),
        };
        if ends {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.extend(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_any_sort_are_read_back_from_one_text() {
        let labels = ["Open; wide", "", "a\\b", "jaw"].map(str::to_owned);
        let text = joined(labels.iter().cloned());
        assert_eq!(text, "Open\\; wide; ; a\\\\b; jaw");
        assert_eq!(parted(&text), labels);
        assert_eq!(parted(" "), [""; 0]);
    }

    #[test]
    fn every_widget_has_a_word_of_its_own_in_any_case() {
        for widget in ControlWidget::ALL {
            let shouted = Value::Text(widget.name().to_uppercase());
            assert_eq!(ControlWidget::from_value(&shouted), Some(*widget));
        }
    }
}
