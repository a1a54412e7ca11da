//! From paths to addresses and back.

use std::collections::HashSet;

use crate::component::path::{ParsedPath, PathError, Step, quoted};
use crate::component::spelling::similar;
use crate::component::{Address, ComponentId, FemPart, Handle, ROOT};
use crate::kinds::FemModel;
use crate::model::{Model, Stored};

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
    pub fn find_handle<T: Stored>(&self, path: &str) -> Result<Handle<T>, PathError> {
        match self.find(path)? {
            Address::Component(id) => id.typed(),
            _ => None,
        }
        .ok_or_else(|| {
            let what = "leads to a component of another kind";
            PathError::Syntax { path: path.to_owned(), what }
        })
    }

    /// The tissue of this id, as addresses of its parts name it; `None` when it is of another kind, or was deleted.
    pub fn tissue(&self, id: ComponentId) -> Option<&FemModel> {
        self.get(id.typed()?)
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
            (Address::Component(id), step) => match (self.tissue(id).is_some(), step) {
                (true, Step::Name(name)) => FemPart::NAMES
                    .iter()
                    .find(|(known, _)| known == name)
                    .map(|(_, part)| Address::Part(id, *part)),
                (true, Step::Number(k)) => {
                    FemPart::NAMES.get(*k as usize).map(|(_, part)| Address::Part(id, *part))
                }
                (_, Step::Name(name)) => self.store.child_by_name(id, name).map(Into::into),
                (_, Step::Number(k)) => self.store.child_by_number(id, *k).map(Into::into),
                _ => None,
            },
            (Address::Part(fem, part), Step::Number(k)) => {
                let count = self.tissue(fem)?.part_count(part);
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
                let count = self.tissue(fem).map_or(0, |fem| fem.part_count(part));
                (Vec::new(), format!("it has {count}, numbered from 0"))
            }
            _ => (Vec::new(), "it has no parts".to_owned()),
        };
        let (matched, missing) = (self.path(at), step.to_string());
        PathError::NotFound { path: path.to_owned(), matched, missing, near, there }
    }

    /// The absolute path of an address, by names where there are any. A component that shares its
    /// name with an earlier sibling, or is not there, goes by its number.
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

    /// Children of a component with the steps of paths that lead to them, as [`Self::step_to`] has each.
    pub(crate) fn steps_below(&self, parent: ComponentId) -> Vec<(ComponentId, String)> {
        let mut taken = HashSet::new();
        let step = |(number, id): (u32, ComponentId)| {
            let name = self.store.name(id);
            match !name.is_empty() && taken.insert(name) {
                true => (id, quoted(name)),
                false => (id, number.to_string()),
            }
        };
        self.store.children(parent).map(step).collect()
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
