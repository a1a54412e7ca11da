//! Rigid bodies: surface and inertia.

use sinew::component::Handle;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Collider, Component, Inertia, RigidBody};
use sinew::{Mat3, Vec3};

use super::Reader;
use super::group::GroupContext;
use super::shape::{Shape, ShapeCollider};
use super::value::numbers;
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Span, Table, get};
use crate::units::Units;

/// Properties of a body that make its inertia together, and are read here.
pub(crate) const INERTIA_KEYS: [&str; 5] =
    ["inertia_method", "density", "mass", "center_of_mass", "inertia"];

/// Density of a body that was not given one [kg/m³], that of the table of properties.
const DENSITY: f64 = 1000.0;

/// Source of the inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InertiaMethod {
    /// Its volume times a density.
    Density,
    /// Its volume, with a mass.
    Mass,
    /// Numbers of the file.
    Explicit,
}

impl InertiaMethod {
    fn read(node: &Node) -> Result<Self, Diagnostic> {
        match node.text() {
            Some("density") => Ok(Self::Density),
            Some("mass") => Ok(Self::Mass),
            Some("explicit") => Ok(Self::Explicit),
            _ => {
                let message = "inertia_method is density, mass or explicit";
                Err(Diagnostic::error(node.span, message))
            }
        }
    }
}

/// The numbers of a property in SI, which are `count`.
fn si_numbers(
    table: &Table,
    units: &Units,
    (key, unit, count): (&str, &str, usize),
) -> Result<Option<Vec<f64>>, Diagnostic> {
    let Some(node) = get(table, key) else { return Ok(None) };
    let list = numbers(node).filter(|list| list.len() == count).ok_or_else(|| {
        let s = if count == 1 { "" } else { "s" };
        Diagnostic::error(node.span, format!("{key} is {count} number{s}"))
    })?;
    Ok(Some(list.into_iter().map(|x| units.factor(unit).apply(x)).collect()))
}

impl Reader {
    pub(super) fn body(
        &mut self,
        table: &Table,
        span: Span,
        place: GroupContext,
    ) -> Option<Component> {
        if let Some(shape) = get(table, "shape") {
            return self.body_of_shape(table, shape, place);
        }
        let mesh = get(table, "mesh").and_then(|node| self.surface(node, place));
        let inertia = self.inertia(table, span, get(table, "mesh").is_some(), place);
        let inertia = self.findings.take(inertia)?;
        Some(RigidBody { mesh, ..RigidBody::new("", inertia) }.into())
    }

    /// A body that is a solid: its surface is drawn, its inertia is exact.
    fn body_of_shape(
        &mut self,
        table: &Table,
        shape: &Node,
        place: GroupContext,
    ) -> Option<Component> {
        let unit = self.scopes[place.scope].units.length;
        let shape = self.findings.take(Shape::read(shape, unit))?;
        let mass = self.mass_of_shape(table, &shape, place);
        let inertia = self.findings.take(mass.and_then(|mass| shape.inertia(mass)))?;
        let mesh = Some(shape.mesh);
        Some(RigidBody { mesh, ..RigidBody::new("", Inertia::Explicit(inertia)) }.into())
    }

    /// The mass of a solid [kg]: as given, or by its density.
    fn mass_of_shape(
        &self,
        table: &Table,
        shape: &Shape,
        place: GroupContext,
    ) -> Result<f64, Diagnostic> {
        for key in ["mesh", "inertia_method", "center_of_mass", "inertia"] {
            if let Some(node) = get(table, key) {
                let message = format!("'{key}' does not go with 'shape', which tells it");
                return Err(Diagnostic::error(node.span, message));
            }
        }
        let units = self.scopes[place.scope].units;
        let number = |key: &str, unit: &str| match get(table, key) {
            None => Ok(None),
            Some(node) => match node.number().map(|x| units.factor(unit).apply(x)) {
                Some(x) if x > 0.0 && x.is_finite() => Ok(Some(x)),
                _ => {
                    let message = format!("{key} must be > 0, got {}", node.value.describe());
                    Err(Diagnostic::error(node.span, message))
                }
            },
        };
        match (number("mass", "kg")?, number("density", "kg/m³")?) {
            (Some(_), Some(_)) => {
                let at = get(table, "density").map(|node| node.span);
                Err(Diagnostic::error(at, "give 'mass' or 'density', not both"))
            }
            (Some(mass), None) => Ok(mass),
            (None, density) => Ok(density.unwrap_or(DENSITY) * shape.volume()),
        }
    }

