//! The selection: one list for all panels and the picture.

use sinew::component::ComponentId;

/// Selected components, in the order of clicks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection(Vec<ComponentId>);

impl Selection {
    /// True if a component is selected.
    pub fn is_selected(&self, id: ComponentId) -> bool {
        self.0.contains(&id)
    }

    /// Selected components.
    pub fn ids(&self) -> &[ComponentId] {
        &self.0
    }

    /// The one that was selected last.
    pub fn last(&self) -> Option<ComponentId> {
        self.0.last().copied()
    }

    /// Selects these alone.
    pub fn set(&mut self, ids: Vec<ComponentId>) {
        self.0 = ids;
    }

    /// Adds a component, or takes it out.
    pub fn toggle(&mut self, id: ComponentId) {
        match self.0.iter().position(|&it| it == id) {
            Some(at) => drop(self.0.remove(at)),
            None => self.0.push(id),
        }
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
