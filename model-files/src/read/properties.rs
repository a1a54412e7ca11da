//! Setting the properties of components, in the order of their tables: the name of a law comes
//! before its constants, whatever the order in the file.

use std::collections::HashSet;

use sinew::axial::KINDS;
use sinew::component::{Address, ComponentId, FemPart, Handle};
use sinew::constraint::Quantity;
use sinew::material::{KINDS as LAWS, MaterialSpec};
use sinew::model::{
    BodyLoad, ClosedVolume, CoordinateActuator, CustomJoint, FemModel, Joint, Model, MuscleBundle,
    Shell, SurfaceLoad,
};
use sinew::property::{Components, PropertyInfo, PropertyRef, PropertyType, Setting, Value};

use super::body::INERTIA_KEYS;
use super::select::{Members, is_selection};
use super::value::{Read, mismatch, value};
use super::{Job, Reader};
use crate::diagnostic::Diagnostic;
use crate::fields::{COORDINATE, Field, TYPE};
use crate::tree::{Node, Span, Table, Tree, get};
use crate::units::Factor;

/// Begin of the names of constants of laws.
const LAW: &str = "material.";
/// Key of the fields of a tissue.
const FIELD: &str = "field";

impl Reader {
    /// Sets all properties.
    pub(super) fn set_all(&mut self) {
        let mut jobs = std::mem::take(&mut self.jobs);
        // Units of actuators follow from the kinds of joints, which come first so.
        jobs.sort_by_key(|job| job.host.component().kind());
        let mut tissues = Vec::new();
        for job in jobs {
            let before = self.findings.error_count;
            let mut given = Vec::new();
            self.flatten(&job.table, &job.fields, &mut given);
            let body = self.is_body(job.host);
            given.retain(|(info, _)| !(body && INERTIA_KEYS.contains(&info.name)));
            let properties = self.draft.model().properties(job.host);
            for property in &properties {
                let name = property.info().name;
                if let Some((_, node)) = given.iter().find(|(info, _)| info.name == name) {
                    self.set(property, node, &job);
                }
            }
            if let Address::Component(id) = job.host {
                let fields = get(&job.table, FIELD).map(|node| node.span);
                tissues.extend(id.typed::<FemModel>().zip(fields));
                self.set_coordinates(id, &job);
                self.terms(id, job.start, job.scope);
                self.place_joint(id, &job);
                self.spread_load(id, &job);
            }
            if self.findings.error_count > before {
                self.faulty.insert(job.host.component());
            }
        }
        tissues.into_iter().for_each(|(fem, span)| self.warn_of_idle_fields(fem, span));
    }

    /// Warns of fields of constants that no law of a tissue has, once its regions have theirs.
    fn warn_of_idle_fields(&mut self, fem: Handle<FemModel>, span: Span) {
        let Some(tissue) = self.draft.model().get(fem) else { return };
        let has = |name: &str, law: &MaterialSpec| law.kind().constant(name).is_some();
        let idle = |name: &&String| {
            let regions = tissue.regions.iter().any(|region| has(name, &region.material));
            let known = LAWS.iter().any(|kind| kind.constant(name).is_some());
            known && !regions && !has(name, &tissue.material)
        };
        let idle: Vec<String> = tissue.fields.keys().filter(idle).cloned().collect();
        for name in idle {
            let message = format!("no law of the tissue has '{name}': the field does nothing");
            self.findings.warn(span, message);
        }
    }

    /// Sets what a table says of the coordinates of a custom joint, by the names that its motion or its code gives to them.
    fn set_coordinates(&mut self, id: ComponentId, job: &Job) {
        let custom = id.typed::<CustomJoint>().is_some();
        // Of code that makes none, that is told.
        let there = custom && self.draft.model().joint_functions(id).is_some();
        let Some(node) = get(&job.table, COORDINATE).filter(|_| there) else { return };
        let Some(coordinates) = node.table() else { return };
        for entry in coordinates.iter() {
            let Some(parts) = entry.value.table() else {
                let what = entry.value.value.describe();
                let message = format!("'{}' is a table, not {what}", entry.key);
                self.findings.error(|| Diagnostic::error(entry.value.span, message));
                continue;
            };
            for part in parts.iter() {
                let name = format!("{COORDINATE}.{}.{}", entry.key, part.key);
                match self.draft.model().property_of(id, &name) {
                    Ok(property) => self.set(&property, &part.value, job),
                    Err(error) => {
                        let message = error.to_string();
                        self.findings.error(|| Diagnostic::error(part.key_span, message));
                    }
                }
            }
        }
    }

