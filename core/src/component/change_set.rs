//! Change sets: edits worked out in full, which can be looked at, applied, undone and done again,
//! each exactly. How an edit becomes one stands in `plan.rs`.

use super::{Change, Component, ComponentId, EditError, Invalidates, Kind, Meta};
use crate::model::{Affine, Model};
use crate::property::{PropertyRef, RenderProps, Setting};

/// A parent and a number under it.
pub(crate) type Place = (ComponentId, u32);

/// A component that is added or removed.
#[derive(Clone, Debug)]
pub(crate) struct Existence {
    pub(crate) id: ComponentId,
    pub(crate) place: Place,
    /// The component, while it is not in the model.
    pub(crate) content: Option<Box<(Component, Option<Box<RenderProps>>)>>,
}

/// The smallest change; each one can be turned back.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Insert(Existence),
    Remove(Existence),
    /// Exchanges a component for `other`, which then holds what was there.
    Swap {
        id: ComponentId,
        other: Box<Component>,
        map: Option<Box<Affine>>,
    },
    Move {
        id: ComponentId,
        from: Place,
        to: Place,
    },
    /// Exchanges the name for `other`.
    Rename {
        id: ComponentId,
        other: String,
    },
    /// Exchanges the setting for `other`.
    Set {
        property: PropertyRef,
        other: Setting,
    },
}

impl Op {
    fn id(&self) -> ComponentId {
        match self {
            Self::Insert(it) | Self::Remove(it) => it.id,
            Self::Swap { id, .. } | Self::Move { id, .. } | Self::Rename { id, .. } => *id,
            Self::Set { property, .. } => property.host().component(),
        }
    }
}

/// Edits worked out for a model in one state of its tree: applied there, undone where they led to.
#[derive(Clone, Debug)]
pub struct ChangeSet {
    pub(crate) ops: Vec<Op>,
    /// The tree that it applies to, and the one that it leads to.
    pub(crate) before: u64,
    pub(crate) after: Option<u64>,
    pub(crate) applied: bool,
}

impl ChangeSet {
    /// Components that it adds, in order.
    pub fn added(&self) -> Vec<ComponentId> {
        self.filtered(|op| matches!(op, Op::Insert(_)))
    }

    /// Components that it deletes, what is below before what is above.
    pub fn deleted(&self) -> Vec<ComponentId> {
        self.filtered(|op| matches!(op, Op::Remove(_)))
    }

    /// Components that stay and are changed.
    pub fn changed(&self) -> Vec<ComponentId> {
        self.filtered(|op| !matches!(op, Op::Insert(_) | Op::Remove(_)))
    }

    /// Whether it is in force.
    pub fn is_applied(&self) -> bool {
        self.applied
    }

    fn filtered(&self, keep: impl Fn(&Op) -> bool) -> Vec<ComponentId> {
        self.ops.iter().filter(|op| keep(op)).map(Op::id).collect()
    }

    /// Whether it changes which components there are, or where they stand in the tree.
    fn is_structural(&self) -> bool {
        self.ops.iter().any(|op| !matches!(op, Op::Set { .. } | Op::Rename { .. }))
    }
}

impl Model {
    /// What `change` does, a line each, with the paths of before it is applied.
    pub fn preview(&self, change: &ChangeSet) -> Vec<String> {
        let line = |op: &Op| match op {
            Op::Insert(it) => {
                let (parent, number) = it.place;
                let name = it.content.as_ref().map_or("", |c| c.0.name());
                let kind = it.id.kind.name();
                format!("add {kind} '{name}' as number {number} of {}", self.path(parent))
            }
            Op::Remove(it) => format!("delete {}", self.path(it.id)),
            Op::Swap { id, map: Some(_), .. } => format!("transform {}", self.path(*id)),
            Op::Swap { id, .. } => format!("change {}", self.path(*id)),
            Op::Move { id, to, .. } => format!("move {} to {}", self.path(*id), self.path(to.0)),
            Op::Rename { id, other } => format!("rename {} to '{other}'", self.path(*id)),
            Op::Set { property, other } => {
                format!("set {} to {other}", self.property_path(property))
            }
        };
        change.ops.iter().map(line).collect()
    }

