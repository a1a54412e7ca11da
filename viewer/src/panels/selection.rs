//! The selection: one list for all panels and the picture.

use std::collections::HashSet;

use sinew::component::ComponentId;

use crate::PickClasses;

/// Selected components, in the order of clicks, and what a rectangle selects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    ids: Vec<ComponentId>,
    /// The same, to be looked up: of a large model a rectangle selects very many.
    known: HashSet<ComponentId>,
    /// Classes of components that a rectangle in the picture selects.
    pub classes: PickClasses,
}

impl Selection {
    /// True if a component is selected.
    pub fn is_selected(&self, id: ComponentId) -> bool {
        self.known.contains(&id)
    }

    /// Selected components.
    pub fn ids(&self) -> &[ComponentId] {
        &self.ids
    }

    /// The one that was selected last.
    pub fn last(&self) -> Option<ComponentId> {
        self.ids.last().copied()
    }

    /// Selects these alone.
    pub fn set(&mut self, ids: Vec<ComponentId>) {
        self.known = ids.iter().copied().collect();
        self.ids = ids;
    }

    /// Adds a component, or takes it out.
    pub fn toggle(&mut self, id: ComponentId) {
        if self.known.remove(&id) {
            self.ids.retain(|&it| it != id);
        } else {
            self.known.insert(id);
            self.ids.push(id);
        }
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.known.clear();
    }
}
