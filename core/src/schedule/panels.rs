//! Control panels: named groups of properties, edited as data. How they are drawn and saved is not here.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::model::Model;
use crate::property::{PropertyError, PropertyRef};

/// A group of properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ControlPanel {
    /// Title above it.
    pub name: String,
    /// From top to bottom.
    pub items: Vec<ControlItem>,
}

/// One property of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ControlItem {
    /// Its path.
    pub property: String,
    /// Label beside it; the end of its path without one.
    pub label: Option<String>,
    /// Widget that sets it.
    pub widget: ControlWidget,
    /// Least value of a slider, in the unit of the property.
    pub low: Option<f64>,
    /// Greatest value of a slider, in the unit of the property.
    pub high: Option<f64>,
}

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

/// Edits of control panels; each is taken back as edits of the model are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelEdit {
    /// Puts a property at the end of a panel, which is made where none has this name.
    Add {
        /// Name of the panel.
        panel: String,
        /// The property.
        item: ControlItem,
    },
    /// Takes a property off a panel; one that is empty goes.
    Remove {
        /// Place of the panel, from 0.
        panel: usize,
        /// Place on it, from 0.
        item: usize,
    },
    /// Gives a panel another name.
    Rename {
        /// Place of the panel, from 0.
        panel: usize,
        /// The name.
        name: String,
    },
}

/// Reasons for refusing an edit of a panel.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PanelError {
    /// A panel without a name.
    #[error("a panel needs a name")]
    NoName,
    /// A name that another panel has.
    #[error("there is a panel `{0}` already: take another name")]
    Taken(String),
    /// A place where nothing is.
    #[error("there is no item {item} on panel {panel}")]
    NoItem {
        /// Place of the panel, from 0.
        panel: usize,
        /// Place on it, from 0.
        item: usize,
    },
    /// The property is on the panel.
    #[error("{property} is on the panel `{panel}` already")]
    Twice {
        /// Name of the panel.
        panel: String,
        /// Path of the property.
        property: String,
    },
    /// Bounds of a slider that do not rise.
    #[error("the bounds of a slider must rise, got {low} to {high}")]
    Bounds {
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },
    /// A property that the model does not have.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// An item with its property, by which it is found under another name.
#[derive(Clone)]
struct KeptItem {
    item: ControlItem,
    property: Option<PropertyRef>,
}

/// A panel that is kept.
#[derive(Clone)]
struct KeptPanel {
    name: String,
    items: Vec<KeptItem>,
}

/// Panels of a run, and those before and after edits.
#[derive(Default)]
pub(super) struct PanelList {
    now: Vec<KeptPanel>,
    done: Vec<Vec<KeptPanel>>,
    undone: Vec<Vec<KeptPanel>>,
}

impl PanelList {
    /// Panels that nobody edited yet; a property that is not found stays by its path.
    pub(super) fn of(panels: Vec<ControlPanel>, model: &Model) -> Self {
        let kept = |item: ControlItem| {
            let property = model.property(&item.property).ok();
            KeptItem { item, property }
        };
        let panels = panels.into_iter().map(|panel| KeptPanel {
            name: panel.name,
            items: panel.items.into_iter().map(kept).collect(),
        });
        Self { now: panels.collect(), ..Self::default() }
    }

    /// The panels, properties under their paths of now.
    pub(super) fn shown(&self, model: &Model) -> Vec<ControlPanel> {
        let item = |kept: &KeptItem| {
            let mut item = kept.item.clone();
            if let Some(property) = kept.property.as_ref().filter(|it| model.has_property(it)) {
                item.property = model.property_path(property);
            }
            item
        };
        let panel = |kept: &KeptPanel| ControlPanel {
            name: kept.name.clone(),
            items: kept.items.iter().map(item).collect(),
        };
        self.now.iter().map(panel).collect()
    }

    /// True if there are edits to take back.
    pub(super) fn is_edited(&self) -> bool {
        !self.done.is_empty()
    }

    pub(super) fn undo(&mut self) {
        if let Some(before) = self.done.pop() {
            self.undone.push(std::mem::replace(&mut self.now, before));
        }
    }

    pub(super) fn redo(&mut self) {
        if let Some(after) = self.undone.pop() {
            self.done.push(std::mem::replace(&mut self.now, after));
        }
    }

    pub(super) fn forget_undone(&mut self) {
        self.undone.clear();
    }

    pub(super) fn edit(&mut self, edit: &PanelEdit, model: &Model) -> Result<String, PanelError> {
        let mut next = self.now.clone();
        let told = apply(edit, &mut next, model)?;
        self.done.push(std::mem::replace(&mut self.now, next));
        Ok(told)
    }
}

fn apply(
    edit: &PanelEdit,
    panels: &mut Vec<KeptPanel>,
    model: &Model,
) -> Result<String, PanelError> {
    match edit {
        PanelEdit::Add { panel, item } => add(panel.trim(), item, panels, model),
        &PanelEdit::Remove { panel, item } => {
            let missing = PanelError::NoItem { panel, item };
            let kept = panels.get_mut(panel).filter(|it| item < it.items.len()).ok_or(missing)?;
            let removed = kept.items.remove(item).item.property;
            let told = format!("{removed} is off the panel `{}`", kept.name);
            if kept.items.is_empty() {
                panels.remove(panel);
            }
            Ok(told)
        }
        PanelEdit::Rename { panel, name } => {
            let name = name.trim();
            let others = panels.iter().enumerate().filter(|(at, _)| at != panel);
            if name.is_empty() {
                return Err(PanelError::NoName);
            }
            if others.map(|(_, it)| it.name.as_str()).any(|it| it == name) {
                return Err(PanelError::Taken(name.to_owned()));
            }
            let missing = PanelError::NoItem { panel: *panel, item: 0 };
            panels.get_mut(*panel).ok_or(missing)?.name = name.to_owned();
            Ok(format!("the panel is called `{name}`"))
        }
    }
}

fn add(
    name: &str,
    item: &ControlItem,
    panels: &mut Vec<KeptPanel>,
    model: &Model,
) -> Result<String, PanelError> {
    if name.is_empty() {
        return Err(PanelError::NoName);
    }
    if let (Some(low), Some(high)) = (item.low, item.high)
        && low.partial_cmp(&high) != Some(std::cmp::Ordering::Less)
    {
        return Err(PanelError::Bounds { low, high });
    }
    let property = model.property(&item.property)?;
    let path = model.property_path(&property);
    let at = panels.iter().position(|panel| panel.name == name);
    let at = at.unwrap_or_else(|| {
        panels.push(KeptPanel { name: name.to_owned(), items: Vec::new() });
        panels.len() - 1
    });
    let items = &mut panels[at].items;
    let is_same =
        |it: &PropertyRef| it.host() == property.host() && it.info().name == property.info().name;
    if items.iter().filter_map(|it| it.property.as_ref()).any(is_same) {
        return Err(PanelError::Twice { panel: name.to_owned(), property: path });
    }
    let told = format!("{path} is on the panel `{name}`");
    let item = ControlItem { property: path, ..item.clone() };
    items.push(KeptItem { item, property: Some(property) });
    Ok(told)
}