    /// Applies `change`, for the first time or again.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the tree is not the one that it was planned for. Nothing is changed
    /// then.
    pub fn apply(&mut self, change: &mut ChangeSet) -> Result<(), EditError> {
        if change.applied || change.before != self.stamp {
            return Err(EditError::Stale);
        }
        self.run(change, Direction::Forth)?;
        let after = match change.after {
            Some(after) => after,
            None if change.is_structural() => self.fresh_stamp(),
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
        self.run(change, Direction::Back)?;
        change.applied = false;
        self.stamp = change.before;
        Ok(())
    }

    /// Runs all operations; on an error those that ran are turned back.
    fn run(&mut self, change: &mut ChangeSet, direction: Direction) -> Result<(), EditError> {
        let deletes = change.ops.iter().any(|op| matches!(op, Op::Remove(_)));
        if deletes && !self.references.is_current() {
            self.references = super::ReferenceIndex::of(&self.store);
        }
        let count = change.ops.len();
        let at = |k: usize| if direction == Direction::Forth { k } else { count - 1 - k };
        for k in 0..count {
            if let Err(error) = self.run_op(&mut change.ops[at(k)], direction) {
                for done in (0..k).rev() {
                    // What ran can be turned back: nothing came in between.
                    let _ = self.run_op(&mut change.ops[at(done)], direction.reversed());
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
            Op::Swap { id, other, map } => {
                let map = match (map, forth) {
                    (Some(map), true) => Some(map.clone()),
                    (Some(map), false) => map.inverse().map(Box::new),
                    (None, _) => None,
                };
                self.swap(*id, other, map)
            }
            Op::Move { id, from, to } => {
                let (old, new) = if forth { (*from, *to) } else { (*to, *from) };
                self.store.detach(*id);
                if !self.store.attach(*id, new.0, new.1) {
                    self.store.attach(*id, old.0, old.1);
                    return Err(EditError::Stale);
                }
                self.log.push(*id, Invalidates::STRUCTURE | Invalidates::RENDER);
                Ok(())
            }
            Op::Rename { id, other } => {
                let name = self.store.name_mut(*id).ok_or(EditError::Stale)?;
                std::mem::swap(name, other);
                self.log.push(*id, Invalidates::NOTHING);
                Ok(())
            }
            Op::Set { property, other } => {
                let before = self.setting(property)?;
                self.write(property, other)?;
                *other = before;
                Ok(())
            }
        }
    }

    fn insert(&mut self, it: &mut Existence) -> Result<(), EditError> {
        let content = it.content.take().ok_or(EditError::Stale)?;
        let (component, render) = *content;
        let meta = Meta { render, ..Meta::default() };
        let (parent, number) = it.place;
        if !(self.store.put(it.id, component, meta) && self.store.attach(it.id, parent, number)) {
            return Err(EditError::Stale);
        }
        self.references.add(&self.store, it.id);
        self.log.push(it.id, Invalidates::STRUCTURE | Invalidates::RENDER);
        Ok(())
    }

    fn remove(&mut self, it: &mut Existence) -> Result<(), EditError> {
        self.references.remove(&self.store, it.id);
        self.store.detach(it.id);
        let (component, meta) = self.store.take(it.id).ok_or(EditError::Stale)?;
        it.content = Some(Box::new((component, meta.render)));
        self.log.push(it.id, Invalidates::STRUCTURE | Invalidates::RENDER);
        Ok(())
    }

    fn swap(
        &mut self,
        id: ComponentId,
        other: &mut Component,
        map: Option<Box<Affine>>,
    ) -> Result<(), EditError> {
        self.references.remove(&self.store, id);
        if !self.store.swap(id, other) {
            return Err(EditError::Stale);
        }
        self.references.add(&self.store, id);
        let structural = id.kind != Kind::ReferenceList && map.is_none();
        let invalidates = if structural { Invalidates::STRUCTURE } else { Invalidates::NOTHING };
        let moved = if map.is_some() { Invalidates::GEOMETRY } else { Invalidates::NOTHING };
        let invalidates = invalidates | moved | Invalidates::RENDER;
        self.log.push_change(Change { id, invalidates, map });
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forth,
    Back,
}

impl Direction {
    fn reversed(self) -> Self {
        if self == Self::Forth { Self::Back } else { Self::Forth }
    }
}

/// What was done to a model, to go back and forth in.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<ChangeSet>,
    undone: Vec<ChangeSet>,
}

impl History {
    /// Plans and applies an edit; what was undone before can no longer be done again.
    ///
    /// # Errors
    /// [`EditError`]; nothing is changed then.
    pub fn apply(&mut self, model: &mut Model, edit: super::Edit) -> Result<&ChangeSet, EditError> {
        let change = model.edit(edit)?;
        self.record(change);
        Ok(&self.done[self.done.len() - 1])
    }

    /// Remembers a change that was applied; what was undone before can no longer be done again.
    pub fn record(&mut self, change: ChangeSet) {
        self.undone.clear();
        self.done.push(change);
    }

    /// Takes the last change back; `false` when there is none.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the model was changed by other means since.
    pub fn undo(&mut self, model: &mut Model) -> Result<bool, EditError> {
        let Some(change) = self.done.last_mut() else { return Ok(false) };
        model.undo(change)?;
        self.undone.extend(self.done.pop());
        Ok(true)
    }

    /// Does again what was taken back last; `false` when there is nothing.
    ///
    /// # Errors
    /// [`EditError::Stale`] when the model was changed by other means since.
    pub fn redo(&mut self, model: &mut Model) -> Result<bool, EditError> {
        let Some(change) = self.undone.last_mut() else { return Ok(false) };
        model.apply(change)?;
        self.done.extend(self.undone.pop());
        Ok(true)
    }
}
