//! One component: its contents, and the properties in which it differs from a blank one.

use serde_json::{Map, Value as Json, json};
use sinew::component::{Address, ComponentId, FemPart, Handle, Kind};
use sinew::model::{
    Component, CoupledCoordinate, Dirichlet, FemModel, Inertia, JointCoordinate,
    JointCoordinateCoupling, Region, RenderMesh, RigidBody,
};
use sinew::property::{PropertyRef, Setting, Value};

use super::group::blank;
use super::value::{self, same};
use super::{SaveError, Writer};
use crate::fields::TYPE;
use crate::read::{INERTIA_KEYS, PARTS};

impl Writer<'_> {
    /// The component as it is before its properties are set.
    pub(super) fn base(&self, id: ComponentId) -> Result<Component, SaveError> {
        let model = self.model;
        let blank = blank(model, id)?.with_name(model.name_of(id));
        let body = id.typed::<RigidBody>().and_then(|body| model.get(body));
        let fem = id.typed::<FemModel>().and_then(|fem| model.get(fem));
        let drawn = id.typed::<RenderMesh>().and_then(|drawn| model.get(drawn));
        Ok(match (blank, body, fem, drawn) {
            (Component::RigidBody(blank), Some(body), ..) => {
                if body.mesh.is_none() && !matches!(body.inertia, Inertia::Explicit(_)) {
                    return Err(SaveError::Inertia(model.path(id)));
                }
                let (mesh, inertia) = (body.mesh.clone(), body.inertia.clone());
                RigidBody { mesh, inertia, ..blank }.into()
            }
            (Component::FemModel(blank), _, Some(fem), _) => {
                FemModel { mesh: fem.mesh.clone(), ..blank }.into()
            }
            (Component::RenderMesh(blank), .., Some(drawn)) => {
                RenderMesh { mesh: drawn.mesh.clone(), ..blank }.into()
            }
            (blank, ..) => blank,
        })
    }

    /// Blank regions and supports.
    pub(super) fn parts_of_twin(&mut self, id: ComponentId, twin: ComponentId) {
        let Some(fem) = id.typed::<FemModel>().and_then(|fem| self.model.get(fem)) else { return };
        let (regions, supports) = (fem.regions.len(), fem.dirichlet.len());
        let Some(twin) = twin.typed().and_then(|twin| self.draft.get_mut::<FemModel>(twin)) else {
            return;
        };
        let material = twin.material;
        twin.regions = vec![Region { elements: Vec::new(), material }; regions];
        twin.dirichlet = vec![Dirichlet::fix(Vec::new()); supports];
    }

    /// Keys of a component that are no properties.
    pub(super) fn own_into(
        &mut self,
        id: ComponentId,
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let model = self.model;
        if let Some(body) = id.typed::<RigidBody>().and_then(|body| model.get(body)) {
            if let Some(mesh) = &body.mesh {
                table.insert("mesh".into(), self.surface(id, mesh));
            }
            inertia_into(&body.inertia, table);
        }
        if let Some(drawn) = id.typed::<RenderMesh>().and_then(|drawn| model.get(drawn)) {
            table.insert("mesh".into(), self.surface(id, &drawn.mesh));
        }
        if let Some(fem) = id.typed::<FemModel>() {
            self.tissue_into(fem, table)?;
        }
        if let Some(coupling) = id.typed::<JointCoordinateCoupling>() {
            self.terms_into(coupling, start, table);
        }
        Ok(())
    }

    fn tissue_into(
        &mut self,
        fem: Handle<FemModel>,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let Some(tissue) = self.model.get(fem) else { return Ok(()) };
        table.insert("mesh".into(), self.volume(fem.id(), &tissue.mesh));
        let Some(twin) = self.twins.get(&fem.id()).and_then(|twin| twin.typed::<FemModel>()) else {
            return Ok(());
        };
        for (key, part, numbers) in PARTS {
            let mut parts = Vec::new();
            for k in 0..tissue.part_count(part) as u32 {
                let [from, to] = [part.address(fem, k), part.address(twin, k)];
                let mut own = Map::new();
                self.differences([from, to], fem.id(), &mut own)?;
                let sets = match part {
                    FemPart::Regions => &tissue.mesh.element_sets,
                    _ => &tissue.mesh.node_sets,
                };
                let list = match part {
                    FemPart::Regions => &tissue.regions[k as usize].elements,
                    _ => &tissue.dirichlet[k as usize].nodes,
                };
                if let Some((name, _)) = sets.iter().find(|(_, set)| *set == list) {
                    own.insert(numbers.into(), name.as_str().into());
                }
                parts.push(Json::Object(own));
            }
            if !parts.is_empty() {
                table.insert(key.into(), parts.into());
            }
        }
        Ok(())
    }

    fn terms_into(
        &mut self,
        coupling: Handle<JointCoordinateCoupling>,
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) {
        let Some(it) = self.model.get(coupling) else { return };
        let (mut terms, mut tables) = (Vec::new(), Vec::new());
        for term in &it.terms {
            let Some(&joint) = self.twins.get(&term.of.joint) else { continue };
            let path = value::relative(&self.model.path(term.of.joint), &self.model.path(start));
            let polynomial: Vec<Json> = term.polynomial.iter().map(|&x| value::number(x)).collect();
            let mut table = json!({
                "joint": path, "coordinate": term.of.coordinate, "polynomial": polynomial,
            });
            if let Some(curve) = &term.curve {
                table["curve"] = curve.to_string().into();
            }
            tables.push(table);
            let of = JointCoordinate::new(joint, term.of.coordinate.clone());
            let (polynomial, curve) = (term.polynomial.clone(), term.curve.clone());
            terms.push(CoupledCoordinate { of, polynomial, curve });
        }
        table.insert("terms".into(), tables.into());
        let twin = self.twins.get(&coupling.id()).and_then(|twin| twin.typed());
        if let Some(twin) =
            twin.and_then(|twin| self.draft.get_mut::<JointCoordinateCoupling>(twin))
        {
            twin.terms = terms;
        }
    }

    /// The properties of a component that are not as they are by themselves.
    pub(super) fn properties_into(
        &mut self,
        id: ComponentId,
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let Some(&twin) = self.twins.get(&id) else { return Ok(()) };
        self.declared_into(id, twin, table)?;
        self.differences([id.into(), twin.into()], start, table)
    }

    fn differences(
        &mut self,
        [from, to]: [Address; 2],
        start: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let properties = self.model.properties(from);
        let twins = self.draft.model().properties(to);
        let names: Vec<&str> = properties.iter().map(|property| property.info().name).collect();
        let above = self.model.path(start);
        for (k, property) in properties.iter().enumerate() {
            let name = property.info().name;
            if property.info().read_only
                || property.is_declared()
                || name == "name"
                || is_own(from, name)
            {
                continue;
            }
            // The coordinates of a custom joint are there once it has its motion or its code.
            let known = twins.get(k).filter(|twin| std::ptr::eq(twin.info(), property.info()));
            let twin = match known {
                Some(twin) => *twin,
                None => self.draft.model().property_of(to, name)?,
            };
            if let Some(value) = self.difference(property, &twin)? {
                let dot = format!("{name}.");
                let composite = names.iter().any(|other| other.starts_with(&dot));
                let value = value::json(property.info(), &value, &above);
                insert(table, name, composite, value);
            }
        }
        table.values_mut().for_each(collapse);
        Ok(())
    }

    /// Sets the twin as the property is; the value, if that changed something.
    fn difference(
        &mut self,
        property: &PropertyRef,
        twin: &PropertyRef,
    ) -> Result<Option<Value>, SaveError> {
        let Ok(Setting::Explicit(value)) = self.model.setting(property) else { return Ok(None) };
        if let Ok(Setting::Explicit(there)) = self.draft.model().setting(twin)
            && same(&value, &there)
        {
            return Ok(None);
        }
        self.draft.set(twin, &Setting::Explicit(value.clone()))?;
        Ok(Some(value))
    }
}

