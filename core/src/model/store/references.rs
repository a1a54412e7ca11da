//! Index of references over all components.

use std::collections::BTreeSet;

use crate::component::{ComponentId, Kind, Strength};
use crate::model::Store;

/// Index of references: (target, referrer, strength). Built when first needed, and kept by every
/// edit from then on.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceIndex {
    known: BTreeSet<(ComponentId, ComponentId, Strength)>,
    current: bool,
}

impl ReferenceIndex {
    /// Of all components of `store`.
    pub(crate) fn of(store: &Store) -> Self {
        let mut known = Vec::new();
        store.for_each_id(&mut |id| {
            store.visit_refs(id, &mut |r| known.push((r.target, id, r.strength)));
        });
        Self { known: known.into_iter().collect(), current: true }
    }

    /// True if it knows all references but those of a component that was lent out.
    pub(crate) fn is_current(&self) -> bool {
        self.current
    }

    /// Takes in the references of a component.
    pub(crate) fn add(&mut self, store: &Store, id: ComponentId) {
        if self.current {
            store.visit_refs(id, &mut |r| {
                self.known.insert((r.target, id, r.strength));
            });
        }
    }

    /// Drops the references of a component.
    pub(crate) fn remove(&mut self, store: &Store, id: ComponentId) {
        if self.current {
            store.visit_refs(id, &mut |r| {
                self.known.remove(&(r.target, id, r.strength));
            });
        }
    }

    /// Components that refer to `target`, with the strength of the reference, in the order of ids.
    pub(crate) fn referrers(
        &self,
        target: ComponentId,
    ) -> impl Iterator<Item = (ComponentId, Strength)> {
        let low = ComponentId { kind: Kind::ALL[0], index: 0, generation: 0 };
        let known = self.known.range((target, low, Strength::Hard)..);
        known.take_while(move |(to, ..)| *to == target).map(|&(_, from, how)| (from, how))
    }
}
