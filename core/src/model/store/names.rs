//! Children by name: an index of hashes, without a copy of any name, which every edit keeps. A
//! component that was lent out to be changed may have another name since; it is looked at itself.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::component::ComponentId;
use crate::model::Store;

/// Parent, hash of the name, number under the parent.
type NameKey = (ComponentId, u32, u32);

/// Keys of all children that have a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex {
    keys: BTreeSet<NameKey>,
    /// The component that was lent out, and its key at that time.
    lent: Option<(ComponentId, Option<NameKey>)>,
}

/// Few bits: names of one hash are told apart by looking at them.
fn hash_of(name: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish() as u32
}

impl Store {
    fn name_key(&self, id: ComponentId) -> Option<NameKey> {
        let (name, meta) = (self.name(id), self.meta(id)?);
        let parent = meta.parent?;
        (!name.is_empty()).then(|| (parent, hash_of(name), meta.number))
    }

    /// Runs `change`, which may give `id` another name or place.
    pub(super) fn names_of<R>(
        &mut self,
        id: ComponentId,
        change: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before = self.name_key(id);
        let result = change(self);
        self.rekey(before, self.name_key(id));
        result
    }

    fn rekey(&mut self, before: Option<NameKey>, after: Option<NameKey>) {
        if before != after {
            if let Some(before) = before {
                self.names.keys.remove(&before);
            }
            self.names.keys.extend(after);
        }
    }

    /// The index takes in a child that was attached.
    pub(super) fn learn_name(&mut self, id: ComponentId) {
        let key = self.name_key(id);
        self.names.keys.extend(key);
    }

    /// The index drops a child that is about to be detached.
    pub(super) fn forget_name(&mut self, id: ComponentId) {
        if let Some(key) = self.name_key(id) {
            self.names.keys.remove(&key);
        }
    }

    /// The child of that name; of several the one with the lowest number.
    pub(crate) fn child_by_name(&self, parent: ComponentId, name: &str) -> Option<ComponentId> {
        if name.is_empty() {
            return None;
        }
        let hash = hash_of(name);
        let keys = self.names.keys.range((parent, hash, 0)..=(parent, hash, u32::MAX));
        let known = keys.map(|key| key.2).find(|&number| {
            self.child_by_number(parent, number).is_some_and(|child| self.name(child) == name)
        });
        let lent = self.lent().filter(|&id| self.name(id) == name).and_then(|id| self.meta(id));
        let lent = lent.filter(|meta| meta.parent == Some(parent)).map(|meta| meta.number);
        self.child_by_number(parent, known.into_iter().chain(lent).min()?)
    }

    /// The component that was lent out last.
    pub(crate) fn lent(&self) -> Option<ComponentId> {
        self.names.lent.map(|(id, _)| id)
    }

    /// Somebody gets `id` to change it in any way.
    pub(crate) fn lend(&mut self, id: ComponentId) {
        self.names.lent = Some((id, self.name_key(id)));
    }

    /// Takes in what became of the one that was lent out, which is returned.
    pub(crate) fn settle(&mut self) -> Option<ComponentId> {
        let (id, before) = self.names.lent.take()?;
        self.rekey(before, self.name_key(id));
        Some(id)
    }
}
