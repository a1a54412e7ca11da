//! Addresses: a component, or a node, element, region or support of a tissue, which are no components
//! of their own. From paths to addresses and back.

use super::path::{ParsedPath, PathError, Step, quoted};
use super::spelling::similar;
use super::{ComponentId, Handle, ROOT};
use crate::model::{FemModel, Model};

/// Target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A component.
    Component(ComponentId),
    /// All nodes of a tissue, or all its elements, regions or supports.
    Part(Handle<FemModel>, FemPart),
    /// A node of a tissue, by its index in the mesh.
    Node(Handle<FemModel>, u32),
    /// An element of a tissue, by its index in the mesh.
    Element(Handle<FemModel>, u32),
    /// A region of a tissue, by its place in the list.
    Region(Handle<FemModel>, u32),
    /// A support of a tissue, by its place in the list.
    Support(Handle<FemModel>, u32),
}

/// Kinds of parts of a tissue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FemPart {
    /// Nodes.
    Nodes,
    /// Elements.
    Elements,
    /// Elements with a material of their own.
    Regions,
    /// Nodes that are fixed or prescribed.
    Supports,
}

impl FemPart {
    const NAMES: [(&'static str, Self); 4] = [
        ("nodes", Self::Nodes),
        ("elements", Self::Elements),
        ("regions", Self::Regions),
        ("supports", Self::Supports),
    ];

    /// All of them, in the order of their numbers in paths.
    pub const ALL: [Self; 4] = [Self::Nodes, Self::Elements, Self::Regions, Self::Supports];

    /// Name in paths.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Elements => "elements",
            Self::Regions => "regions",
            Self::Supports => "supports",
        }
    }

    /// Number of them in a tissue.
    pub fn count(self, fem: &FemModel) -> usize {
        match self {
            Self::Nodes => fem.mesh.nodes.len(),
            Self::Elements => fem.mesh.element_count(),
            Self::Regions => fem.regions.len(),
            Self::Supports => fem.dirichlet.len(),
        }
    }

    /// Number `k` of these.
    pub fn address(self, fem: Handle<FemModel>, k: u32) -> Address {
        match self {
            Self::Nodes => Address::Node(fem, k),
            Self::Elements => Address::Element(fem, k),
            Self::Regions => Address::Region(fem, k),
            Self::Supports => Address::Support(fem, k),
        }
    }
}

impl Address {
    /// The component: that of a part of a tissue is the tissue.
    pub fn component(self) -> ComponentId {
        match self {
            Self::Component(id) => id,
            Self::Part(fem, _)
            | Self::Node(fem, _)
            | Self::Element(fem, _)
            | Self::Region(fem, _)
            | Self::Support(fem, _) => fem.id(),
        }
    }

    /// Of one of the many parts of a tissue: the tissue, which part, and its number.
    pub fn part(self) -> Option<(Handle<FemModel>, FemPart, u32)> {
        match self {
            Self::Component(_) | Self::Part(..) => None,
            Self::Node(fem, k) => Some((fem, FemPart::Nodes, k)),
            Self::Element(fem, k) => Some((fem, FemPart::Elements, k)),
            Self::Region(fem, k) => Some((fem, FemPart::Regions, k)),
            Self::Support(fem, k) => Some((fem, FemPart::Supports, k)),
        }
    }
}

impl<T: Into<ComponentId>> From<T> for Address {
    fn from(id: T) -> Self {
        Self::Component(id.into())
    }
}

impl Model {
    /// Target of `path`; a relative path begins at the root.
    ///
    /// # Errors
    /// [`PathError`] says how far it leads, and what is near.
    pub fn find(&self, path: &str) -> Result<Address, PathError> {
        self.find_from(ROOT.into(), path)
    }

    /// Target of `path`; a relative path begins at `start`.
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
                let count = part.count(self.get(fem)?);
                ((*k as usize) < count).then(|| part.address(fem, *k))
            }
            (at, Step::Up) => at.part().map(|(fem, part, _)| Address::Part(fem, part)),
            _ => None,
        }
    }

    fn not_found(&self, path: &str, at: Address, step: &Step) -> PathError {
        let (near, there) = match at {
            Address::Component(id) if id.typed::<FemModel>().is_some() => (
                similar(&step.to_string(), FemPart::NAMES.iter().map(|(name, _)| *name)),
                "it has nodes, elements, regions and supports".to_owned(),
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
                let count = self.get(fem).map_or(0, |fem| part.count(fem));
                (Vec::new(), format!("it has {count}, numbered from 0"))
            }
            _ => (Vec::new(), "it has no parts".to_owned()),
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
            _ => steps.extend(
                at.part()
                    .map(|(_, part, k)| [k.to_string(), part.name().into()])
                    .into_iter()
                    .flatten(),
            ),
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

    /// The step from `parent` down to its child `id`.
    pub(crate) fn step_to(&self, parent: ComponentId, id: ComponentId) -> String {
        let name = self.store.name(id);
        if self.store.child_by_name(parent, name) == Some(id) {
            return quoted(name);
        }
        self.store.meta(id).map_or_else(String::new, |meta| meta.number.to_string())
    }
}
