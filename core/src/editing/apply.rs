//! Commands done to a model: paths become components, texts become values.

use std::collections::BTreeSet;

use super::describe::{declaration, kind_of};
use super::{DuplicateScope, EditCommand, EditCommandError, EditReport};
use crate::component::{Address, ComponentId, Handle};
use crate::model::{Affine, Batch, ChangeSet, Edit, FemModel, History, Model};
use crate::{Mat3, Vec3};

impl EditCommand {
    /// Does it to a model. `history` takes it in, or is gone back and forth in.
    ///
    /// ```
    /// use sinew::model::History;
    /// use sinew::editing::EditCommand;
    /// use sinew::model::Model;
    ///
    /// let (mut model, mut history) = (Model::new("arm"), History::default());
    /// model.main();
    /// let command: EditCommand = "add particle hand mass=0.5 position=\"0 0 1\"".parse()?;
    /// let report = command.apply(&mut model, &mut history)?;
    /// assert_eq!(report.added, ["/models/arm/particles/hand"]);
    /// let report = EditCommand::Undo.apply(&mut model, &mut history)?;
    /// assert_eq!(report.deleted, ["/models/arm/particles/hand"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditCommandError`]; nothing is changed then.
    pub fn apply(
        &self,
        model: &mut Model,
        history: &mut History,
    ) -> Result<EditReport, EditCommandError> {
        let change = match self {
            Self::Undo if !history.undo(model)? => return Err(EditCommandError::NothingToUndo),
            Self::Redo if !history.redo(model)? => return Err(EditCommandError::NothingToRedo),
            Self::Undo => history.last_undone(),
            Self::Redo => history.last_done(),
            _ => Some(history.keep(self.change(model)?)),
        };
        Ok(change.map_or_else(EditReport::default, |change| EditReport::of(model, change)))
    }

    /// Does it to a model as one change; undo and redo, which need a history, change nothing.
    ///
    /// # Errors
    /// [`EditCommandError`]; nothing is changed then.
    pub(crate) fn change(&self, model: &mut Model) -> Result<ChangeSet, EditCommandError> {
        model.batch(|batch| self.run(batch))
    }

    /// Does several to a model as one change, none where one fails. Undo and redo are no part of a change.
    ///
    /// # Errors
    /// [`EditCommandError`]; nothing is changed then.
    pub(crate) fn change_all(
        commands: &[Self],
        model: &mut Model,
    ) -> Result<ChangeSet, EditCommandError> {
        if let Some(alone) = commands.iter().find(|it| matches!(it, Self::Undo | Self::Redo)) {
            return Err(EditCommandError::Alone(alone.to_string()));
        }
        model.batch(|batch| commands.iter().try_for_each(|command| command.run(batch)))
    }

    fn run(&self, batch: &mut Batch<'_>) -> Result<(), EditCommandError> {
        let edit = match self {
            Self::Add { kind, path, properties } => return added(batch, kind, path, properties),
            Self::Delete { paths } => return deleted(batch, paths),
            Self::Duplicate { paths, scope } => duplicated(batch, paths, *scope)?,
            Self::Rename { path, name } => Edit::rename(component(batch, path)?, name.clone()),
            Self::Move { path, parent } => {
                Edit::reparent(component(batch, path)?, component(batch, parent)?)
            }
            Self::Set { property, value } => set(batch, property, value)?,
            Self::Inherit { property } => Edit::inherit(batch.property(property)?),
            Self::Declare { property, value_type, unit, default, doc } => {
                let (id, declaration) = declaration(batch, property, value_type, default)?;
                Edit::declare(id, declaration.unit(unit).doc(doc))
            }
            Self::Undeclare { property } => Edit::Undeclare(batch.property(property)?),
            Self::Translate { paths, by } => {
                moved(batch, paths, Affine::translation((*by).into()))?
            }
            Self::Rotate { paths, turn, about } => {
                moved(batch, paths, Affine::rotation((*about).into(), (*turn).into()))?
            }
            Self::Scale { paths, factors, about } => {
                moved(batch, paths, Affine::about((*about).into(), stretch(*factors)))?
            }
            Self::Transform { paths, map, options } => {
                Edit::Deform { ids: components(batch, paths)?, map: map.map()?, options: *options }
            }
            Self::Attach { points, to } => return batch.attach(points, to),
            Self::Detach { points } => return batch.detach(points),
            Self::NameFaces { path, name, faces } => named(batch, path, name, faces)?,
            Self::AddSupport { path, nodes } => supported(batch, path, nodes)?,
            Self::RemoveSupport { path } => released(batch, path)?,
            Self::Undo | Self::Redo => return Ok(()),
        };
        batch.edit(edit)?;
        Ok(())
    }
}

