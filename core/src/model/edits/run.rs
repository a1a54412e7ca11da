//! Applying and undoing change sets, each exactly. Every operation logs what it makes stale, and
//! nothing else.

use std::sync::Arc;

use super::change_set::{ChildPosition, Existence, Op};
use crate::component::{Change, ComponentId, Invalidates, Kind};
use crate::model::{ChangeSet, EditError, Model, ReferenceIndex, fresh_stamp};
use crate::property::{PropertyError, PropertyRef, Setting};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forth,
    Back,
}

impl Direction {
    fn reversed(self) -> Self {
        if self == Self::Forth { Self::Back } else { Self::Forth }
    }
}

/// Caches that the coming and going of a component makes stale by itself: containers and groups are
/// neither simulated nor drawn, and their members come and go by themselves.
fn existence(kind: Kind) -> Invalidates {
    match kind {
        Kind::RootModel | Kind::MechModel | Kind::ComponentList | Kind::ReferenceList => {
            Invalidates::NOTHING
        }
        Kind::RenderMesh
        | Kind::InputProbe
        | Kind::OutputProbe
        | Kind::Waypoint
        | Kind::ControlPanel => Invalidates::RENDER,
        _ => Invalidates::STRUCTURE | Invalidates::RENDER,
    }
}

impl Model {
    /// Applies `change`, for the first time or again.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the tree is not the one that it was planned for;
    /// [`EditError::Property`] when a property has become another since. Nothing is changed then.
    pub fn apply(&mut self, change: &mut ChangeSet) -> Result<(), EditError> {
        if change.applied || change.before != self.stamp {
            return Err(EditError::Stale);
        }
        self.run(&mut change.ops, Direction::Forth)?;
        let after = match change.after {
            Some(after) => after,
            None if change.is_structural() => fresh_stamp(),
            None => self.stamp,
        };
        (change.after, change.applied) = (Some(after), true);
        self.stamp = after;
        Ok(())
    }

    /// Takes `change` back.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the tree is not the one that it led to. Nothing is changed then.
    pub fn undo(&mut self, change: &mut ChangeSet) -> Result<(), EditError> {
        if !change.applied || change.after != Some(self.stamp) {
            return Err(EditError::Stale);
        }
        self.run(&mut change.ops, Direction::Back)?;
        change.applied = false;
        self.stamp = change.before;
        Ok(())
    }

    /// Somebody gets `id` to change it in any way.
    pub(crate) fn lend(&mut self, id: ComponentId) {
        self.settle();
        self.references.remove(&self.store, id);
        self.store.lend(id);
        self.stamp = fresh_stamp();
    }

    /// Takes in what became of the component that was lent out last.
    pub(super) fn settle(&mut self) {
        if let Some(id) = self.store.settle() {
            self.references.add(&self.store, id);
        }
    }

    /// From here on it is known who refers to whom.
    pub(super) fn index_references(&mut self) {
        self.settle();
        if !self.references.is_current() {
            self.references = ReferenceIndex::of(&self.store);
        }
    }

    /// Gives a component another name, whatever those beside it are called; `None` when it is not
    /// there.
    pub(crate) fn put_name(&mut self, id: ComponentId, mut name: String) -> Option<()> {
        self.settle();
        self.stamp = fresh_stamp();
        self.store.swap_name(id, &mut name).then_some(())
    }

