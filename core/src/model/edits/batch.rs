//! Several edits as one change: all of them or none, and later ones may use what earlier ones made.

use std::ops::Deref;

use super::change_set::Op;
use super::run::Direction;
use crate::component::{ComponentId, Handle};
use crate::model::{ChangeSet, Component, Edit, EditError, Model, Stored, fresh_stamp};
use crate::property::{PropertyError, PropertyRef, Setting};

/// A model while several edits are done to it (see [`Model::batch`]). It can be read like the model.
pub struct Batch<'m> {
    model: &'m mut Model,
    ops: Vec<Op>,
}

impl Deref for Batch<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}

impl Batch<'_> {
    /// Does an edit; returns the components that it added.
    ///
    /// # Errors
    /// [`EditError`]; nothing is changed by it then.
    pub fn edit(&mut self, edit: Edit) -> Result<Vec<ComponentId>, EditError> {
        let first = self.ops.len();
        match edit {
            Edit::Batch(edits) => {
                if let Err(error) = edits.into_iter().try_for_each(|e| self.edit(e).map(|_| ())) {
                    self.back_to(first);
                    return Err(error);
                }
            }
            edit => {
                if matches!(edit, Edit::Delete(_) | Edit::RemoveSupport { .. }) {
                    self.model.index_references();
                }
                let mut ops = self.model.plan_ops(edit)?;
                self.model.run(&mut ops, Direction::Forth)?;
                self.ops.append(&mut ops);
            }
        }
        Ok(self.ops[first..].iter().filter_map(Op::added).collect())
    }

    /// Adds a component (see [`Model::add_to`]).
    ///
    /// # Errors
    /// [`EditError`]; nothing is changed by it then.
    pub fn add_to<T: Stored>(
        &mut self,
        parent: impl Into<ComponentId>,
        component: T,
    ) -> Result<Handle<T>, EditError> {
        let added = self.edit(Edit::add(parent, component))?;
        added.first().and_then(|id| id.typed()).ok_or(EditError::Stale)
    }

    /// Adds a component whose references may still lead nowhere: they are set by [`Self::set_blank`] next.
    pub(crate) fn add_blank(
        &mut self,
        parent: ComponentId,
        component: Component,
    ) -> Result<ComponentId, EditError> {
        let home = self.model.home_for(parent, &component)?;
        let mut ops = self.model.plan_insertion(home, component);
        self.model.run(&mut ops, Direction::Forth)?;
        let id = ops.iter().find_map(Op::added).ok_or(EditError::Stale)?;
        self.ops.append(&mut ops);
        Ok(id)
    }

    /// Sets a property of a component that this batch has added, which goes and comes with it.
    pub(crate) fn set_blank(
        &mut self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        self.model.plan_setting(property, setting)?;
        self.model.write(property, setting)
    }

    /// Turns everything back that was done since there were `count` operations.
    fn back_to(&mut self, count: usize) {
        // What ran can be turned back: nothing came in between.
        let _ = self.model.run(&mut self.ops[count..], Direction::Back);
        self.ops.truncate(count);
    }

    /// Works edits out on a copy of `model`.
    pub(super) fn plan(model: &Model, edits: Vec<Edit>) -> Result<ChangeSet, EditError> {
        let mut copy = model.clone();
        let mut change = copy.edit(Edit::Batch(edits))?;
        copy.undo(&mut change)?;
        change.after = None;
        Ok(change)
    }
}

impl Model {
    /// Does several edits as one change, which is undone as one; when `work` fails, none is done.
    ///
    /// ```
    /// use sinew::model::EditError;
    /// use sinew::model::{AxialSpring, LinearAxial, Model, Particle};
    ///
    /// let mut model = Model::new("pair");
    /// let main = model.main();
    /// let mut change = model.batch(|batch| {
    ///     let ends = [0.0, 1.0].map(|x| Particle::new(1.0, [x, 0.0, 0.0].into()));
    ///     let [a, b] = ends.map(|end| batch.add_to(main, end));
    ///     batch.add_to(main, AxialSpring::new([a?, b?], LinearAxial::default()))?;
    ///     Ok::<(), EditError>(())
    /// })?;
    /// assert_eq!(change.added().len(), 3);
    /// model.undo(&mut change)?;
    /// # Ok::<(), EditError>(())
    /// ```
    ///
    /// # Errors
    /// That of `work`; the model is then as it was.
    pub fn batch<E>(
        &mut self,
        work: impl FnOnce(&mut Batch<'_>) -> Result<(), E>,
    ) -> Result<ChangeSet, E> {
        let seen = self.log.now();
        let mut batch = Batch { model: self, ops: Vec::new() };
        if let Err(error) = work(&mut batch) {
            batch.back_to(0);
            // All is as it was, and nobody has looked in between.
            batch.model.log.forget_since(seen);
            return Err(error);
        }
        let mut change = ChangeSet { ops: batch.ops, ..self.change_of(Vec::new()) };
        if change.is_structural() {
            self.stamp = fresh_stamp();
        }
        (change.after, change.applied) = (Some(self.stamp), true);
        Ok(change)
    }
}
