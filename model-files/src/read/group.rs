//! Groups of components: the file as a whole, mechanical models, containers.

use std::path::Path;
use std::rc::Rc;

use sinew::component::{ComponentId, Kind, ROOT};
use sinew::model::MechModel;

use super::{Job, Origin, Reader, Scope, folder_of};
use crate::diagnostic::Diagnostic;
use crate::fields::{DECLARED, Group, key_of};
use crate::tree::{Entry, Node, Span, Table, Tree, get};
use crate::units::Units;

/// Keys of a file that are no components.
pub(crate) const TOP_KEYS: [&str; 10] = [
    "version",
    "name",
    "units",
    "solver",
    "inverse",
    "parameters",
    "defaults",
    "panels",
    "root",
    "$schema",
];

/// Keys of a mechanical model that are neither components nor properties.
pub(crate) const MECH_KEYS: [&str; 7] =
    ["include", "lists", DECLARED, PROBE_KEYS[0], PROBE_KEYS[1], PROBE_KEYS[2], PROBE_KEYS[3]];

/// Sections of probes and panels.
pub(crate) const PROBE_KEYS: [&str; 4] =
    ["input_probes", "output_probes", "tracing_probes", "panels"];

/// Keys that every component has.
pub(crate) const COMPONENT_KEYS: [&str; 3] = ["name", "number", DECLARED];

/// Parents of the components of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupContext {
    pub(super) parent: ComponentId,
    /// The mechanical model that relative paths begin at.
    pub(super) start: ComponentId,
    pub(super) scope: usize,
}

impl Reader {
    /// The first file; the mechanical model that its components are in, if it has some.
    pub(super) fn main(
        &mut self,
        path: &Path,
        table: &Rc<Table>,
        span: Span,
    ) -> Option<ComponentId> {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = self.text(table, "name").or(stem).unwrap_or_default();
        let code = self.draft.model().code().clone();
        self.draft = sinew::model::Draft::new(name.clone());
        self.draft.set_code(code);
        let units = self.units(table);
        let defaults = self.defaults(table);
        let chain = vec![path.canonicalize().unwrap_or_else(|_| path.to_owned())];
        let folder = folder_of(path);
        self.scopes.push(Scope { folder, units, defaults, chain, prefix: None });
        let root = get(table, "root");
        let has_own = |entry: &Entry| !TOP_KEYS.contains(&entry.key.as_str());
        let main = (root.is_none() || table.iter().any(has_own)).then(|| {
            let added = self.draft.add(ROOT, MechModel::new(name), None);
            added.unwrap_or(ROOT)
        });
        if let Some(main) = main {
            let place = GroupContext { parent: main, start: main, scope: 0 };
            self.mech(table, span, place, &TOP_KEYS);
        } else {
            self.only(table, &TOP_KEYS);
        }
        if let Some(root) = root {
            self.root(root);
        }
        main
    }

    fn root(&mut self, node: &Node) {
        let Some(table) = self.table_of(node, "root") else { return };
        let place = GroupContext { parent: ROOT, start: ROOT, scope: 0 };
        self.group(&table, Group::Root, place);
        self.lists(&table, place);
        self.properties_of(Kind::RootModel, ROOT, &table, node.span, place);
        self.unknown_keys(&table, Kind::RootModel, &["lists", DECLARED]);
    }

    /// Contents of a mechanical model: components, lists, included files, properties of its own.
    pub(super) fn mech(
        &mut self,
        table: &Rc<Table>,
        span: Span,
        place: GroupContext,
        more: &[&str],
    ) {
        self.group(table, Group::Mech, place);
        self.lists(table, place);
        self.properties_of(Kind::MechModel, place.parent, table, span, place);
        self.unknown_keys(table, Kind::MechModel, &[&MECH_KEYS[..], more].concat());
        if let Some(includes) = get(table, "include") {
            self.includes(includes, place);
        }
    }

    /// The components of a group, kind by kind.
    pub(super) fn group(&mut self, table: &Rc<Table>, group: Group, place: GroupContext) {
        for kind in group.kinds() {
            let key = key_of(kind);
            let Some(node) = get(table, &key) else { continue };
            for item in self.list_of(node, &key) {
                self.component(kind, &item, place);
            }
        }
        // Those of included files are theirs alone.
        if group != Group::Root && place.scope == 0 {
            self.probe_tables.push((table.clone(), place));
        }
    }