/// True if a property is written with what the component is made of.
fn is_own(host: Address, name: &str) -> bool {
    let Address::Component(id) = host else { return false };
    match id.kind() {
        Kind::RigidBody => INERTIA_KEYS.contains(&name),
        Kind::JointCoordinateCoupling => ["joints", "coefficients"].contains(&name),
        _ => false,
    }
}

fn inertia_into(inertia: &Inertia, table: &mut Map<String, Json>) {
    match inertia {
        Inertia::Density(density) => table.insert("density".into(), value::number(*density)),
        Inertia::Mass(mass) => table.insert("mass".into(), value::number(*mass)),
        Inertia::Explicit(inertia) => {
            table.insert("mass".into(), value::number(inertia.mass()));
            let center = value::list(inertia.center_of_mass().iter().copied());
            table.insert("center_of_mass".into(), center);
            table.insert("inertia".into(), value::matrix(&inertia.rotational()))
        }
    };
}

/// Puts a value under its name, dots leading into tables.
fn insert(table: &mut Map<String, Json>, name: &str, composite: bool, value: Json) {
    match name.split_once('.') {
        Some((key, rest)) => {
            let inner = table.entry(key).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(inner) = inner {
                insert(inner, rest, composite, value);
            }
        }
        None if composite => {
            let inner = table.entry(name).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(inner) = inner {
                inner.insert(TYPE.into(), value);
            }
        }
        None => {
            table.insert(name.into(), value);
        }
    }
}

/// A table of a type alone is that type.
fn collapse(value: &mut Json) {
    if let Json::Object(table) = value
        && table.len() == 1
        && let Some(Json::String(word)) = table.get(TYPE)
    {
        *value = Json::String(word.clone());
    }
}
