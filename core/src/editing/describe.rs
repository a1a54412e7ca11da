//! New components from text: a kind, a path, and properties as they are written.

use super::block::block_of;
use super::{DescriptionError, EditCommandError};
use crate::component::path::{ParsedPath, Step};
use crate::component::{Address, ComponentId, Handle, Kind, ROOT, similar};
use crate::model::{Batch, Component, MechModel, Model};
use crate::property::{Declaration, DeclarationError, PropertyError, PropertyType};

/// The kind with a name such as `axial_spring` or `AxialSpring`.
pub(super) fn kind_of(name: &str) -> Result<Kind, DescriptionError> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let known = Kind::ALL.into_iter().find(|kind| plain(kind.name()) == plain(name));
    known.ok_or_else(|| DescriptionError::Kind {
        name: name.to_owned(),
        near: similar(&plain(name), Kind::ALL.iter().map(|kind| kind.name())),
    })
}

impl Batch<'_> {
    /// Adds a component of a kind at `path` with these properties, names and texts in order; the others have their
    /// defaults. A tissue may be a block: `box="X Y Z"`, its edges about the origin [m], and `cells="X Y Z"`.
    pub(super) fn add_described(
        &mut self,
        kind: Kind,
        path: &str,
        properties: &[(String, String)],
    ) -> Result<ComponentId, EditCommandError> {
        let mut blank = Component::blank(kind).ok_or(DescriptionError::Root)?;
        let mut rest: Vec<_> = properties.iter().collect();
        if let Component::FemModel(fem) = &mut blank {
            (fem.mesh, rest) = block_of(properties)?;
        }
        let (parent, name) = home_of(self, path)?;
        let id = self.add_blank(parent, blank.with_name(name))?;
        for (name, text) in rest {
            let property = self.property_of(id, name)?;
            let setting = self.setting_of_text(&property, text)?;
            self.set_blank(&property, &setting)?;
        }
        for property in self.properties(id) {
            let info = property.info();
            let is_reference = matches!(info.value_type, PropertyType::Path | PropertyType::Paths);
            if is_reference && self.lacks(&property) {
                let (kind, name, doc) = (kind.name(), info.name, info.doc);
                return Err(DescriptionError::Lacks { kind, name, doc }.into());
            }
        }
        match self.check_component(id) {
            Ok(()) => Ok(id),
            Err(fault) => Err(DescriptionError::Fault(fault.of(&self.path(id))).into()),
        }
    }
}

/// A property that is to be declared at a path, and its component; an empty `default` is that of the type.
pub(super) fn declaration(
    model: &Model,
    path: &str,
    value_type: &str,
    default: &str,
) -> Result<(ComponentId, Declaration), EditCommandError> {
    let parsed = ParsedPath::parse(path)?;
    let name = parsed.property.ok_or_else(|| PropertyError::NoName(path.to_owned()))?;
    let Address::Component(id) = model.walk(ROOT.into(), path, &parsed)? else {
        return Err(EditCommandError::NoComponent(path.to_owned()));
    };
    let value_type = Declaration::type_of(value_type)?;
    let declaration = Declaration::new(name, value_type);
    if default.is_empty() {
        return Ok((id, declaration));
    }
    let value = Declaration::value_of(value_type, default).ok_or_else(|| {
        let (name, given) = (name.to_owned(), default.to_owned());
        DeclarationError::Default { name, expected: value_type.name(), given }
    })?;
    Ok((id, declaration.default_value(value)))
}

/// Parent of a component with this path, and the name in it.
fn home_of(model: &Model, path: &str) -> Result<(ComponentId, String), EditCommandError> {
    let mut parsed = ParsedPath::parse(path)?;
    let name = match (parsed.steps.pop(), parsed.property) {
        (Some(Step::Name(name)), None) => name,
        (Some(Step::Number(number)), None) => number.to_string(),
        _ => return Err(DescriptionError::Nameless(path.to_owned()).into()),
    };
    if parsed.steps.is_empty() && !parsed.absolute {
        return Ok((model.first::<MechModel>().map_or(ROOT, Handle::id), name));
    }
    Ok((model.walk(ROOT.into(), path, &parsed)?.component(), name))
}