    /// Render properties of the lists that every model has.
    fn lists(&mut self, table: &Table, place: GroupContext) {
        let Some(node) = get(table, "lists") else { return };
        let Some(lists) = self.table_of(node, "lists") else { return };
        let children: Vec<_> = self.draft.model().children(place.parent).collect();
        let named = |model: &sinew::model::Model| -> Vec<(String, ComponentId)> {
            let list = |&id: &ComponentId| {
                let list = model.get(id.typed::<sinew::model::ComponentList>()?)?;
                Some((list.name.clone(), id))
            };
            children.iter().filter_map(list).collect()
        };
        let known = named(self.draft.model());
        for entry in lists.iter() {
            let Some((_, id)) = known.iter().find(|(name, _)| *name == entry.key) else {
                self.findings.error(|| {
                    let message = format!("a model has no list '{}'", entry.key);
                    let names = known.iter().map(|(name, _)| name.as_str());
                    Diagnostic::unknown(entry.key_span, message, &entry.key, names)
                });
                continue;
            };
            let Some(table) = self.table_of(&entry.value, &entry.key) else { continue };
            self.properties_of(Kind::ComponentList, *id, &table, entry.value.span, place);
            self.only(&table, &["render", DECLARED]);
        }
    }

    /// Notes that the properties of a component are to be set from a table.
    pub(super) fn properties_of(
        &mut self,
        kind: Kind,
        id: ComponentId,
        table: &Rc<Table>,
        span: Span,
        place: GroupContext,
    ) {
        let (host, fields) = (id.into(), self.fields_of(kind));
        let GroupContext { start, scope, .. } = place;
        self.declared(id, table, scope);
        self.origins.insert(id, Origin { span, table: table.clone() });
        self.jobs.push(Job { host, start, table: table.clone(), scope, fields });
    }

    /// Refuses keys that a component of a kind does not have.
    pub(super) fn unknown_keys(&mut self, table: &Table, kind: Kind, more: &[&str]) {
        let known = self.fields_of(kind);
        let groups: Vec<String> =
            Group::of(kind).into_iter().flat_map(|group| group.kinds().map(key_of)).collect();
        let names = known.iter().map(|field| field.key).chain(more.iter().copied());
        let names: Vec<&str> = names.chain(groups.iter().map(String::as_str)).collect();
        for entry in table.iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            self.findings.error(|| {
                let of = kind.name();
                let message = format!("there is no key '{}' in a {of}", entry.key);
                Diagnostic::unknown(entry.key_span, message, &entry.key, names.iter().copied())
            });
        }
    }

    /// Refuses keys that are not among `known`.
    fn only(&mut self, table: &Table, known: &[&str]) {
        for entry in table.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            self.findings.error(|| {
                let message = format!("there is no key '{}' here", entry.key);
                Diagnostic::unknown(entry.key_span, message, &entry.key, known.iter().copied())
            });
        }
    }

    fn units(&mut self, table: &Table) -> Units {
        self.decoded(table, "units").unwrap_or_default()
    }

    pub(super) fn units_of(&mut self, table: &Table) -> Units {
        self.units(table)
    }

    /// The tables of a list.
    pub(super) fn list_of(&mut self, node: &Node, key: &str) -> Vec<Node> {
        match &node.value {
            Tree::List(list) => return list.clone(),
            Tree::Null => {}
            _ => self.findings.error(|| {
                let message = format!("'{key}' is a list of tables, not {}", node.value.describe());
                Diagnostic::error(node.span, message).help(format!("each begins with [[{key}]]"))
            }),
        }
        Vec::new()
    }

    pub(super) fn table_of(&mut self, node: &Node, what: &str) -> Option<Rc<Table>> {
        if let (None, false) = (node.table(), matches!(node.value, Tree::Null)) {
            self.findings.error(|| {
                let message = format!("'{what}' is a table, not {}", node.value.describe());
                Diagnostic::error(node.span, message)
            });
        }
        node.table().cloned()
    }

    /// The text of a key, if it is there.
    pub(super) fn text(&mut self, table: &Table, key: &str) -> Option<String> {
        let node = get(table, key)?;
        if node.text().is_none() && !matches!(node.value, Tree::Null) {
            self.findings.error(|| {
                let message = format!("'{key}' is a text, not {}", node.value.describe());
                Diagnostic::error(node.span, message)
            });
        }
        node.text().map(str::to_owned)
    }
}
