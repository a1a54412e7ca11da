//! Addresses: a component, or a node or an element of a tissue, which are no components of their own.
//! From paths to addresses and back.

use super::path::{ParsedPath, PathError, Step, quoted};
use super::spelling::similar;
use super::{ComponentId, Handle, ROOT};
use crate::model::{FemModel, Model};

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A component.
    Component(ComponentId),
    /// All nodes of a tissue, or all its elements.
    Part(Handle<FemModel>, FemPart),
    /// A node of a tissue, by its index in the mesh.
    Node(Handle<FemModel>, u32),
    /// An element of a tissue, by its index in the mesh.
    Element(Handle<FemModel>, u32),
}

/// What a tissue has many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FemPart {
    /// Nodes.
    Nodes,
    /// Elements.
    Elements,
}

impl FemPart {
    const NAMES: [(&'static str, Self); 2] = [("nodes", Self::Nodes), ("elements", Self::Elements)];

    fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Elements => "elements",
        }
    }
}

impl Address {
    /// The component: a node's and an element's is their tissue.
    pub fn component(self) -> ComponentId {
        match self {
            Self::Component(id) => id,
            Self::Part(fem, _) | Self::Node(fem, _) | Self::Element(fem, _) => fem.id(),
        }
    }
}

impl<T: Into<ComponentId>> From<T> for Address {
    fn from(id: T) -> Self {
        Self::Component(id.into())
    }
}

impl Model {
    /// What `path` leads to; a relative path begins at the root.
    ///
    /// # Errors
    /// [`PathError`] says how far it leads, and what is near.
    pub fn find(&self, path: &str) -> Result<Address, PathError> {
        self.find_from(ROOT.into(), path)
    }

    /// What `path` leads to; a relative path begins at `start`.
    ///
    /// # Errors
    /// [`PathError`] says how far it leads, and what is near.
    pub fn find_from(&self, start: Address, path: &str) -> Result<Address, PathError> {
        let parsed = ParsedPath::parse(path)?;
        if parsed.property.is_some() {
            let what = "a component is asked for, and it names a property (after ':')";
            return Err(PathError::Syntax { path: path.to_owned(), what });
        }
        self.walk(start, path, &parsed)
    }

    /// The component of type `T` that `path` leads to.
    ///
    /// # Errors
    /// [`PathError`] where the path leads nowhere, or to something else.
    pub fn find_handle<T: super::ComponentType>(&self, path: &str) -> Result<Handle<T>, PathError> {
        match self.find(path)? {
            Address::Component(id) => id.typed(),
            _ => None,
        }
        .ok_or_else(|| {
            let what = "leads to a component of another kind";
            PathError::Syntax { path: path.to_owned(), what }
        })
    }

    pub(crate) fn walk(
        &self,
        start: Address,
        path: &str,
        parsed: &ParsedPath<'_>,
    ) -> Result<Address, PathError> {
        let mut at = if parsed.absolute { ROOT.into() } else { start };
        for step in &parsed.steps {
            at = self.child(at, step).ok_or_else(|| self.not_found(path, at, step))?;
        }
        Ok(at)
    }

    fn child(&self, at: Address, step: &Step) -> Option<Address> {
        match (at, step) {
            (_, Step::Here) => Some(at),
            (Address::Component(id), Step::Up) => self.store.meta(id)?.parent.map(Into::into),
            (Address::Part(fem, _), Step::Up) => Some(fem.into()),
            (Address::Node(fem, _), Step::Up) => Some(Address::Part(fem, FemPart::Nodes)),
            (Address::Element(fem, _), Step::Up) => Some(Address::Part(fem, FemPart::Elements)),
            (Address::Component(id), step) => match (id.typed::<FemModel>(), step) {
                (Some(fem), Step::Name(name)) => FemPart::NAMES
                    .iter()
                    .find(|(known, _)| known == name)
                    .map(|(_, part)| Address::Part(fem, *part)),
                (Some(fem), Step::Number(k)) => {
                    FemPart::NAMES.get(*k as usize).map(|(_, part)| Address::Part(fem, *part))
                }
                (_, Step::Name(name)) => self.store.child_by_name(id, name).map(Into::into),
                (_, Step::Number(k)) => self.store.child_by_number(id, *k).map(Into::into),
                _ => None,
            },
            (Address::Part(fem, part), Step::Number(k)) => {
                let mesh = &self.get(fem)?.mesh;
                match part {
                    FemPart::Nodes if (*k as usize) < mesh.nodes.len() => {
                        Some(Address::Node(fem, *k))
                    }
                    FemPart::Elements if (*k as usize) < mesh.element_count() => {
                        Some(Address::Element(fem, *k))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn not_found(&self, path: &str, at: Address, step: &Step) -> PathError {
        let (near, there) = match at {
            Address::Component(id) if id.typed::<FemModel>().is_some() => (
                similar(&step.to_string(), FemPart::NAMES.iter().map(|(name, _)| *name)),
                "it has nodes and elements".to_owned(),
            ),
            Address::Component(id) => {
                let names = self.store.children(id).map(|c| self.store.name(c.1));
                let first = self.store.children(id).next().map_or(0, |c| c.0);
                let last = self.store.last_number(id).unwrap_or(first);
                let there = match self.store.child_count(id) {
                    0 => "it is empty".to_owned(),
                    1 => format!("it has one, number {first}"),
                    count => format!("it has {count} with numbers {first} to {last}"),
                };
                (similar(&step.to_string(), names), there)
            }
            Address::Part(fem, part) => {
                let mesh = self.get(fem).map(|fem| &fem.mesh);
                let count = mesh.map_or(0, |mesh| match part {
                    FemPart::Nodes => mesh.nodes.len(),
                    FemPart::Elements => mesh.element_count(),
                });
                (Vec::new(), format!("it has {count}, numbered from 0"))
            }
            Address::Node(..) | Address::Element(..) => (Vec::new(), "it has no parts".to_owned()),
        };
        let (matched, missing) = (self.path(at), step.to_string());
        PathError::NotFound { path: path.to_owned(), matched, missing, near, there }
    }

    /// The absolute path of what is at `at`, by names where there are any. A component that shares
    /// its name with an earlier sibling, or is not there, goes by its number.
    pub fn path(&self, at: impl Into<Address>) -> String {
        let at = at.into();
        let mut steps: Vec<String> = Vec::new();
        match at {
            Address::Component(_) => {}
            Address::Part(_, part) => steps.push(part.name().into()),
            Address::Node(_, k) => steps.extend([k.to_string(), "nodes".into()]),
            Address::Element(_, k) => steps.extend([k.to_string(), "elements".into()]),
        }
        let mut id = at.component();
        if !self.store.contains(id) {
            return format!("(deleted {} {})", id.kind.name(), id.index);
        }
        while let Some(parent) = self.store.meta(id).and_then(|meta| meta.parent) {
            steps.push(self.step_to(parent, id));
            id = parent;
        }
        steps.reverse();
        format!("/{}", steps.join("/"))
    }

    fn step_to(&self, parent: ComponentId, id: ComponentId) -> String {
        let name = self.store.name(id);
        if self.store.child_by_name(parent, name) == Some(id) {
            return quoted(name);
        }
        self.store.meta(id).map_or_else(String::new, |meta| meta.number.to_string())
    }
}
