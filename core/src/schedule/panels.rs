//! Control panels of a run: those of its model, or of its muscles where it has none, and their edits by hand, as data.
//! Schedulers do them: `panel_edits.rs`. How panels are drawn is not here.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::automatic_panels::automatic_panels;
use crate::component::ComponentId;
use crate::kinds::{ControlPanel, PanelItem};
use crate::model::{Edit, Model};
use crate::property::{NamedProperty, PropertyError, Value};

/// A control panel as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownPanel {
    /// Title above it.
    pub name: String,
    /// Path of its component; none of one that was made of muscles, which becomes one when panels are edited.
    pub path: Option<String>,
    /// From top to bottom.
    pub items: Vec<ControlItem>,
}

/// One property of a panel by its path.
pub type ControlItem = PanelItem<String>;

/// Edits of control panels by hand, by their places. Each is an edit of the model, which makes components of panels that are
/// none yet.
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
    /// Takes a property off a panel.
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
    /// A place where no panel is.
    #[error("there is no panel {0}")]
    NoPanel(usize),
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
    /// A property that the model does not have.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl ControlItem {
    /// The item of a component.
    ///
    /// # Errors
    /// A property that the model does not have.
    pub fn item(&self, model: &Model) -> Result<PanelItem, PropertyError> {
        let found = model.property(&self.property)?;
        Ok(self.with_property(NamedProperty::new(found.host(), found.info().name)))
    }
}

/// A panel, and its component if it is one.
pub(super) type ModelPanel = (Option<ComponentId>, ControlPanel);

/// The panels that are shown of a model.
pub(super) fn places(model: &Model) -> Vec<ModelPanel> {
    let own = model.iter::<ControlPanel>().map(|(at, panel)| (Some(at.id()), panel.clone()));
    let own: Vec<ModelPanel> = own.collect();
    match own.is_empty() {
        true => automatic_panels(model).into_iter().map(|panel| (None, panel)).collect(),
        false => own,
    }
}

/// Title of a panel: its name, or else the last step of its path.
pub(super) fn title((at, panel): &ModelPanel, model: &Model) -> String {
    let path = at.filter(|_| panel.name.is_empty()).map(|id| model.path(id));
    let last = path.as_deref().and_then(|path| path.rsplit('/').next());
    last.unwrap_or(&panel.name).to_owned()
}

/// Does an edit on the panels: the place of the one that was changed, and what came of it in words.
pub(super) fn apply(
    edit: &PanelEdit,
    panels: &mut Vec<ModelPanel>,
    model: &Model,
) -> Result<(usize, String), PanelError> {
    match edit {
        PanelEdit::Add { panel, item } => add(panel.trim(), item, panels, model),
        &PanelEdit::Remove { panel: at, item } => {
            let (_, panel) = panels.get_mut(at).ok_or(PanelError::NoPanel(at))?;
            if item >= panel.items.len() {
                return Err(PanelError::NoItem { panel: at, item });
            }
            let removed = panel.items.remove(item).property.path(model);
            Ok((at, format!("{removed} is off the panel `{}`", title(&panels[at], model))))
        }
        PanelEdit::Rename { panel: at, name } => {
            let (_, panel) = panels.get_mut(*at).ok_or(PanelError::NoPanel(*at))?;
            let name = name.trim();
            if name.is_empty() {
                return Err(PanelError::NoName);
            }
            name.clone_into(&mut panel.name);
            Ok((*at, format!("the panel is called `{name}`")))
        }
    }
}

fn add(
    name: &str,
    item: &ControlItem,
    panels: &mut Vec<ModelPanel>,
    model: &Model,
) -> Result<(usize, String), PanelError> {
    if name.is_empty() {
        return Err(PanelError::NoName);
    }
    let item = item.item(model)?;
    let path = item.property.path(model);
    let at = panels.iter().position(|place| title(place, model) == name);
    let at = at.unwrap_or_else(|| {
        panels.push((None, ControlPanel::new(name, Vec::new())));
        panels.len() - 1
    });
    let items = &mut panels[at].1.items;
    if items.iter().any(|it| it.property == item.property) {
        return Err(PanelError::Twice { panel: name.to_owned(), property: path });
    }
    items.push(item);
    Ok((at, format!("{path} is on the panel `{name}`")))
}

/// Edits that make a component this panel; a property that is not there any more goes from it.
pub(super) fn changes(
    id: ComponentId,
    mut panel: ControlPanel,
    model: &Model,
) -> Result<Vec<Edit>, PanelError> {
    if panel.name != model.name_of(id) {
        return Ok(vec![Edit::rename(id, panel.name)]);
    }
    panel.items.retain(|it| model.property(&it.property.path(model)).is_ok());
    let set =
        |(name, value): (&'static str, Value)| Ok(Edit::set(model.property_of(id, name)?, value));
    panel.values(model).into_iter().map(set).collect()
}
