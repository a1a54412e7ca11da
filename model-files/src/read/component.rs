//! One component: its contents besides its properties, its place in the tree, its parts.

use std::rc::Rc;

use sinew::component::{ComponentId, ComponentType, Kind};
use sinew::constraint::spatial::Function;
use sinew::model::{
    Component, CoupledCoordinate, JointCoordinate, JointCoordinateCoupling, RenderMesh,
};

use super::Reader;
use super::group::{COMPONENT_KEYS, GroupContext};
use super::value::numbers;
use crate::diagnostic::Diagnostic;
use crate::fields::Group;
use crate::tree::{Node, Span, Table, Tree, get};

/// Keys of a kind beside its properties, its name and its number.
pub(crate) fn own_keys(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::RigidBody => &["mesh", "shape"],
        Kind::RenderMesh => &["mesh"],
        Kind::Joint => &super::joint::JOINT_KEYS,
        Kind::PointLoad => &["targets"],
        Kind::FemModel => &["mesh", "region", "support"],
        Kind::JointCoordinateCoupling => &["terms"],
        Kind::MechModel => &super::group::MECH_KEYS,
        Kind::ComponentList => &super::group::PROBE_KEYS,
        _ => &[],
    }
}

/// More components than this are a slip, or a file that means harm.
const MOST_COMPONENTS: usize = 2_000_000;

impl Reader {
    /// Adds a component; its properties are set when all components are there.
    pub(super) fn component(&mut self, kind: Kind, node: &Node, place: GroupContext) {
        let key = crate::fields::key_of(kind);
        let Some(table) = self.table_of(node, &key) else { return };
        let table = self.spelled(&table, kind);
        let table = self.with_defaults(&table, &key, place.scope);
        if self.origins.len() >= MOST_COMPONENTS {
            let message = format!("there are more than {MOST_COMPONENTS} components");
            return self.findings.error(|| Diagnostic::error(node.span, message));
        }
        let name = self.text(&table, "name").unwrap_or_default();
        let number = self.number(&table);
        let before = self.findings.error_count;
        let component = self.blank(kind, &table, node.span, place);
        let faulty = self.findings.error_count > before;
        let component = component.or_else(|| Component::blank(kind));
        let Some(component) = component.map(|it| it.with_name(name.clone())) else { return };
        let id = match self.draft.add(place.parent, component, number) {
            Ok(id) => id,
            Err(error) => {
                return self.findings.error(|| Diagnostic::error(node.span, error.to_string()));
            }
        };
        if faulty {
            self.faulty.insert(id);
        }
        self.warn_of_namesake(id, &name, &table, node.span);
        self.inside(kind, id, &table, node.span, place);
    }

    /// Contents of a component, and its properties.
    fn inside(
        &mut self,
        kind: Kind,
        id: ComponentId,
        table: &Rc<Table>,
        span: Span,
        place: GroupContext,
    ) {
        if let Kind::MechModel = kind {
            let inner = GroupContext { parent: id, start: id, ..place };
            return self.mech(table, span, inner, &COMPONENT_KEYS);
        }
        self.properties_of(kind, id, table, span, place);
        self.unknown_keys(table, kind, &[own_keys(kind), &COMPONENT_KEYS[..]].concat());
        if let Some(group) = Group::of(kind) {
            self.group(table, group, GroupContext { parent: id, ..place });
        }
        if let Some(fem) = id.typed() {
            self.parts(fem, table, place);
        }
        if let Some(body) = id.typed() {
            self.keep_collider(body, table, place);
        }
    }

    /// The component before its properties are set; `None` where something it is made of is wrong.
    fn blank(
        &mut self,
        kind: Kind,
        table: &Table,
        span: Span,
        place: GroupContext,
    ) -> Option<Component> {
        match kind {
            Kind::RigidBody => self.body(table, span, place),
            Kind::FemModel => self.tissue(table, span, place),
            Kind::RenderMesh => {
                let mesh = get(table, "mesh");
                if mesh.is_none() {
                    self.findings.error(|| Diagnostic::error(span, "it needs a 'mesh'"));
                }
                let mesh = self.surface(mesh?, place)?;
                Some(RenderMesh::new("", mesh).into())
            }
            _ => Component::blank(kind),
        }
    }

