//! From edits to change sets: the places of components, and the errors of an edit. Nothing is
//! changed here. Deleting and copying have files of their own.

use super::batch::Batch;
use super::change_set::Op;
use super::copies::{Additions, Along};
use crate::component::{ComponentId, Kind, ROOT, TransformOptions};
use crate::kinds::{ComponentList, MechModel, OutputProbe};
use crate::model::{ChangeSet, Component, Edit, EditError, MAX_DEPTH, Meta, Model};
use crate::property::{ModelComponent, PropertyError, PropertyRef, Setting, Value};

impl Model {
    /// Works an edit out in full. For an [`Edit::Batch`] that takes a copy of the model.
    ///
    /// # Errors
    /// [`EditError`] says what stands against it.
    pub fn plan(&self, edit: Edit) -> Result<ChangeSet, EditError> {
        if let Edit::Batch(edits) = edit {
            return Batch::plan(self, edits);
        }
        Ok(self.change_of(self.plan_ops(edit)?))
    }

    /// Works out any edit but a batch.
    pub(super) fn plan_ops(&self, edit: Edit) -> Result<Vec<Op>, EditError> {
        match edit {
            Edit::Add { parent, component } => self.plan_add(parent, *component),
            Edit::Import { parent, model } => self.plan_import(parent, &model),
            Edit::Delete(ids) => self.plan_delete(&ids),
            Edit::Duplicate(ids) => self.plan_duplicate(&ids, Along::Needed),
            Edit::DuplicateAlone(ids) => self.plan_duplicate(&ids, Along::Nobody),
            Edit::Reparent { id, parent } => self.plan_reparent(id, parent),
            Edit::Rename { id, name } => self.plan_rename(id, name),
            Edit::Set { property, setting } => self.plan_set(property, setting),
            Edit::Declare { id, declaration } => self.plan_declare(id, &declaration),
            Edit::Undeclare(property) => self.plan_undeclare(&property),
            Edit::Transform { ids, map } => {
                self.plan_deformation(&ids, &map.into(), TransformOptions::default())
            }
            Edit::Deform { ids, map, options } => self.plan_deformation(&ids, &map, options),
            Edit::NameFaces { fem, name, faces } => self.plan_faces(fem, &name, &faces),
            Edit::AddSupport { fem, nodes } => self.plan_support(fem, nodes),
            Edit::RemoveSupport { fem, number } => self.plan_support_removal(fem, number),
            Edit::Batch(_) => Ok(Vec::new()),
        }
    }

    pub(crate) fn change_of(&self, ops: Vec<Op>) -> ChangeSet {
        ChangeSet { ops, before: self.stamp, after: None, applied: false }
    }

    /// Plans an edit and applies it.
    ///
    /// # Errors
    /// [`EditError`]; the model is then as it was.
    pub fn edit(&mut self, edit: Edit) -> Result<ChangeSet, EditError> {
        self.batch(|batch| batch.edit(edit).map(|_| ()))
    }

    pub(crate) fn plan_insertion(&self, parent: ComponentId, mut component: Component) -> Vec<Op> {
        component.link(&|path| self.find(path).ok());
        let mut additions = Additions::new(self);
        let kind = component.kind();
        let id = additions.add(parent, component, Meta::default());
        if kind == Kind::MechModel {
            for name in MechModel::lists() {
                additions.add(id, ComponentList::home(name).into(), Meta::default());
            }
        }
        additions.ops
    }

    fn plan_add(&self, parent: ComponentId, component: Component) -> Result<Vec<Op>, EditError> {
        let kind = component.kind();
        let parent = self.home_for(parent, &component)?;
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
        let component = match component {
            // A copy of a list that every model has is a container like others.
            Component::ComponentList(list) => list.owned().into(),
            other => other,
        };
        Ok(self.plan_insertion(parent, component))
    }

    /// Parent of a new component that is added to `parent`, once there is room and its name is
    /// free.
    pub(super) fn home_for(
        &self,
        parent: ComponentId,
        component: &Component,
    ) -> Result<ComponentId, EditError> {
        let kind = component.kind();
        let home = self.place_for(parent, kind)?;
        self.room_below(home, usize::from(kind == Kind::MechModel))?;
        self.name_free(home, component.name(), None)?;
        Ok(home)
    }

