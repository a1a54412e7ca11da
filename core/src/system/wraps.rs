//! Compilation of the surfaces that lines wrap over.

use super::body_forces::side_of;
use super::flat::Flat;
use super::markers::conditions_of;
use super::multibody::{BodyRows, JointSet};
use super::numbering::Numbering;
use crate::force::{Round, Sections, Side, Sided, Spanned, Surface, Top, Turn, WrapSite, Wraps};
use crate::model::{
    MultiPointSpring, WrapMethod, WrapOrder, WrapShape, WrapSide, WrapSurface, WrapTurn,
};

/// Surfaces of a line, and its points that come and go; the rows of their bodies are added to its own.
pub(super) fn wraps_of(
    model: &Flat<'_>,
    points: &Numbering,
    (bodies, joints): (&[BodyRows], &JointSet),
    line: &MultiPointSpring,
    rows: &mut Vec<u32>,
) -> Option<Wraps> {
    let last = line.points.len().saturating_sub(1) as u32;
    let mut sites = Vec::new();
    for wrapped in &line.wraps {
        let surface = model.model.get(wrapped.surface).filter(|it| it.enabled);
        let Some(surface) = surface else { continue };
        let on = side_of(model, points, bodies, &surface.site);
        let (row, frame, side) = (on.row, on.frame, half_of(surface.side));
        let site = WrapSite { surface: surface_of(surface), side, row, frame };
        let points = wrapped.segment.map_or([0, last], |first| {
            let end = wrapped.until.unwrap_or(first).max(first);
            [first, (end + 1).min(last)]
        });
        sites.push(Spanned { site, points });
    }
    let conditions = conditions_of(model, joints, &line.points);
    let plain = sites.is_empty() && conditions.is_empty();
    (!plain).then(|| {
        let sorted = line.wrap_order == WrapOrder::Met;
        Wraps::new(sites, rows).with_conditions(conditions).sorted(sorted)
    })
}

fn half_of(side: WrapSide) -> Option<Side> {
    let half = |axis, negative| Some(Side { axis, negative });
    match side {
        WrapSide::Any => None,
        WrapSide::PositiveX => half(0, false),
        WrapSide::NegativeX => half(0, true),
        WrapSide::PositiveY => half(1, false),
        WrapSide::NegativeY => half(1, true),
        WrapSide::PositiveZ => half(2, false),
        WrapSide::NegativeZ => half(2, true),
    }
}

fn surface_of(surface: &WrapSurface) -> Surface {
    let radius = surface.radius;
    let sided = |round| Surface::Sided(Sided { round, radius, side: surface.side_point });
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
        WrapShape::Ellipsoid => {
            let radii = surface.radii;
            let sections = |top| Surface::Sections(Sections { radii, top });
            match surface.method {
                WrapMethod::Geodesic => Surface::Ellipsoid { radii },
                WrapMethod::Hybrid => sections(Top::Hybrid),
                WrapMethod::Midpoint => sections(Top::Midpoint),
                WrapMethod::Axial => sections(Top::Axial),
            }
        }
        WrapShape::Torus => Surface::Torus { ring: surface.ring_radius, tube: radius },
    }
}