    /// Runs all operations; on an error those that ran are turned back.
    pub(super) fn run(&mut self, ops: &mut [Op], direction: Direction) -> Result<(), EditError> {
        self.settle();
        self.log.make_room(ops.len());
        let count = ops.len();
        let at = |k: usize| if direction == Direction::Forth { k } else { count - 1 - k };
        for k in 0..count {
            if let Err(error) = self.run_op(&mut ops[at(k)], direction) {
                for done in (0..k).rev() {
                    // What ran can be turned back: nothing came in between.
                    let _ = self.run_op(&mut ops[at(done)], direction.reversed());
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn run_op(&mut self, op: &mut Op, direction: Direction) -> Result<(), EditError> {
        let forth = direction == Direction::Forth;
        match op {
            Op::Insert(it) if forth => self.insert(it),
            Op::Remove(it) if !forth => self.insert(it),
            Op::Insert(it) | Op::Remove(it) => self.remove(it),
            Op::Swap { id, other, invalidates, map } => {
                let map = match (map, forth) {
                    (Some(map), true) => Some(map.clone()),
                    (Some(map), false) => map.inverse().map(Arc::new),
                    (None, _) => None,
                };
                self.references.remove(&self.store, *id);
                if !self.store.swap(*id, other) {
                    return Err(EditError::Stale);
                }
                self.references.add(&self.store, *id);
                self.log.push_change(Change { id: *id, invalidates: *invalidates, map });
                Ok(())
            }
            Op::Move { id, from, to } if forth => self.move_to(*id, *from, *to),
            Op::Move { id, from, to } => self.move_to(*id, *to, *from),
            Op::Rename { id, other } => {
                if !self.store.swap_name(*id, other) {
                    return Err(EditError::Stale);
                }
                // Trees that are shown have its name.
                self.log.push(*id, Invalidates::RENDER);
                Ok(())
            }
            Op::Declare { id, at, other } => self.exchange_declared(*id, *at, other),
            Op::Set { property, other, along } => {
                Ok(self.exchange(property, other, along, direction)?)
            }
        }
    }

    fn move_to(
        &mut self,
        id: ComponentId,
        from: ChildPosition,
        to: ChildPosition,
    ) -> Result<(), EditError> {
        self.store.detach(id);
        if !self.store.attach(id, to.0, to.1) {
            self.store.attach(id, from.0, from.1);
            return Err(EditError::Stale);
        }
        let mut invalidates = Invalidates::NOTHING;
        self.store.visit_subtree(id, &mut |id| invalidates = invalidates | existence(id.kind));
        self.log.push(id, invalidates);
        Ok(())
    }

    /// Exchanges a setting for `other`. Where setting a property replaces others, these are kept in
    /// `along` on the way forth, and put back on the way back.
    fn exchange(
        &mut self,
        property: &PropertyRef,
        other: &mut Setting,
        along: &mut Vec<(PropertyRef, Setting)>,
        direction: Direction,
    ) -> Result<(), PropertyError> {
        let before = self.setting(property)?;
        let aside = if direction == Direction::Forth && !property.stands_alone() {
            self.settings_beside(property)
        } else {
            Vec::new()
        };
        self.write(property, other)?;
        *other = before;
        match direction {
            Direction::Forth if aside.is_empty() => Ok(()),
            Direction::Forth => {
                *along = self.replaced(property, other, aside)?;
                Ok(())
            }
            Direction::Back => {
                along.drain(..).try_for_each(|(beside, setting)| self.write(&beside, &setting))
            }
        }
    }

    /// Earlier settings that the present setting of a property replaced, or that setting back this
    /// property alone would not restore: defaults may agree with them by chance on either side.
    fn replaced(
        &mut self,
        property: &PropertyRef,
        before: &Setting,
        mut aside: Vec<(PropertyRef, Setting)>,
    ) -> Result<Vec<(PropertyRef, Setting)>, PropertyError> {
        let id = property.host().component();
        let differs =
            |model: &Self, it: &(PropertyRef, Setting)| model.setting(&it.0).as_ref() != Ok(&it.1);
        let now: Vec<bool> = aside.iter().map(|it| differs(self, it)).collect();
        let mut present = self.store.cloned(id);
        let back = self.write(property, before);
        let mut now = now.into_iter();
        aside.retain(|it| now.next() == Some(true) || differs(self, it));
        if let Some(present) = &mut present {
            self.store.swap(id, present);
        }
        back.map(|()| aside)
    }

    /// Other settings of the component that can be set, and are present.
    fn settings_beside(&self, property: &PropertyRef) -> Vec<(PropertyRef, Setting)> {
        let mut all = self.properties(property.host());
        all.retain(|p| !p.info().read_only && p.info().name != property.info().name);
        all.into_iter().filter_map(|p| Some((p, self.setting(&p).ok()?))).collect()
    }

    fn insert(&mut self, it: &mut Existence) -> Result<(), EditError> {
        let (parent, number) = it.place;
        let free = self.store.contains(parent)
            && self.store.child_by_number(parent, number).is_none()
            && self.store.is_vacant(it.id);
        let content = if free { it.content.take() } else { None };
        let (component, meta) = *content.ok_or(EditError::Stale)?;
        self.store.put(it.id, component, meta);
        self.store.attach(it.id, parent, number);
        self.references.add(&self.store, it.id);
        self.log.push(it.id, existence(it.id.kind));
        Ok(())
    }

    fn remove(&mut self, it: &mut Existence) -> Result<(), EditError> {
        self.references.remove(&self.store, it.id);
        self.store.detach(it.id);
        let (component, meta) = self.store.take(it.id).ok_or(EditError::Stale)?;
        it.content = Some(Box::new((component, meta)));
        self.log.push(it.id, existence(it.id.kind));
        Ok(())
    }
}