    /// Checks that `height` more generations have room below a child of `parent`.
    pub(crate) fn room_below(&self, parent: ComponentId, height: usize) -> Result<(), EditError> {
        if self.store.depth(parent) + 1 + height <= MAX_DEPTH {
            return Ok(());
        }
        // The path of what is so deep would fill pages.
        let (kind, name) = (parent.kind, self.store.name(parent).to_owned());
        Err(EditError::TooDeep { kind, name })
    }

    /// Checks that a child of `parent` can be called so, `itself` being it already.
    fn name_free(
        &self,
        parent: ComponentId,
        name: &str,
        itself: Option<ComponentId>,
    ) -> Result<(), EditError> {
        match self.store.child_by_name(parent, name) {
            Some(other) if Some(other) != itself => {
                Err(EditError::NameTaken { parent: self.path(parent), name: name.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Parent of a component of `kind` that is added to `parent`: that one, or a list of it.
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
        list.ok_or_else(|| EditError::Misplaced { parent: self.path(parent), kind })
    }

    pub(super) fn present(&self, id: ComponentId) -> Result<(), EditError> {
        if self.store.contains(id) { Ok(()) } else { Err(EditError::Gone(self.path(id))) }
    }

    /// True if the component may have another name: the lists of a mechanical model may not.
    pub(crate) fn can_be_named(&self, id: ComponentId) -> bool {
        let list = id.typed().and_then(|h| self.get::<ComponentList>(h));
        !list.is_some_and(ComponentList::is_home)
    }

    /// Checks that the component may be deleted and moved by itself.
    pub(super) fn free(&self, id: ComponentId) -> Result<(), EditError> {
        self.present(id)?;
        if id == ROOT || !self.can_be_named(id) {
            return Err(EditError::Fixed(self.path(id)));
        }
        Ok(())
    }

    fn plan_reparent(&self, id: ComponentId, parent: ComponentId) -> Result<Vec<Op>, EditError> {
        self.free(id)?;
        let to = self.place_for(parent, id.kind)?;
        if self.store.is_within(to, id) {
            return Err(EditError::Cycle { id: self.path(id), parent: self.path(parent) });
        }
        let from = self.store.meta(id).and_then(|m| Some((m.parent?, m.number)));
        let Some(from) = from else { return Err(EditError::Fixed(self.path(id))) };
        if from.0 == to {
            return Ok(Vec::new());
        }
        self.name_free(to, self.store.name(id), Some(id))?;
        self.room_below(to, self.store.height(id))?;
        Ok(vec![Op::Move { id, from, to: (to, self.store.next_number(to)) }])
    }

    fn plan_rename(&self, id: ComponentId, name: String) -> Result<Vec<Op>, EditError> {
        self.present(id)?;
        if id != ROOT {
            self.free(id)?;
        }
        if let Some(parent) = self.store.meta(id).and_then(|m| m.parent) {
            self.name_free(parent, &name, Some(id))?;
        }
        self.check_name(id, &name)?;
        Ok(vec![Op::Rename { id, other: name }])
    }

    /// Checks that a probe has a file under another name.
    fn check_name(&self, id: ComponentId, name: &str) -> Result<(), EditError> {
        let Some(probe) = id.typed::<OutputProbe>().and_then(|probe| self.get(probe)) else {
            return Ok(());
        };
        let renamed = OutputProbe { name: name.to_owned(), ..probe.clone() };
        renamed.check(self).map_err(|fault| {
            let (property, value) = (format!("{}:name", self.path(id)), name.to_owned());
            PropertyError::Invalid { property, value, fault: Box::new(fault) }.into()
        })
    }

    /// The name is one among siblings; everything else is for the property to judge.
    fn plan_set(&self, property: PropertyRef, setting: Setting) -> Result<Vec<Op>, EditError> {
        let id = property.host().component();
        self.present(id)?;
        if let (Setting::Explicit(Value::Text(name)), true) = (&setting, property.is_name()) {
            return self.plan_rename(id, name.clone());
        }
        let referring = self.plan_reference(&property, &setting)?;
        match (setting, referring) {
            (_, Some(other)) => {
                let invalidates = property.info().invalidates;
                Ok(vec![Op::Swap { id, other: Box::new(other), invalidates, map: None }])
            }
            (other, None) => Ok(vec![Op::Set { property, other, along: Vec::new() }]),
        }
    }
}
