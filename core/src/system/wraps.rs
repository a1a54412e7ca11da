//! Compilation of the surfaces that lines wrap over.

use super::body_forces::side_of;
use super::flat::Flat;
use super::multibody::BodyRows;
use super::numbering::Numbering;
use crate::force::{Round, Sided, Surface, Turn, WrapSite, Wraps};
use crate::model::{MultiPointSpring, WrapShape, WrapSurface, WrapTurn};

/// Surfaces of a line by its segments; the rows of their bodies are added to its own.
pub(super) fn wraps_of(
    model: &Flat<'_>,
    points: &Numbering,
    bodies: &[BodyRows],
    line: &MultiPointSpring,
    rows: &mut Vec<u32>,
) -> Option<Wraps> {
    let mut segments = vec![Vec::new(); line.points.len().saturating_sub(1)];
    for wrapped in &line.wraps {
        let surface = model.model.get(wrapped.surface).filter(|it| it.enabled);
        let Some(surface) = surface else { continue };
        let side = side_of(model, points, bodies, &surface.site);
        let site = WrapSite { surface: surface_of(surface), row: side.row, frame: side.frame };
        let touched = |s: usize| wrapped.segment.is_none_or(|own| own as usize == s);
        let numbered = segments.iter_mut().enumerate().filter(|(s, _)| touched(*s));
        numbered.for_each(|(_, sites)| sites.push(site));
    }
    let any = segments.iter().any(|sites| !sites.is_empty());
    any.then(|| Wraps::new(&segments, rows))
}

fn surface_of(surface: &WrapSurface) -> Surface {
    let radius = surface.radius;
    let sided = |round| Surface::Sided(Sided { round, radius, side: surface.side });
    match surface.shape {
        WrapShape::Sphere if surface.turn == WrapTurn::Side => sided(Round::Sphere),
        WrapShape::Sphere => Surface::Sphere { radius },
        WrapShape::Cylinder => {
            let turn = match surface.turn {
                WrapTurn::Shortest => Turn::Shortest,
                WrapTurn::Positive => Turn::Positive,
                WrapTurn::Negative => Turn::Negative,
                WrapTurn::Side => return sided(Round::Cylinder),
            };
            let endless = surface.half_length == 0.0;
            let half_length = if endless { f64::INFINITY } else { surface.half_length };
            Surface::Cylinder { radius, half_length, turn }
        }
        WrapShape::Ellipsoid => Surface::Ellipsoid { radii: surface.radii },
        WrapShape::Torus => Surface::Torus { ring: surface.ring_radius, tube: radius },
    }
}