    pub(super) fn number(&mut self, table: &Table) -> Option<u32> {
        let node = get(table, "number")?;
        match node.value {
            Tree::Int(x) if u32::try_from(x).is_ok() => Some(x as u32),
            Tree::Null => None,
            _ => {
                let message = "a number among siblings is a whole number from 0 on";
                self.findings.error(|| Diagnostic::error(node.span, message));
                None
            }
        }
    }

    fn warn_of_namesake(&mut self, id: ComponentId, name: &str, table: &Table, span: Span) {
        let (model, digits) = (self.draft.model(), name.bytes().all(|b| b.is_ascii_digit()));
        let number = model.number(id).unwrap_or_default();
        if digits || !model.path(id).ends_with(&format!("/{number}")) {
            return;
        }
        let span = get(table, "name").map_or(span, |node| node.span);
        let message = format!("a sibling is called '{name}' too: paths lead to the first one");
        self.findings.warn(span, message);
    }

    /// The terms of a coupling, when the joints are there.
    pub(super) fn terms(&mut self, id: ComponentId, start: ComponentId, scope: usize) {
        let Some(handle) = id.typed::<JointCoordinateCoupling>() else { return };
        let Some(origin) = self.origins.get(&id).cloned() else { return };
        let Some(node) = get(&origin.table, "terms") else { return };
        let mut terms = Vec::new();
        for item in self.list_of(node, "terms") {
            let Some(table) = self.table_of(&item, "terms") else { continue };
            match self.term(&table, item.span, start, scope) {
                Ok(term) => terms.push(term),
                Err(error) => {
                    self.faulty.insert(id);
                    self.findings.push(error);
                }
            }
        }
        if let Some(coupling) = self.draft.get_mut(handle) {
            coupling.terms = terms;
        }
    }

    fn term(
        &mut self,
        table: &Table,
        span: Span,
        start: ComponentId,
        scope: usize,
    ) -> Result<CoupledCoordinate, Diagnostic> {
        const KEYS: [&str; 4] = ["joint", "coordinate", "polynomial", "curve"];
        if let Some(entry) = table.iter().find(|entry| !KEYS.contains(&entry.key.as_str())) {
            let message = format!("a term has no '{}'", entry.key);
            return Err(Diagnostic::unknown(entry.key_span, message, &entry.key, KEYS.into_iter()));
        }
        let needed = |key: &str| {
            get(table, key)
                .ok_or_else(|| Diagnostic::error(span, format!("a term needs a '{key}'")))
        };
        let [joint, coordinate, polynomial] =
            [needed(KEYS[0])?, needed(KEYS[1])?, needed(KEYS[2])?];
        let wrong =
            |node: &Node, what: &str| Diagnostic::error(node.span, format!("{what} is asked for"));
        let path = joint.text().ok_or_else(|| wrong(joint, "the path of a joint"))?;
        let joint = self.component_at(path, joint.span, start, scope)?;
        let name =
            coordinate.text().ok_or_else(|| wrong(coordinate, "the name of a coordinate"))?;
        let of = JointCoordinate::new(joint, name);
        let polynomial =
            numbers(polynomial).ok_or_else(|| wrong(polynomial, "a list of numbers"))?;
        let curve = get(table, "curve").map(|node| {
            let text = node.text().ok_or_else(|| wrong(node, "a function as text"))?;
            text.parse().map_err(|error| Diagnostic::error(node.span, format!("{error}")))
        });
        let curve: Option<Function> = curve.transpose()?;
        Ok(CoupledCoordinate { of, polynomial, curve })
    }
}

/// True if a kind is that of a type.
pub(super) fn is<T: ComponentType>(kind: Kind) -> bool {
    kind == T::KIND
}
