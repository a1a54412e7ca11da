//! The control panels of a run, edited as its model is.

use super::panels::{ModelPanel, apply, changes, places, title};
use super::{PanelEdit, ScheduleError, Scheduler, ShownPanel};
use crate::model::Edit;

impl Scheduler {
    /// The panels of the model; those of its muscles where it has none.
    pub fn panels(&self) -> Vec<ShownPanel> {
        let model = self.simulation.model();
        let shown = |place: &ModelPanel| ShownPanel {
            name: title(place, model),
            path: place.0.map(|id| model.path(id)),
            items: place
                .1
                .items
                .iter()
                .map(|item| item.with_property(item.property.path(model)))
                .collect(),
        };
        places(model).iter().map(shown).collect()
    }

    /// Edits a panel, and tells in words what came of it. It is an edit of the model, which [`Self::undo`] takes back.
    ///
    /// # Errors
    /// [`ScheduleError::Panel`], and as [`Self::edited`]; nothing is changed then.
    pub fn edit_panel(&mut self, edit: &PanelEdit) -> Result<String, ScheduleError> {
        let parent = self.simulation.main_model();
        let model = self.simulation.model();
        let mut panels = places(model);
        let (changed, told) = apply(edit, &mut panels, model)?;
        let mut edits = Vec::new();
        for (at, (component, panel)) in panels.into_iter().enumerate() {
            match component {
                None => edits.push(Edit::add(parent, panel)),
                Some(id) if at == changed => edits.extend(changes(id, panel, model)?),
                Some(_) => {}
            }
        }
        self.edited(|simulation| simulation.edit(Edit::Batch(edits)))?;
        Ok(told)
    }
}
