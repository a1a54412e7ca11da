//! Names in a document: words without blanks and slashes, each once in its set.

use std::collections::{BTreeMap, BTreeSet};

use sinew::component::ComponentId;
use sinew::model::{CustomJoint, FrameMarker, Joint, JointCoordinate, Model, RigidBody};

/// Names of the components of a document.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names given so far, each with the set that it is in.
    taken: BTreeSet<(&'static str, String)>,
    components: BTreeMap<ComponentId, String>,
    coordinates: BTreeMap<(ComponentId, String), String>,
}

impl Names {
    /// Gives names to bodies, joints and their coordinates, in the order of the model.
    pub(super) fn of(model: &Model) -> Self {
        let mut names = Self::default();
        names.taken.insert(("body", "ground".to_owned()));
        for (handle, body) in model.iter::<RigidBody>() {
            names.add(handle.id(), "body", &body.name);
        }
        for (handle, joint) in model.iter::<Joint>() {
            let specs = joint.settings.kind.coordinate_specs();
            let own: Vec<String> = specs.iter().map(|spec| spec.name.to_string()).collect();
            names.add_joint(handle.id(), &joint.name, (&own, &joint.coordinate_names));
        }
        for (handle, joint) in model.iter::<CustomJoint>() {
            let variables = joint.motion().map_or(&[][..], |motion| &motion.variables);
            let own: Vec<String> = variables.iter().map(|it| it.name.clone()).collect();
            names.add_joint(handle.id(), &joint.name, (&own, &own));
        }
        for (handle, marker) in model.iter::<FrameMarker>() {
            names.add(handle.id(), "marker", &marker.name);
        }
        names
    }

    /// The name of a component in a set: its own as far as a document can have it, and a number where that is taken.
    pub(super) fn add(&mut self, id: ComponentId, set: &'static str, own: &str) -> String {
        let name = self.free(set, own);
        self.components.insert(id, name.clone());
        name
    }

    /// A coordinate without a name of its own, such as that of a hinge, has that of its joint before the general one.
    fn add_joint(
        &mut self,
        id: ComponentId,
        own: &str,
        (coordinates, names): (&[String], &[String]),
    ) {
        let joint = self.add(id, "joint", own);
        for (k, coordinate) in coordinates.iter().enumerate() {
            let known = names.get(k).filter(|name| !name.is_empty()).cloned();
            let wanted = known.clone().unwrap_or_else(|| format!("{joint}_{coordinate}"));
            let name = self.free("coordinate", &wanted);
            // Components may have it by either name.
            self.coordinates.extend(known.map(|known| ((id, known), name.clone())));
            self.coordinates.insert((id, coordinate.clone()), name);
        }
    }

    /// A free name in a set, near to one that is wanted.
    pub(super) fn free(&mut self, set: &'static str, own: &str) -> String {
        let word = word(own, set);
        let numbered = (2..).map(|k| format!("{word}_{k}"));
        let mut candidates = std::iter::once(word.clone()).chain(numbered);
        let name = candidates.find(|name| !self.taken.contains(&(set, name.clone())));
        let name = name.unwrap_or(word);
        self.taken.insert((set, name.clone()));
        name
    }

    /// The name of a component; empty where it has none.
    pub(super) fn get(&self, id: impl Into<ComponentId>) -> &str {
        self.components.get(&id.into()).map_or("", String::as_str)
    }

    /// The name of a coordinate; `None` where its joint is not written.
    pub(super) fn coordinate(&self, of: &JointCoordinate) -> Option<&str> {
        self.coordinates.get(&(of.joint, of.coordinate.clone())).map(String::as_str)
    }

    /// The path of a coordinate in the document.
    pub(super) fn coordinate_path(&self, of: &JointCoordinate) -> Option<String> {
        let name = self.coordinate(of)?;
        Some(format!("/jointset/{}/{name}", self.get(of.joint)))
    }
}

/// A name as documents of OpenSim have them; another where it is empty.
pub(super) fn word(own: &str, otherwise: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name = if own.is_empty() { otherwise } else { own };
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}
