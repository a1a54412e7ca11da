//! The tree: first every component, blank, then the tables in which they stand.

use serde_json::{Map, Value as Json};
use sinew::component::{ComponentId, Kind, ROOT};
use sinew::model::{Component, ComponentList, Model};

use super::{SaveError, Writer};
use crate::fields::{Group, key_of, section_of};

/// Mechanical models and lists above a component that every reader takes: TOML is read to 80 tables deep,
/// and each of these is two.
const DEEPEST: usize = 30;

impl Writer<'_> {
    /// Adds all components below `id` to the draft, in the order in which a reader does.
    pub(super) fn twins_below(&mut self, id: ComponentId, depth: usize) -> Result<(), SaveError> {
        if depth > DEEPEST {
            return Err(SaveError::TooDeep { path: self.model.path(id), most: DEEPEST });
        }
        let Some(group) = Group::of(id.kind()) else { return Ok(()) };
        self.refuse_code(id)?;
        for kind in group.all_kinds() {
            let mut next = self.next_number(id, kind);
            for child in members(self.model, id, kind) {
                let number = self.model.number(child).unwrap_or_default();
                if number != next {
                    self.numbers.insert(child, number);
                }
                next = next.max(number + 1);
                let (twin, component) = (self.twins[&id], self.base(child)?);
                let added = self.draft.add(twin, component, Some(number))?;
                self.twins.insert(child, added);
                self.parts_of_twin(child, added);
                self.twins_below(child, depth + 1)?;
            }
        }
        Ok(())
    }

    /// The number that the next component of a kind gets from a reader.
    fn next_number(&self, id: ComponentId, kind: Kind) -> u32 {
        let list = container(self.draft.model(), self.twins[&id], kind);
        let last = list.and_then(|list| self.draft.model().children(list).last());
        let number = last.and_then(|last| self.draft.model().number(last));
        number.map_or(0, |number| number + 1)
    }

    fn refuse_code(&self, id: ComponentId) -> Result<(), SaveError> {
        let lists = self.model.children(id);
        let below = lists.flat_map(|list| std::iter::once(list).chain(self.model.children(list)));
        match below.into_iter().find(|child| self.model.holds_code(*child)) {
            Some(code) => Err(SaveError::Code(self.model.path(code))),
            None => Ok(()),
        }
    }

    /// All tables below the top one.
    pub(super) fn tree(&mut self, top: &mut Map<String, Json>) -> Result<(), SaveError> {
        let models = members(self.model, ROOT, Kind::MechModel);
        let main = models.first().copied().filter(|&id| {
            self.model.number(id) == Some(0) && name_of(self.model, id) == self.model.name()
        });
        let mut flat = Map::new();
        if let Some(main) = main {
            flat = self.mech(main, main)?;
            flat.shift_remove("name");
        }
        let mut root = Map::new();
        self.properties_into(ROOT, ROOT, &mut root)?;
        self.lists_into(ROOT, &mut root)?;
        // A file without anything of its own is its main model, unless it has a root.
        let beside = models.len() != 1 || !root.is_empty() || has_own(self.model);
        let whole = main.is_none() || flat.is_empty() && beside;
        for kind in Group::Root.kinds() {
            let mut tables = Vec::new();
            for child in members(self.model, ROOT, kind) {
                if whole || Some(child) != main {
                    tables.push(Json::Object(self.table(child, child)?));
                }
            }
            if !tables.is_empty() {
                root.insert(key_of(kind), tables.into());
            }
        }
        if !whole {
            top.extend(flat);
        }
        if whole || !root.is_empty() {
            top.insert("root".into(), Json::Object(root));
        }
        Ok(())
    }

    /// The table of a component, with those of what is in it; paths begin at `start`.
    fn table(
        &mut self,
        id: ComponentId,
        start: ComponentId,
    ) -> Result<Map<String, Json>, SaveError> {
        if id.kind() == Kind::MechModel {
            return self.mech(id, id);
        }
        let mut table = self.head(id);
        if section_of(id.kind()).is_some() {
            self.section_into(id, start, &mut table)?;
            return Ok(table);
        }
        self.own_into(id, start, &mut table)?;
        self.properties_into(id, start, &mut table)?;
        self.members_into(id, start, &mut table)?;
        Ok(table)
    }

    fn mech(
        &mut self,
        id: ComponentId,
        start: ComponentId,
    ) -> Result<Map<String, Json>, SaveError> {
        let mut table = self.head(id);
        self.properties_into(id, start, &mut table)?;
        self.lists_into(id, &mut table)?;
        self.members_into(id, start, &mut table)?;
        Ok(table)
    }

    fn members_into(
        &mut self,
        id: ComponentId,
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let Some(group) = Group::of(id.kind()) else { return Ok(()) };
        for kind in group.all_kinds() {
            let tables = members(self.model, id, kind).into_iter();
            let tables = tables.map(|child| self.table(child, start).map(Json::Object));
            let tables = tables.collect::<Result<Vec<_>, _>>()?;
            if !tables.is_empty() {
                table.insert(key_of(kind), tables.into());
            }
        }
        Ok(())
    }

    /// Render properties of the lists of a model, where any were set.
    fn lists_into(
        &mut self,
        id: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let mut lists = Map::new();
        for list in homes(self.model, id) {
            let name = name_of(self.model, list).to_owned();
            let twin = homes(self.draft.model(), self.twins[&id])
                .into_iter()
                .find(|&twin| name_of(self.draft.model(), twin) == name);
            let Some(twin) = twin else { continue };
            self.twins.insert(list, twin);
            let mut own = Map::new();
            self.properties_into(list, id, &mut own)?;
            if !own.is_empty() {
                lists.insert(name, Json::Object(own));
            }
        }
        if !lists.is_empty() {
            table.insert("lists".into(), Json::Object(lists));
        }
        Ok(())
    }

    /// Name and number, where they say something.
    fn head(&self, id: ComponentId) -> Map<String, Json> {
        let mut table = Map::new();
        let name = name_of(self.model, id);
        if !name.is_empty() {
            table.insert("name".into(), name.into());
        }
        if let Some(&number) = self.numbers.get(&id) {
            table.insert("number".into(), number.into());
        }
        table
    }
}

