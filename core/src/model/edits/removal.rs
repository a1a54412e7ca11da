//! Deleting: the components that are deleted along, and those that lose a reference.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::change_set::{Existence, Op};
use crate::component::{ComponentId, Invalidates, Kind, Strength};
use crate::model::{EditError, Model, ReferenceIndex};

impl Model {
    pub(super) fn plan_delete(&self, ids: &[ComponentId]) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.free(id))?;
        let (gone, forgetful) = self.closure(ids, &self.reference_index());
        let mut ops = Vec::with_capacity(gone.len() + forgetful.len());
        for &id in forgetful.difference(&gone) {
            let Some(mut other) = self.store.cloned(id) else { continue };
            other.redirect(&mut |target| (!gone.contains(&target)).then_some(target));
            // Who is in a group changes nothing that is simulated or drawn.
            let of_a_group = id.kind == Kind::ReferenceList;
            let invalidates =
                if of_a_group { Invalidates::NOTHING } else { Invalidates::STRUCTURE };
            ops.push(Op::Swap { id, other: Box::new(other), invalidates, map: None });
        }
        ops.extend(self.store.in_tree_order(&gone).into_iter().rev().filter_map(|id| {
            let meta = self.store.meta(id)?;
            let place = (meta.parent?, meta.number);
            Some(Op::Remove(Existence { id, place, content: None }))
        }));
        Ok(ops)
    }

    /// References of all components as they are now.
    pub(super) fn reference_index(&self) -> Cow<'_, ReferenceIndex> {
        match self.references.is_current() && self.store.lent().is_none() {
            true => Cow::Borrowed(&self.references),
            false => Cow::Owned(ReferenceIndex::of(&self.store)),
        }
    }

    /// Components that are deleted with `ids`: all below, and all with hard references to them; and
    /// those with soft references, which stay.
    fn closure(
        &self,
        ids: &[ComponentId],
        index: &ReferenceIndex,
    ) -> (BTreeSet<ComponentId>, BTreeSet<ComponentId>) {
        let (mut gone, mut open) = (BTreeSet::new(), ids.to_vec());
        let mut forgetful = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !gone.insert(id) {
                continue;
            }
            open.extend(self.store.children(id).map(|c| c.1));
            for (referrer, strength) in index.referrers(id) {
                match strength {
                    Strength::Hard => open.push(referrer),
                    Strength::Soft => {
                        forgetful.insert(referrer);
                    }
                }
            }
        }
        (gone, forgetful)
    }
}
