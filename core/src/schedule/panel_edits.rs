//! The control panels of a run, edited in one order with its model.

use super::panels::PanelList;
use super::{ControlPanel, PanelEdit, ScheduleError, Scheduler};

impl Scheduler {
    /// Puts panels in the place of those before; this is no edit. A property that is not found stays by its path.
    pub fn set_panels(&mut self, panels: Vec<ControlPanel>) {
        self.panels = PanelList::of(panels, self.simulation.model());
    }

    /// The panels; a property whose component was renamed or moved has its path of now.
    pub fn panels(&self) -> Vec<ControlPanel> {
        self.panels.shown(self.simulation.model())
    }

    /// True if there are edits of panels to take back.
    pub fn has_panel_edits(&self) -> bool {
        self.panels.is_edited()
    }

    /// Edits a panel, and tells in words what came of it.
    ///
    /// # Errors
    /// [`ScheduleError::Panel`]; nothing is changed then.
    pub fn edit_panel(&mut self, edit: &PanelEdit) -> Result<String, ScheduleError> {
        let told = self.panels.edit(edit, self.simulation.model())?;
        self.keep_panel_edit();
        Ok(told)
    }
}