    fn is_body(&self, host: Address) -> bool {
        let id = host.component();
        matches!(host, Address::Component(_))
            && super::component::is::<sinew::model::RigidBody>(id.kind())
    }

    /// The properties that a table names, through tables of tables; other keys are looked at elsewhere at
    /// the top, and refused below.
    fn flatten<'t>(
        &mut self,
        table: &'t Table,
        fields: &[Field],
        given: &mut Vec<(&'static PropertyInfo, &'t Node)>,
    ) {
        for entry in table {
            let Some(field) = fields.iter().find(|field| field.key == entry.key) else { continue };
            match (&entry.value.value, field.info) {
                (Tree::Null, _) => {}
                // They are looked at once the joint has its coordinates.
                (Tree::Table(_), _) if field.under_any_name().is_some() => {}
                (Tree::Table(inner), info) if !field.children.is_empty() => {
                    self.flatten(inner, &field.children, given);
                    self.inner_keys(inner, field, given, info);
                }
                (_, Some(info)) => given.push((info, &entry.value)),
                (other, None) => {
                    let message = format!("'{}' is a table, not {}", entry.key, other.describe());
                    self.findings.error(|| Diagnostic::error(entry.value.span, message));
                }
            }
        }
    }

    fn inner_keys<'t>(
        &mut self,
        table: &'t Table,
        field: &Field,
        given: &mut Vec<(&'static PropertyInfo, &'t Node)>,
        info: Option<&'static PropertyInfo>,
    ) {
        let known = field.children.iter().map(|child| child.key);
        let known = known.chain(info.is_some().then_some(TYPE));
        for entry in table.iter() {
            match info {
                Some(info) if entry.key == TYPE => given.push((info, &entry.value)),
                _ if known.clone().any(|key| key == entry.key) => {}
                _ => self.findings.error(|| {
                    let message = format!("there is no key '{}' in '{}'", entry.key, field.key);
                    Diagnostic::unknown(entry.key_span, message, &entry.key, known.clone())
                }),
            }
        }
    }

    fn set(&mut self, property: &PropertyRef, node: &Node, job: &Job) {
        let read = match property.info().value_type {
            PropertyType::Path | PropertyType::Paths => self.paths(property.info(), node, job),
            PropertyType::List if is_selection(node) => self.selected(property, node, job),
            PropertyType::Text if matches!(node.value, Tree::Table(_) | Tree::List(_)) => {
                self.selected_set(property, node, job)
            }
            _ => {
                let units = self.scopes[job.scope].units;
                let factors = self.factors(property, job.scope);
                value(node, property.info(), units, &factors)
            }
        };
        let Some(Some(value)) = self.findings.take(read) else { return };
        if let Err(error) = self.draft.set(property, &Setting::Explicit(value)) {
            if let Some(told) = self.not_of_the_law(property, node) {
                return self.findings.push(told);
            }
            self.findings.error(|| {
                let help = property.info().doc;
                Diagnostic::error(node.span, error.to_string()).help(help)
            });
        }
    }

    /// The refusal of a constant that the law of a component does not have.
    fn not_of_the_law(&self, property: &PropertyRef, node: &Node) -> Option<Diagnostic> {
        let name = property.info().name.strip_prefix(LAW)?;
        let model = self.draft.model();
        let of_law: Vec<&str> = model
            .properties(property.host())
            .iter()
            .filter(|it| it.info().name.starts_with(LAW) && model.get_property(it).is_ok())
            .map(|it| &it.info().name[LAW.len()..])
            .collect();
        if of_law.contains(&name) {
            return None;
        }
        let law = model.property_of(property.host(), "material").ok()?;
        let message = format!("the law {} has no '{name}'", model.get_property(&law).ok()?);
        Some(Diagnostic::unknown(node.span, message, name, of_law.into_iter()))
    }

    /// Factors of the numbers of a property, in turn.
    fn factors(&self, property: &PropertyRef, scope: usize) -> Vec<Factor> {
        let (units, unit) = (self.scopes[scope].units, property.info().unit);
        let (model, host) = (self.draft.model(), property.host());
        let id = host.component();
        let by_quantity = |quantity: Quantity| {
            let units_of = unit.split(',').map(str::trim).collect::<Vec<_>>();
            let at = usize::from(quantity == Quantity::Angle).min(units_of.len() - 1);
            units.factor(units_of[at])
        };
        let joint = id.typed::<Joint>().and_then(|joint| model.get(joint));
        if let (Some(joint), true) = (joint, unit.contains(',') && unit != "m, -") {
            let rows = joint.settings.kind.row_quantities();
            return rows.iter().map(|&quantity| by_quantity(quantity)).collect();
        }
        if let (Some(quantity), "N, N m") = (driven(model, id), unit) {
            return vec![by_quantity(quantity)];
        }
        if unit == "by law" {
            return vec![units.factor(unit_by_law(model, property).unwrap_or(""))];
        }
        units.cycle(unit, usize::MAX)
    }

    /// Paths, led to where they lead from the component's model.
    fn paths(&mut self, info: &PropertyInfo, node: &Node, job: &Job) -> Read<Value> {
        let one = |node: &Node| -> Result<String, Diagnostic> {
            let Some(text) = node.text() else {
                let message = format!("{} is a path, not {}", info.name, node.value.describe());
                return Err(Diagnostic::error(node.span, message).help(info.doc));
            };
            self.absolute(text, node.span, job.start, job.scope)
        };
        match (&node.value, info.value_type) {
            (Tree::Null, _) => Ok(None),
            (_, PropertyType::Paths) => {
                let several = |item: &Node| match &item.value {
                    Tree::Table(table) => self.selected_points(table, item, job),
                    _ => one(item).map(|path| vec![path]),
                };
                let items = match &node.value {
                    Tree::List(list) => &list[..],
                    _ => std::slice::from_ref(node),
                };
                let paths = items.iter().map(several).collect::<Result<Vec<_>, _>>()?;
                let mut paths = paths.concat();
                if items.iter().any(|item| item.table().is_some()) {
                    // Selections may overlap; a path that is written twice is a slip, and told later.
                    let mut seen = HashSet::new();
                    paths.retain(|path| seen.insert(path.clone()));
                }
                Ok(Some(Value::Paths(paths)))
            }
            _ => Ok(Some(Value::Path(one(node)?))),
        }
    }

    /// The absolute path that one in a file means.
    pub(super) fn absolute(
        &self,
        path: &str,
        span: crate::tree::Span,
        start: ComponentId,
        scope: usize,
    ) -> Result<String, Diagnostic> {
        if path.is_empty() {
            return Ok(String::new());
        }
        let (model, prefix) = (self.draft.model(), &self.scopes[scope].prefix);
        let outside = || {
            let message = format!("'{path}' leads out of the included file");
            Diagnostic::error(span, message)
        };
        let path = match prefix {
            Some([from, to]) if path.starts_with('/') => {
                let rest = path.strip_prefix(from.as_str()).ok_or_else(outside)?;
                format!("{to}{rest}")
            }
            _ => path.to_owned(),
        };
        let found = model.find_from(start.into(), &path);
        let found = found.map_err(|error| Diagnostic::error(span, error.to_string()))?;
        let absolute = model.path(found);
        match prefix {
            Some([_, to]) if !within(&absolute, to) => Err(outside()),
            _ => Ok(absolute),
        }
    }

    /// The component that a path in a file leads to.
    pub(super) fn component_at(
        &self,
        path: &str,
        span: crate::tree::Span,
        start: ComponentId,
        scope: usize,
    ) -> Result<ComponentId, Diagnostic> {
        let path = self.absolute(path, span, start, scope)?;
        match self.draft.model().find(&path) {
            Ok(Address::Component(id)) => Ok(id),
            _ => Err(Diagnostic::error(span, format!("'{path}' is no component"))),
        }
    }

    /// The numbers of a selection, for regions, supports and bundles of muscle; weights of a load on mass: 1 on the nodes of
    /// a selection, 0 elsewhere.
    fn selected(&self, property: &PropertyRef, node: &Node, job: &Job) -> Read<Value> {
        if let Some(load) = self.weighted(property) {
            let mut weights = vec![0.0; self.mesh_of(load.fem, node)?.nodes.len()];
            for k in self.members(node, load.fem, Members::Nodes, job)? {
                let place = weights.get_mut(k as usize);
                *place.ok_or_else(|| no_such_node(node, k))? = 1.0;
            }
            return Ok(Some(Value::List(weights)));
        }
        let Some((fem, members)) = self.members_of(property) else {
            return Err(mismatch(node, property.info()));
        };
        let list = self.members(node, fem, members, job)?;
        Ok(Some(Value::List(list.into_iter().map(f64::from).collect())))
    }

    /// The load on mass that weights belong to; `None` for other properties.
    fn weighted(&self, property: &PropertyRef) -> Option<&BodyLoad> {
        let load = property.host().component().typed::<BodyLoad>()?;
        self.draft.model().get(load).filter(|_| property.info().name == "weights")
    }

    /// Name of a set of the mesh that has what a selection means: faces for a surface, nodes for what is clamped.
    fn selected_set(&mut self, property: &PropertyRef, node: &Node, job: &Job) -> Read<Value> {
        let (id, model) = (property.host().component(), self.draft.model());
        let load = id.typed::<SurfaceLoad>().and_then(|load| Some(model.get(load)?.fem));
        let shell = id.typed::<Shell>().and_then(|shell| Some(model.get(shell)?.fem));
        let volume = id.typed::<ClosedVolume>().and_then(|volume| Some(model.get(volume)?.fem));
        let name = match (load.or(shell).or(volume), property.info().name) {
            (Some(fem), "surface") => self.set_of_faces(node, fem, job)?,
            (Some(fem), "clamped") => self.set_of_nodes(node, fem, job)?,
            _ => return Err(mismatch(node, property.info())),
        };
        Ok(Some(Value::Text(name)))
    }

    /// The tissue that a list of numbers is about, and what they number; `None` for other lists.
    fn members_of(&self, property: &PropertyRef) -> Option<(Handle<FemModel>, Members)> {
        let (host, name) = (property.host(), property.info().name);
        if let Some((fem, part, _)) = host.part() {
            let fem = fem.typed()?;
            return match part {
                FemPart::Regions => (name == "elements").then_some((fem, Members::Elements)),
                FemPart::Supports => (name == "nodes").then_some((fem, Members::Nodes)),
                FemPart::Nodes | FemPart::Elements => None,
            };
        }
        let bundle = host.component().typed::<MuscleBundle>()?;
        let fem = self.draft.model().get(bundle)?.fem;
        (name == "elements").then_some((fem, Members::Elements))
    }
}

fn no_such_node(at: &Node, node: u32) -> Diagnostic {
    Diagnostic::error(at.span, format!("the mesh has no node {node}"))
}

/// True if a path is `of` or leads below it.
fn within(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Quantity of the coordinate that an actuator drives: a length or an angle.
fn driven(model: &Model, id: ComponentId) -> Option<Quantity> {
    let actuator = model.get(id.typed::<CoordinateActuator>()?)?;
    actuator.of.quantity(model)
}

/// The unit of a constant in the law that a spring has now.
fn unit_by_law(model: &Model, property: &PropertyRef) -> Option<&'static str> {
    let law = model.property_of(property.host(), "material").ok()?;
    let Ok(Value::Choice(law)) = model.get_property(&law) else { return None };
    let constant = property.info().name.strip_prefix("material.")?;
    let kind = KINDS.iter().find(|kind| kind.name == law)?;
    Some(kind.constants.iter().find(|known| known.name == constant)?.unit)
}
