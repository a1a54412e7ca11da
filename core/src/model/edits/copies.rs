//! Copies: of parts of the model, and of another model. What a copy refers to is the copy where there
//! is one.

use std::collections::{BTreeMap, BTreeSet};

use super::change_set::{Existence, Op};
use crate::component::{ComponentId, Kind, ROOT, Strength};
use crate::kinds::{MechModel, OutputProbe};
use crate::model::{Component, EditError, Meta, Model};

/// Components that are copied along with a component and its descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Nobody.
    Nobody,
    /// Those without which they cannot be.
    Needed,
}

impl Model {
    pub(super) fn plan_duplicate(
        &self,
        ids: &[ComponentId],
        along: Along,
    ) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.free(id))?;
        let (mut wanted, mut open) = (BTreeSet::new(), ids.to_vec());
        while let Some(id) = open.pop() {
            if !wanted.insert(id) {
                continue;
            }
            open.extend(self.store.children(id).map(|c| c.1));
            self.store.visit_refs(id, &mut |r| {
                // What it is in, and what every model has, is there already.
                let is_apart =
                    || !self.store.is_within(id, r.target) && self.can_be_named(r.target);
                if r.strength == Strength::Hard && along == Along::Needed && is_apart() {
                    open.push(r.target);
                }
            });
        }
        let mut copies = Copies { source: self, additions: Additions::new(self), of: [].into() };
        for id in self.store.in_tree_order(&wanted) {
            if let Some(parent) = self.parent(id) {
                copies.add(id, parent);
            }
        }
        copies.redirected(Some)
    }

    pub(super) fn plan_import(
        &self,
        parent: ComponentId,
        source: &Model,
    ) -> Result<Vec<Op>, EditError> {
        let models = source.store.child_by_name(ROOT, MechModel::MODELS);
        let in_models = models.into_iter().flat_map(|list| source.store.children(list));
        let beside = source.store.children(ROOT).filter(|c| Some(c.1) != models);
        let mut copies = Copies { source, additions: Additions::new(self), of: [].into() };
        for (_, top) in in_models.chain(beside) {
            let home = self.place_for(parent, top.kind)?;
            self.room_below(home, source.store.height(top))?;
            let mut below = Vec::new();
            source.store.visit_subtree(top, &mut |id| below.push(id));
            for id in below {
                copies.add(id, home);
            }
        }
        copies.redirected(|_| None)
    }
}

/// Copies of components of `source`, and who is whose.
struct Copies<'m> {
    source: &'m Model,
    additions: Additions<'m>,
    of: BTreeMap<ComponentId, ComponentId>,
}

impl Copies<'_> {
    /// Adds a copy under the copy of its parent, or else in `home`, where it gets a name of its own.
    fn add(&mut self, id: ComponentId, home: ComponentId) {
        let store = &self.source.store;
        let (Some(mut copy), Some(meta)) = (store.cloned(id), store.meta(id)) else { return };
        let copied_parent = meta.parent.and_then(|parent| self.of.get(&parent));
        if copied_parent.is_none() {
            *copy.name_mut() = self.additions.free_name(home, copy.name());
            copy.become_copy();
        }
        let parent = copied_parent.copied().unwrap_or(home);
        let added = self.additions.add(parent, copy, meta.to_copy());
        self.of.insert(id, added);
    }

    /// The operations, with references to what was copied changed to the copies, and others to where
    /// `beside` says; soft ones that lead nowhere then are dropped.
    fn redirected(
        mut self,
        beside: impl Fn(ComponentId) -> Option<ComponentId>,
    ) -> Result<Vec<Op>, EditError> {
        for op in &mut self.additions.ops {
            let Op::Insert(Existence { content: Some(content), .. }) = op else { continue };
            let to = |target| self.of.get(&target).copied().or_else(|| beside(target));
            let mut lost = None;
            content.0.visit_refs(&mut |r| {
                // Every model has a root, which what needs that of another one finds here.
                let is_there = r.target == ROOT || to(r.target).is_some();
                if r.strength == Strength::Hard && !is_there {
                    lost = Some(r.target);
                }
            });
            if let Some(target) = lost {
                let (kind, name) = (content.0.kind(), content.0.name().to_owned());
                return Err(EditError::Dangling { kind, name, target: self.source.path(target) });
            }
            content.0.redirect(&mut |target| to(target));
        }
        self.additions.part_files();
        Ok(self.additions.ops)
    }
}

/// Ids that a kind's components get from now on.
type Upcoming<'m> = Box<dyn Iterator<Item = ComponentId> + 'm>;

/// Insertions, with the ids and numbers that they will have.
pub(super) struct Additions<'m> {
    model: &'m Model,
    pub(super) ops: Vec<Op>,
    upcoming: BTreeMap<Kind, Upcoming<'m>>,
    numbers: BTreeMap<ComponentId, u32>,
    /// Names that were given out, and the endings that were tried for a name.
    names: BTreeSet<(ComponentId, String)>,
    endings: BTreeMap<(ComponentId, String), u64>,
}

impl<'m> Additions<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            ops: Vec::new(),
            upcoming: BTreeMap::new(),
            numbers: BTreeMap::new(),
            names: BTreeSet::new(),
            endings: BTreeMap::new(),
        }
    }

    pub(super) fn add(
        &mut self,
        parent: ComponentId,
        component: Component,
        meta: Meta,
    ) -> ComponentId {
        let (kind, store) = (component.kind(), &self.model.store);
        let upcoming = self.upcoming.entry(kind).or_insert_with(|| store.upcoming(kind));
        let id = upcoming.next().expect("there is always another id");
        let number = self.numbers.entry(parent).or_insert_with(|| store.next_number(parent));
        let place = (parent, *number);
        *number = number.saturating_add(1);
        let content = Some(Box::new((component, meta)));
        self.ops.push(Op::Insert(Existence { id, place, content }));
        id
    }

    /// Gives probes other files where two would record to one; case does not tell files apart.
    fn part_files(&mut self) {
        let known = self.model.iter::<OutputProbe>().map(|(_, probe)| probe.file_name());
        let mut files: BTreeSet<String> = known.map(|file| file.to_lowercase()).collect();
        for op in &mut self.ops {
            let Op::Insert(Existence { content: Some(content), .. }) = op else { continue };
            let Component::OutputProbe(probe) = &mut content.0 else { continue };
            let whole = probe.file_name();
            if whole.is_empty() || files.insert(whole.to_lowercase()) {
                continue;
            }
            let (stem, ending) = whole.rsplit_once('.').unwrap_or((&whole, "csv"));
            let others = (2..).map(|k| format!("{stem}_{k}.{ending}"));
            if let Some(file) = others.into_iter().find(|file| files.insert(file.to_lowercase())) {
                probe.file = file;
            }
        }
    }

    /// `name`, or `name_2`, `name_3`, .. that no child of `parent` has, and that is taken from here
    /// on; nameless stays nameless.
    fn free_name(&mut self, parent: ComponentId, name: &str) -> String {
        if name.is_empty() {
            return String::new();
        }
        let mut key = (parent, name.to_owned());
        let taken = |key: &(ComponentId, String)| {
            self.model.store.child_by_name(key.0, &key.1).is_some() || self.names.contains(key)
        };
        if taken(&key) {
            let ending = self.endings.entry(key).or_insert(2);
            key = (parent, format!("{name}_{ending}"));
            while taken(&key) {
                *ending += 1;
                key = (parent, format!("{name}_{ending}"));
            }
        }
        self.names.insert(key.clone());
        key.1
    }
}