/// The components of a kind in a group, by number.
fn members(model: &Model, id: ComponentId, kind: Kind) -> Vec<ComponentId> {
    let Some(list) = container(model, id, kind) else { return Vec::new() };
    let of_kind = |child: &ComponentId| child.kind() == kind && !is_home(model, *child);
    model.children(list).filter(of_kind).collect()
}

/// Container of the components of a kind in a group.
fn container(model: &Model, id: ComponentId, kind: Kind) -> Option<ComponentId> {
    match (id.kind(), kind.home()) {
        (Kind::RootModel | Kind::MechModel, Some(home)) => {
            homes(model, id).into_iter().find(|&list| name_of(model, list) == home)
        }
        _ => Some(id),
    }
}

/// The lists that every model has.
fn homes(model: &Model, id: ComponentId) -> Vec<ComponentId> {
    model.children(id).filter(|&child| is_home(model, child)).collect()
}

fn is_home(model: &Model, id: ComponentId) -> bool {
    id.typed().and_then(|list| model.get::<ComponentList>(list)).is_some_and(ComponentList::is_home)
}

/// True if the root has containers or groups of its own.
fn has_own(model: &Model) -> bool {
    model.children(ROOT).any(|child| !is_home(model, child))
}

fn name_of(model: &Model, id: ComponentId) -> &str {
    model.name_of(id)
}

/// A blank component of the kind of another.
pub(super) fn blank(model: &Model, id: ComponentId) -> Result<Component, SaveError> {
    Component::blank(id.kind()).ok_or_else(|| SaveError::Code(model.path(id)))
}
