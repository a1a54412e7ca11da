//! New components, put where their kind belongs.

use super::{Edit, EditError};
use crate::component::{ComponentId, Handle, ROOT};
use crate::model::{Component, MechModel, Model, Stored};

impl Model {
    /// Adds a component to the list of its kind in the first mechanical model, which is made and
    /// called like the whole when there is none; a mechanical model becomes one of the root's.
    ///
    /// Of two siblings of one name the later one goes by its number in paths.
    pub fn add<T: Stored>(&mut self, component: T) -> Handle<T> {
        let parent = match T::HOME {
            Some(MechModel::MODELS) => ROOT,
            _ => self.main().id(),
        };
        let list = T::HOME.and_then(|home| self.store.child_by_name(parent, home));
        let id = self.put_in(list.unwrap_or(parent), component.into());
        Handle::new(id.index, id.generation)
    }

    /// Adds a component to `parent`: to the list of its kind in a mechanical model, or to a container.
    ///
    /// # Errors
    /// [`EditError`]: no such parent, one that does not take the kind, a name that is taken, a
    /// reference to what is not there.
    pub fn add_to<T: Stored>(
        &mut self,
        parent: impl Into<ComponentId>,
        component: T,
    ) -> Result<Handle<T>, EditError> {
        let change = self.edit(Edit::add(parent.into(), component))?;
        let id = change.added().first().copied().ok_or(EditError::Stale)?;
        Ok(Handle::new(id.index, id.generation))
    }

    /// Puts a component, with the lists that belong to it, into a place that takes it.
    pub(crate) fn put_in(&mut self, parent: ComponentId, component: Component) -> ComponentId {
        let ops = self.plan_insertion(parent, component);
        let mut change = self.change_of(ops);
        let added = change.added();
        self.apply(&mut change).expect("new ids are free and their parents are there");
        added[0]
    }
}
