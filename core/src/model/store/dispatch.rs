//! Operations of a store on components of any kind: dispatch to the arena of the kind.

use super::{for_component, for_kind};
use crate::component::{Address, ComponentId, ComponentType, Kind, Reference, TransformRefusal};
use crate::model::{Component, Meta, Row, Store, Stored};
use crate::property::{Find, ModelComponent, Transformation};

impl Component {
    /// Kind of the component.
    pub fn kind(&self) -> Kind {
        fn kind_of<T: Stored>(_: &T) -> Kind {
            T::KIND
        }
        for_component!(self, c => kind_of(c))
    }

    /// Name in paths; empty without one.
    pub fn name(&self) -> &str {
        for_component!(self, c => c.name())
    }

    pub(crate) fn name_mut(&mut self) -> &mut String {
        for_component!(self, c => c.name_mut())
    }

    pub(crate) fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        for_component!(self, c => c.visit_refs(visit));
    }

    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        for_component!(self, c => c.redirect(map));
    }

    pub(crate) fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        for_component!(self, c => c.keep_hosts(keep))
    }

    pub(crate) fn link(&mut self, find: Find<'_>) {
        for_component!(self, c => c.link(find));
    }

    pub(crate) fn become_copy(&mut self) {
        for_component!(self, c => c.become_copy());
    }

    pub(crate) fn transform(
        &mut self,
        transformation: &Transformation<'_>,
    ) -> Result<(), TransformRefusal> {
        for_component!(self, c => c.transform(transformation))
    }
}

impl Store {
    /// Place of a component in the tree; `None` when there is no such component.
    pub(crate) fn meta(&self, id: ComponentId) -> Option<&Meta> {
        for_kind!(id.kind, T => T::arena(self).get(id.index, id.generation).map(|r| &r.meta))
    }

    pub(crate) fn meta_mut(&mut self, id: ComponentId) -> Option<&mut Meta> {
        for_kind!(id.kind, T => {
            T::arena_mut(self).get_mut(id.index, id.generation).map(|r| &mut r.meta)
        })
    }

    pub(crate) fn contains(&self, id: ComponentId) -> bool {
        self.meta(id).is_some()
    }

    /// Name of a component; empty when it has none, or is not there.
    pub(crate) fn name(&self, id: ComponentId) -> &str {
        for_kind!(id.kind, T => {
            T::arena(self).get(id.index, id.generation).map_or("", |r| r.data.name())
        })
    }

    /// Exchanges the name of a component for `other`; `false` when it is not there.
    pub(crate) fn swap_name(&mut self, id: ComponentId, other: &mut String) -> bool {
        self.names_of(id, |store| {
            for_kind!(id.kind, T => {
                let row = T::arena_mut(store).get_mut(id.index, id.generation);
                row.map(|row| std::mem::swap(row.data.name_mut(), other)).is_some()
            })
        })
    }

    /// A copy of a component.
    pub(crate) fn cloned(&self, id: ComponentId) -> Option<Component> {
        for_kind!(id.kind, T => {
            T::arena(self).get(id.index, id.generation).map(|r| r.data.clone().into())
        })
    }

    /// Exchanges a component for another of its kind; `false` when it is not there.
    pub(crate) fn swap(&mut self, id: ComponentId, other: &mut Component) -> bool {
        self.names_of(id, |store| {
            for_kind!(id.kind, T => {
                let row = T::arena_mut(store).get_mut(id.index, id.generation);
                match (row, T::of(other)) {
                    (Some(row), Some(other)) => {
                        std::mem::swap(&mut row.data, other);
                        true
                    }
                    _ => false,
                }
            })
        })
    }

    pub(crate) fn visit_refs(&self, id: ComponentId, visit: &mut dyn FnMut(Reference)) {
        for_kind!(id.kind, T => {
            if let Some(row) = T::arena(self).get(id.index, id.generation) {
                row.data.visit_refs(visit);
            }
        });
    }

    /// Ids of the components of `kind` that are added from now on, in order.
    pub(crate) fn upcoming(&self, kind: Kind) -> Box<dyn Iterator<Item = ComponentId> + '_> {
        for_kind!(kind, T => {
            let slots = T::arena(self).upcoming();
            Box::new(slots.map(move |(index, generation)| ComponentId { kind, index, generation }))
        })
    }

    /// True if a component of this id could be put.
    pub(crate) fn is_vacant(&self, id: ComponentId) -> bool {
        for_kind!(id.kind, T => T::arena(self).is_vacant(id.index))
    }

    /// Number of components of `kind`.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        for_kind!(kind, T => T::arena(self).len())
    }

    /// Puts a component into its slot; `false` when somebody is there.
    pub(crate) fn put(&mut self, id: ComponentId, component: Component, meta: Meta) -> bool {
        fn put<T: Stored>(store: &mut Store, id: ComponentId, meta: Meta, data: T) -> bool {
            T::KIND == id.kind && T::arena_mut(store).put(id, Row { meta, data })
        }
        for_component!(component, c => put(self, id, meta, c))
    }

    /// Takes a component out of its slot.
    pub(crate) fn take(&mut self, id: ComponentId) -> Option<(Component, Meta)> {
        for_kind!(id.kind, T => T::arena_mut(self).take(id).map(|r| (r.data.into(), r.meta)))
    }
}
