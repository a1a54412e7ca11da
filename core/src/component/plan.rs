//! From edits to change sets: what goes along, what comes along, who forgets whom. Nothing is
//! changed here.

use std::collections::{BTreeMap, BTreeSet};

use super::change_set::{Existence, Op};
use super::kinds::for_kind;
use super::{
    ChangeSet, Component, ComponentId, Edit, EditError, Kind, ModelComponent, ROOT, Reference,
    ReferenceIndex, Strength,
};
use crate::model::{ComponentList, MechModel, Model};
use crate::property::RenderProps;

impl Model {
    /// Works an edit out in full.
    ///
    /// # Errors
    /// [`EditError`] says what stands against it.
    pub fn plan(&self, edit: Edit) -> Result<ChangeSet, EditError> {
        let ops = match edit {
            Edit::Add { parent, component } => self.plan_add(parent, *component)?,
            Edit::Delete(ids) => self.plan_delete(&ids)?,
            Edit::Duplicate(ids) => self.plan_duplicate(&ids)?,
            Edit::Reparent { id, parent } => self.plan_reparent(id, parent)?,
            Edit::Rename { id, name } => self.plan_rename(id, name)?,
            Edit::Set { property, setting } => match self.plan_whole(&property, &setting)? {
                Some(other) => {
                    let id = property.host().component();
                    vec![Op::Swap { id, other: Box::new(other), map: None }]
                }
                None => vec![Op::Set { property, other: setting }],
            },
            Edit::Transform { ids, map } => self.plan_transform(&ids, &map)?,
        };
        Ok(self.change_of(ops))
    }

    pub(crate) fn change_of(&self, ops: Vec<Op>) -> ChangeSet {
        ChangeSet { ops, before: self.stamp, after: None, applied: false }
    }

    /// Plans an edit and applies it.
    ///
    /// # Errors
    /// [`EditError`]; the model is then as it was.
    pub fn edit(&mut self, edit: Edit) -> Result<ChangeSet, EditError> {
        let mut change = self.plan(edit)?;
        self.apply(&mut change)?;
        Ok(change)
    }

    pub(crate) fn plan_insertion(&self, parent: ComponentId, component: Component) -> Vec<Op> {
        let mut additions = Additions::new(self);
        let kind = component.kind();
        let id = additions.add(parent, component, None);
        if kind == Kind::MechModel {
            for name in MechModel::lists() {
                additions.add(id, ComponentList::home(name).into(), None);
            }
        }
        additions.ops
    }

    fn plan_add(&self, parent: ComponentId, component: Component) -> Result<Vec<Op>, EditError> {
        let kind = component.kind();
        let parent = self.place_for(parent, kind)?;
        if !component.name().is_empty()
            && self.store.child_by_name(parent, component.name()).is_some()
        {
            let name = component.name().to_owned();
            return Err(EditError::NameTaken { parent: self.path(parent), name });
        }
        let mut missing = None;
        component.visit_refs(&mut |r| {
            if !self.store.contains(r.target) {
                missing = Some(r.target);
            }
        });
        if let Some(target) = missing {
            let (name, target) = (component.name().to_owned(), self.path(target));
            return Err(EditError::Dangling { kind, name, target });
        }
        Ok(self.plan_insertion(parent, component))
    }

    /// Where a component of `kind` goes that is added to `parent`: there, or into a list of it.
    pub(crate) fn place_for(
        &self,
        parent: ComponentId,
        kind: Kind,
    ) -> Result<ComponentId, EditError> {
        self.present(parent)?;
        let own = matches!(kind, Kind::ComponentList | Kind::ReferenceList);
        let list = match (parent.kind, kind.home()) {
            (Kind::RootModel | Kind::MechModel, Some(home)) => {
                self.store.child_by_name(parent, home)
            }
            (Kind::RootModel | Kind::MechModel, None) if own => Some(parent),
            (Kind::ComponentList, home) => {
                let list = parent.typed().and_then(|h| self.get::<ComponentList>(h));
                list.is_some_and(|l| l.takes(kind, home)).then_some(parent)
            }
            _ => None,
        };
        list.ok_or_else(|| EditError::Place { parent: self.path(parent), kind })
    }

