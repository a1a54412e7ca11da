//! New components from text: a kind, a path, and properties as they are written. Who edits without code adds them so.

use crate::component::{ComponentId, Handle, Kind, PathError, ROOT, did_you_mean, similar};
use crate::model::{Component, Draft, Edit, EditError, MechModel, Model};
use crate::property::{PropertyError, PropertyType, Setting, Value};

/// Why a description makes no component.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescriptionError {
    /// No kind is called so.
    #[error("there is no kind '{name}'{}", did_you_mean(.near))]
    Kind {
        /// The name.
        name: String,
        /// Kinds that are called much like it.
        near: Vec<String>,
    },
    /// A kind that text cannot describe.
    #[error("a {0} cannot be made from text")]
    Code(&'static str),
    /// Its path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Where it is to be, or its name.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A property.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A reference that was not given.
    #[error("a {kind} needs '{name}': {doc}")]
    Lacks {
        /// The kind.
        kind: &'static str,
        /// The property.
        name: &'static str,
        /// What it is.
        doc: &'static str,
    },
    /// What its properties make together.
    #[error("{0}")]
    Fault(String),
}

/// The kind with a name such as `axial_spring` or `AxialSpring`.
fn kind_of(name: &str) -> Result<Kind, DescriptionError> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let known = Kind::ALL.into_iter().find(|kind| plain(kind.name()) == plain(name));
    known.ok_or_else(|| DescriptionError::Kind {
        name: name.to_owned(),
        near: similar(&plain(name), Kind::ALL.iter().map(|kind| kind.name())),
    })
}

impl Model {
    /// The edit that adds a component of a kind at `path` with these properties, names and texts in order; the others
    /// have their defaults. A path without a slash is a name in the first mechanical model.
    ///
    /// # Errors
    /// [`DescriptionError`]: kinds, paths, properties and references that do not do.
    pub fn describe(
        &self,
        kind: &str,
        path: &str,
        properties: &[(String, String)],
    ) -> Result<Edit, DescriptionError> {
        let kind = kind_of(kind)?;
        let blank = Component::blank(kind).ok_or(DescriptionError::Code(kind.name()))?;
        let (parent, name) = self.parent_of(path)?;
        let mut draft = Draft::of(self.clone());
        let id = draft.add(parent, blank, None)?;
        let text = |name: &str| Setting::Explicit(Value::Text(name.to_owned()));
        draft.set(&draft.model().property_of(id, "name")?, &text(name))?;
        for (name, text) in properties {
            let property = draft.model().property_of(id, name)?;
            draft.set(&property, &draft.model().setting_of_text(&property, text)?)?;
        }
        for property in draft.model().properties(id) {
            let info = property.info();
            let is_reference = matches!(info.value_type, PropertyType::Path | PropertyType::Paths);
            if is_reference && draft.lacks(&property) {
                let (kind, name, doc) = (kind.name(), info.name, info.doc);
                return Err(DescriptionError::Lacks { kind, name, doc });
            }
        }
        match (draft.fault(id), draft.model().store.cloned(id)) {
            (None, Some(component)) => Ok(Edit::add(parent, component)),
            (Some(fault), _) => Err(DescriptionError::Fault(fault.of(&draft.model().path(id)))),
            (None, None) => Err(DescriptionError::Code(kind.name())),
        }
    }

    /// Where a component at a path goes, and its name.
    fn parent_of<'p>(&self, path: &'p str) -> Result<(ComponentId, &'p str), DescriptionError> {
        let first = || self.first::<MechModel>().map_or(ROOT, Handle::id);
        match path.rsplit_once('/') {
            None => Ok((first(), path)),
            Some(("", name)) => Ok((ROOT, name)),
            Some((parent, name)) => Ok((self.find(parent)?.component(), name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::component::ComponentType;
    use crate::model::Particle;

    /// Two particles, `a` and `b`.
    fn model() -> Model {
        let mut model = Model::new("m");
        let mech = model.add(MechModel::new("arm"));
        for (k, name) in ["a", "b"].into_iter().enumerate() {
            let particle = Particle::new(1.0, Vec3::new(k as f64, 0.0, 0.0)).named(name);
            model.add_to(mech.id(), particle).expect("a list of particles");
        }
        model
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_muscle_is_added_between_two_points_by_text() {
        let mut model = model();
        let given = pairs(&[
            ("first", "/models/arm/particles/a"),
            ("second", "/models/arm/particles/b"),
            ("material", "simple_muscle"),
            ("material.max_force", "12"),
        ]);
        let edit = model.describe("axial_spring", "biceps", &given).unwrap();
        assert!(model.describe("AxialSpring", "/models/arm/biceps", &given).is_ok());
        model.edit(edit).unwrap();
        let force = model.property("/models/arm/axial_springs/biceps:material.max_force").unwrap();
        assert_eq!(model.get_property(&force), Ok(Value::Real(12.0)));
    }

    #[test]
    fn what_makes_no_component_is_told_and_nothing_changes() {
        let model = model();
        let before = format!("{model:?}");
        let error = |kind: &str, path: &str, given: &[(&str, &str)]| {
            model.describe(kind, path, &pairs(given)).unwrap_err().to_string()
        };
        assert!(error("axial_sprong", "x", &[]).contains("AxialSpring"));
        assert!(error("axial_spring", "x", &[]).contains("needs 'first'"));
        assert!(error("particle", "x", &[("mas", "1")]).contains("mass"));
        assert!(error("particle", "x", &[("mass", "-1")]).contains("mass"));
        assert!(error("particle", "a", &[]).contains("'a'"));
        assert!(error("particle", "/models/leg/x", &[]).contains("leg"));
        assert!(error("custom_force", "x", &[]).contains("from text"));
        assert_eq!(format!("{model:?}"), before);
    }
}
