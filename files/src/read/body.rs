//! Rigid bodies: surface and inertia.

use sinew::component::Component;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, RigidBody};
use sinew::{Mat3, Vec3};

use super::Reader;
use super::group::Place;
use super::value::numbers;
use crate::diagnostic::Diagnostic;
use crate::tree::{Span, Table, get};

/// Properties of a body that make its inertia together, and are read here.
pub(crate) const INERTIA_KEYS: [&str; 5] =
    ["inertia_method", "density", "mass", "center_of_mass", "inertia"];

/// Density of a body that was not given one [kg/m³], that of the table of properties.
const DENSITY: f64 = 1000.0;

impl Reader {
    pub(super) fn body(&mut self, table: &Table, span: Span, place: Place) -> Option<Component> {
        let mesh = get(table, "mesh").and_then(|node| self.surface(node, place));
        let inertia = self.inertia(table, span, get(table, "mesh").is_some(), place);
        let inertia = self.findings.take(inertia)?;
        Some(RigidBody { mesh, ..RigidBody::new("", inertia) }.into())
    }

    fn inertia(
        &mut self,
        table: &Table,
        span: Span,
        has_mesh: bool,
        place: Place,
    ) -> Result<Inertia, Diagnostic> {
        let units = self.scopes[place.scope].units;
        let list = |key: &str, unit: &str, count: usize| -> Result<Option<Vec<f64>>, Diagnostic> {
            let Some(node) = get(table, key) else { return Ok(None) };
            let list = numbers(node).filter(|list| list.len() == count).ok_or_else(|| {
                let s = if count == 1 { "" } else { "s" };
                Diagnostic::error(node.span, format!("{key} is {count} number{s}"))
            })?;
            Ok(Some(list.into_iter().map(|x| units.factor(unit).apply(x)).collect()))
        };
        let density = list("density", "kg/m³", 1)?.map(|list| list[0]);
        let mass = list("mass", "kg", 1)?.map(|list| list[0]);
        let center = list("center_of_mass", "m", 3)?.map(|x| Vec3::from_column_slice(&x));
        let moments = list("inertia", "kg m²", 9)?.map(|x| Mat3::from_row_slice(&x));
        let method = match get(table, "inertia_method") {
            None if moments.is_some() || center.is_some() => "explicit",
            None if density.is_some() || mass.is_none() => "density",
            None => "mass",
            Some(node) => match node.text() {
                Some(word @ ("density" | "mass" | "explicit")) => word,
                _ => {
                    let message = "inertia_method is density, mass or explicit";
                    return Err(Diagnostic::error(node.span, message));
                }
            },
        };
        let missing = |what: &str| Diagnostic::error(span, format!("the body needs {what}"));
        let positive = |x: f64, key: &str| match get(table, key) {
            Some(node) if !(x > 0.0 && x.is_finite()) => {
                Err(Diagnostic::error(node.span, format!("{key} is to be > 0, not {x}")))
            }
            _ => Ok(x),
        };
        if method != "explicit" && !has_mesh {
            return Err(missing("a 'mesh', or 'mass' and 'inertia'"));
        }
        match method {
            "density" => Ok(Inertia::Density(positive(density.unwrap_or(DENSITY), "density")?)),
            "mass" => {
                let mass = mass.ok_or_else(|| missing("a 'mass'"))?;
                Ok(Inertia::Mass(positive(mass, "mass")?))
            }
            _ => {
                let mass = positive(mass.ok_or_else(|| missing("a 'mass'"))?, "mass")?;
                let moments = moments.ok_or_else(|| missing("its 'inertia'"))?;
                let center = center.unwrap_or_else(Vec3::zeros);
                let made = SpatialInertia::new(mass, center, moments);
                let at = get(table, "inertia").map_or(span, |node| node.span);
                made.map(Inertia::Explicit)
                    .map_err(|error| Diagnostic::error(at, error.to_string()))
            }
        }
    }
}
