//! Who refers to whom: hard references, without which a component cannot be, and soft ones.

use std::collections::BTreeSet;

use super::{ComponentId, Store};

/// Whether a component can live without what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// It cannot: it is deleted along, and what it refers to is duplicated along.
    Hard,
    /// It can: it forgets.
    Soft,
}

/// One reference of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// To whom.
    pub target: ComponentId,
    /// Of which strength.
    pub strength: Strength,
}

impl Reference {
    /// One that the component needs.
    pub fn hard(target: impl Into<ComponentId>) -> Self {
        Self { target: target.into(), strength: Strength::Hard }
    }

    /// One that it can lose.
    pub fn soft(target: impl Into<ComponentId>) -> Self {
        Self { target: target.into(), strength: Strength::Soft }
    }
}

/// Pairs (target, referrer). Built when first needed after components were changed behind its back,
/// and kept by every edit from then on.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceIndex {
    pairs: BTreeSet<(ComponentId, ComponentId)>,
    current: bool,
}

impl ReferenceIndex {
    /// Of all components of `store`.
    pub(crate) fn of(store: &Store) -> Self {
        let mut index = Self { pairs: BTreeSet::new(), current: true };
        store.for_each_id(&mut |id| index.add(store, id));
        index
    }

    /// Whether it knows all references.
    pub(crate) fn is_current(&self) -> bool {
        self.current
    }

    /// Somebody changed a component without saying which references.
    pub(crate) fn forget(&mut self) {
        if self.current {
            *self = Self::default();
        }
    }

    /// Takes in the references of a component.
    pub(crate) fn add(&mut self, store: &Store, id: ComponentId) {
        if self.current {
            store.visit_refs(id, &mut |r| {
                self.pairs.insert((r.target, id));
            });
        }
    }

    /// Drops the references of a component.
    pub(crate) fn remove(&mut self, store: &Store, id: ComponentId) {
        if self.current {
            store.visit_refs(id, &mut |r| {
                self.pairs.remove(&(r.target, id));
            });
        }
    }

    /// Who refers to `target`, in the order of ids.
    pub(crate) fn referrers(&self, target: ComponentId) -> impl Iterator<Item = ComponentId> {
        let low = ComponentId { kind: super::Kind::ALL[0], index: 0, generation: 0 };
        let pairs = self.pairs.range((target, low)..);
        pairs.take_while(move |(to, _)| *to == target).map(|(_, from)| *from)
    }
}