    fn present(&self, id: ComponentId) -> Result<(), EditError> {
        if self.store.contains(id) { Ok(()) } else { Err(EditError::Gone(self.path(id))) }
    }

    /// Whether the component may have another name: the lists of a mechanical model may not.
    pub(crate) fn can_be_named(&self, id: ComponentId) -> bool {
        let list = id.typed().and_then(|h| self.get::<ComponentList>(h));
        !list.is_some_and(ComponentList::is_home)
    }

    /// Whether the component may be deleted and moved by itself.
    fn free(&self, id: ComponentId) -> Result<(), EditError> {
        self.present(id)?;
        if id == ROOT || !self.can_be_named(id) {
            return Err(EditError::Fixed(self.path(id)));
        }
        Ok(())
    }

    fn plan_delete(&self, ids: &[ComponentId]) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.free(id))?;
        let fresh;
        let index = if self.references.is_current() {
            &self.references
        } else {
            fresh = ReferenceIndex::of(&self.store);
            &fresh
        };
        let (mut gone, mut open) = (BTreeSet::new(), ids.to_vec());
        let mut forgetful = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !gone.insert(id) {
                continue;
            }
            open.extend(self.store.children(id).iter().map(|c| c.1));
            for referrer in index.referrers(id) {
                if self.refers_hard(referrer, id) {
                    open.push(referrer);
                } else {
                    forgetful.insert(referrer);
                }
            }
        }
        let mut ops = Vec::new();
        for &id in forgetful.difference(&gone) {
            let Some(mut other) = self.store.cloned(id) else { continue };
            other.redirect(&mut |target| (!gone.contains(&target)).then_some(target));
            ops.push(Op::Swap { id, other: Box::new(other), map: None });
        }
        let mut order: Vec<ComponentId> = gone.into_iter().collect();
        order.sort_by_cached_key(|&id| (std::cmp::Reverse(self.store.ancestors(id).count()), id));
        ops.extend(order.into_iter().filter_map(|id| {
            let meta = self.store.meta(id)?;
            let place = (meta.parent?, meta.number);
            Some(Op::Remove(Existence { id, place, content: None }))
        }));
        Ok(ops)
    }

    fn refers_hard(&self, from: ComponentId, to: ComponentId) -> bool {
        let mut hard = false;
        let needed = |r: Reference| r.target == to && r.strength == Strength::Hard;
        self.store.visit_refs(from, &mut |r| hard |= needed(r));
        hard
    }

    fn plan_duplicate(&self, ids: &[ComponentId]) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.free(id))?;
        let (mut wanted, mut open) = (BTreeSet::new(), ids.to_vec());
        while let Some(id) = open.pop() {
            if !wanted.insert(id) {
                continue;
            }
            open.extend(self.store.children(id).iter().map(|c| c.1));
            self.store.visit_refs(id, &mut |r| {
                if r.strength == Strength::Hard {
                    open.push(r.target);
                }
            });
        }
        let mut order: Vec<ComponentId> = wanted.into_iter().collect();
        order.sort_by_cached_key(|&id| self.tree_place(id));
        let mut additions = Additions::new(self);
        let mut copies: BTreeMap<ComponentId, ComponentId> = BTreeMap::new();
        for id in order {
            let (Some(mut copy), Some(meta)) = (self.store.cloned(id), self.store.meta(id)) else {
                continue;
            };
            let Some(old_parent) = meta.parent else { continue };
            let parent = copies.get(&old_parent).copied().unwrap_or(old_parent);
            if parent == old_parent {
                *copy.name_mut() = self.free_name(parent, copy.name(), &additions);
            }
            copies.insert(id, additions.add(parent, copy, meta.render.clone()));
        }
        for op in &mut additions.ops {
            if let Op::Insert(Existence { content: Some(content), .. }) = op {
                content.0.redirect(&mut |t| Some(copies.get(&t).copied().unwrap_or(t)));
            }
        }
        Ok(additions.ops)
    }

    /// Numbers from the root down: the order of the tree.
    fn tree_place(&self, id: ComponentId) -> Vec<u32> {
        let up = std::iter::once(id).chain(self.store.ancestors(id));
        let mut place: Vec<u32> = up.filter_map(|id| Some(self.store.meta(id)?.number)).collect();
        place.reverse();
        place
    }

    /// `name`, or `name_2`, `name_3`, .. that no child of `parent` has; nameless stays nameless.
    fn free_name(&self, parent: ComponentId, name: &str, additions: &Additions<'_>) -> String {
        let taken = |name: &str| {
            self.store.child_by_name(parent, name).is_some()
                || additions.names.contains(&(parent, name.to_owned()))
        };
        if name.is_empty() || !taken(name) {
            return name.to_owned();
        }
        (2u64..).map(|k| format!("{name}_{k}")).find(|name| !taken(name)).unwrap_or_default()
    }

    fn plan_reparent(&self, id: ComponentId, parent: ComponentId) -> Result<Vec<Op>, EditError> {
        self.free(id)?;
        let to = self.place_for(parent, id.kind)?;
        if self.store.is_within(to, id) {
            return Err(EditError::Cycle { id: self.path(id), parent: self.path(parent) });
        }
        let name = self.store.name(id);
        if self.store.child_by_name(to, name).is_some_and(|other| other != id) {
            return Err(EditError::NameTaken { parent: self.path(to), name: name.to_owned() });
        }
        let from = self.store.meta(id).and_then(|m| Some((m.parent?, m.number)));
        let Some(from) = from else { return Err(EditError::Fixed(self.path(id))) };
        if from.0 == to {
            return Ok(Vec::new());
        }
        Ok(vec![Op::Move { id, from, to: (to, self.store.next_number(to)) }])
    }

    fn plan_rename(&self, id: ComponentId, name: String) -> Result<Vec<Op>, EditError> {
        self.present(id)?;
        if id != ROOT {
            self.free(id)?;
        }
        let parent = self.store.meta(id).and_then(|m| m.parent);
        if let Some(parent) = parent
            && self.store.child_by_name(parent, &name).is_some_and(|other| other != id)
        {
            return Err(EditError::NameTaken { parent: self.path(parent), name });
        }
        Ok(vec![Op::Rename { id, other: name }])
    }

    fn plan_transform(
        &self,
        ids: &[ComponentId],
        map: &crate::model::Affine,
    ) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.present(id))?;
        let mut all = BTreeSet::new();
        for &id in ids {
            self.store.visit_subtree(id, &mut |id| {
                all.insert(id);
            });
        }
        let mut ops = Vec::new();
        for id in all {
            let Some(mut other) = self.store.cloned(id) else { continue };
            other
                .transform(map)
                .map_err(|refusal| EditError::Transform { path: self.path(id), refusal })?;
            if for_kind!(id.kind, T => T::MOVES) {
                ops.push(Op::Swap { id, other: Box::new(other), map: Some(Box::new(*map)) });
            }
        }
        Ok(ops)
    }
}

/// Insertions, with the ids and numbers that they will have.
struct Additions<'m> {
    model: &'m Model,
    ops: Vec<Op>,
    counts: BTreeMap<Kind, usize>,
    numbers: BTreeMap<ComponentId, u32>,
    names: BTreeSet<(ComponentId, String)>,
}

impl<'m> Additions<'m> {
    fn new(model: &'m Model) -> Self {
        Self {
            model,
            ops: Vec::new(),
            counts: BTreeMap::new(),
            numbers: BTreeMap::new(),
            names: BTreeSet::new(),
        }
    }

    fn add(
        &mut self,
        parent: ComponentId,
        component: Component,
        render: Option<Box<RenderProps>>,
    ) -> ComponentId {
        let count = self.counts.entry(component.kind()).or_default();
        let id = self.model.store.upcoming(component.kind(), *count);
        *count += 1;
        let number =
            self.numbers.entry(parent).or_insert_with(|| self.model.store.next_number(parent));
        let place = (parent, *number);
        *number += 1;
        self.names.insert((parent, component.name().to_owned()));
        let content = Some(Box::new((component, render)));
        self.ops.push(Op::Insert(Existence { id, place, content }));
        id
    }
}