    fn inertia(
        &mut self,
        table: &Table,
        span: Span,
        has_mesh: bool,
        place: GroupContext,
    ) -> Result<Inertia, Diagnostic> {
        let units = self.scopes[place.scope].units;
        let list = |key, unit, count| si_numbers(table, &units, (key, unit, count));
        let density = list("density", "kg/m³", 1)?.map(|list| list[0]);
        let mass = list("mass", "kg", 1)?.map(|list| list[0]);
        let center = list("center_of_mass", "m", 3)?.map(|x| Vec3::from_column_slice(&x));
        let moments = list("inertia", "kg m²", 9)?.map(|x| Mat3::from_row_slice(&x));
        let method = match get(table, "inertia_method") {
            None if moments.is_some() || center.is_some() => InertiaMethod::Explicit,
            None if density.is_some() || mass.is_none() => InertiaMethod::Density,
            None => InertiaMethod::Mass,
            Some(node) => InertiaMethod::read(node)?,
        };
        let missing = |what: &str| Diagnostic::error(span, format!("the body needs {what}"));
        let mass = || positive(table, mass.ok_or_else(|| missing("a 'mass'"))?, "mass");
        match method {
            InertiaMethod::Density | InertiaMethod::Mass if !has_mesh => {
                Err(missing("a 'mesh', or 'mass' and 'inertia'"))
            }
            InertiaMethod::Density => {
                Ok(Inertia::Density(positive(table, density.unwrap_or(DENSITY), "density")?))
            }
            InertiaMethod::Mass => Ok(Inertia::Mass(mass()?)),
            InertiaMethod::Explicit => {
                let mass = mass()?;
                let moments = moments.ok_or_else(|| missing("its 'inertia'"))?;
                let center = center.unwrap_or_default();
                let made = SpatialInertia::new(mass, center, moments).map(Inertia::Explicit);
                let at = get(table, "inertia").map_or(span, |node| node.span);
                made.map_err(|error| Diagnostic::error(at, error.to_string()))
            }
        }
    }

    /// Keeps the collider of a body with a shape until all colliders of the file are there.
    pub(super) fn keep_collider(
        &mut self,
        body: Handle<RigidBody>,
        table: &Table,
        place: GroupContext,
    ) {
        let Some(node) = get(table, "shape") else { return };
        // What is wrong with it was told when the body was made.
        let Ok(shape) = Shape::read(node, self.scopes[place.scope].units.length) else { return };
        let name = self.draft.model().name_of(body.id()).to_owned();
        if let Some(collider) = shape.collider(body) {
            let (collider, start) = (Collider { name, ..collider }, place.start);
            self.colliders.push(ShapeCollider { collider, start, span: node.span });
        }
    }

    /// Adds the colliders of shapes.
    pub(super) fn add_colliders(&mut self) {
        for ShapeCollider { collider, start, span } in std::mem::take(&mut self.colliders) {
            if let Err(error) = self.draft.add(start, collider, None) {
                self.findings.error(|| Diagnostic::error(span, error.to_string()));
            }
        }
    }
}

/// A number that must be > 0, at the key that says it.
fn positive(table: &Table, x: f64, key: &str) -> Result<f64, Diagnostic> {
    match get(table, key) {
        Some(node) if !(x > 0.0 && x.is_finite()) => {
            Err(Diagnostic::error(node.span, format!("{key} must be > 0, got {x}")))
        }
        _ => Ok(x),
    }
}