fn added(
    batch: &mut Batch<'_>,
    kind: &str,
    path: &str,
    properties: &[(String, String)],
) -> Result<(), EditCommandError> {
    batch.add_described(kind_of(kind)?, path, properties)?;
    Ok(())
}

/// Deletes components, and then supports of those tissues that are left, the last ones first: numbers are those of before.
fn deleted(batch: &mut Batch<'_>, paths: &[String]) -> Result<(), EditCommandError> {
    let (mut ids, mut supports) = (Vec::new(), BTreeSet::new());
    for path in paths {
        match batch.find(path)? {
            Address::Support(fem, number) => drop(supports.insert((number, fem))),
            _ => ids.push(component(batch, path)?),
        }
    }
    if !ids.is_empty() {
        batch.edit(Edit::Delete(ids))?;
    }
    for (number, fem) in supports.into_iter().rev() {
        if let Some(fem) = fem.typed().filter(|_| batch.contains(fem)) {
            batch.edit(Edit::RemoveSupport { fem, number })?;
        }
    }
    Ok(())
}

/// The component at a path.
pub(super) fn component(model: &Model, path: &str) -> Result<ComponentId, EditCommandError> {
    match model.find(path)? {
        Address::Component(id) => Ok(id),
        Address::Part(..)
        | Address::Node(..)
        | Address::Element(..)
        | Address::Region(..)
        | Address::Support(..) => Err(EditCommandError::NoComponent(path.to_owned())),
    }
}

fn components(model: &Model, paths: &[String]) -> Result<Vec<ComponentId>, EditCommandError> {
    paths.iter().map(|path| component(model, path)).collect()
}

fn tissue(model: &Model, path: &str) -> Result<Handle<FemModel>, EditCommandError> {
    let fem = component(model, path)?.typed();
    fem.ok_or_else(|| EditCommandError::NoTissue(path.to_owned()))
}

fn named(
    model: &Model,
    path: &str,
    name: &str,
    faces: &[[u32; 2]],
) -> Result<Edit, EditCommandError> {
    let fem = tissue(model, path)?;
    Ok(Edit::NameFaces { fem, name: name.to_owned(), faces: faces.to_vec() })
}

fn supported(model: &Model, path: &str, nodes: &[u32]) -> Result<Edit, EditCommandError> {
    Ok(Edit::AddSupport { fem: tissue(model, path)?, nodes: nodes.to_vec() })
}

fn released(model: &Model, path: &str) -> Result<Edit, EditCommandError> {
    let support = match model.find(path)? {
        Address::Support(fem, number) => fem.typed().map(|fem| Edit::RemoveSupport { fem, number }),
        _ => None,
    };
    support.ok_or_else(|| EditCommandError::NoSupport(path.to_owned()))
}

/// Linear map by factors along the axes [-].
fn stretch(factors: [f64; 3]) -> Mat3 {
    Mat3::from_diagonal(&Vec3::from(factors))
}

fn duplicated(
    model: &Model,
    paths: &[String],
    scope: DuplicateScope,
) -> Result<Edit, EditCommandError> {
    let ids = components(model, paths)?;
    Ok(match scope {
        DuplicateScope::Alone => Edit::DuplicateAlone(ids),
        DuplicateScope::WithReferences => Edit::Duplicate(ids),
    })
}

fn set(model: &Model, property: &str, value: &str) -> Result<Edit, EditCommandError> {
    let property = model.property(property)?;
    let setting = model.setting_of_text(&property, value)?;
    Ok(Edit::Set { property, setting })
}

fn moved(model: &Model, paths: &[String], map: Affine) -> Result<Edit, EditCommandError> {
    Ok(Edit::Transform { ids: components(model, paths)?, map })
}
