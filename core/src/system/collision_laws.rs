//! Laws of contact that need numbers of the shapes: areas of elastic foundations, curvatures of the law of Hunt and
//! Crossley. Pairs that have none are refused.

use super::ContactSetup;
use super::collision_things::{Source, Thing, What};
use crate::contact::{ContactLaw, Member, NormalLaw, PointAreas, Shape};
use crate::geometry::SurfaceMesh;
use crate::property::Problem;

/// One side of a pair: its member, and the surface of the body that it is on.
pub(super) struct Side<'a> {
    member: Member,
    surface: Option<&'a SurfaceMesh>,
    is_tissue: bool,
}

/// The property that a pair has no numbers for, and what is wrong with it by the paths of both sides.
type Refused = Option<(&'static str, fn([String; 2]) -> Problem)>;

impl<'a> Side<'a> {
    pub(super) fn of(source: Source<'a>, thing: Thing, member: Member) -> Self {
        let flat = source.flat;
        let surface = match thing.what {
            What::Collider(k) => {
                let body = flat.colliders[k].site.body;
                let place = body.and_then(|body| flat.places.bodies.place(body));
                place.and_then(|place| flat.bodies[place].mesh.as_ref())
            }
            What::Tissue(_) | What::Particle(_) => None,
        };
        Self { member, surface, is_tissue: matches!(thing.what, What::Tissue(_)) }
    }
}

/// Refuses what a law has no areas or no curvature for; lists the areas of clouds of vertices.
pub(super) fn check_law(setup: &mut ContactSetup, law: &ContactLaw, sides: [&Side; 2]) -> Refused {
    let refused = match law.normal {
        NormalLaw::Linear | NormalLaw::Automatic => None,
        NormalLaw::HuntCrossley => flat_pair(setup, law, sides),
        NormalLaw::ElasticFoundation if is_of_balls(setup, sides) => None,
        NormalLaw::ElasticFoundation | NormalLaw::LogarithmicFoundation => foundation(setup, sides),
    };
    refused.or_else(|| adhesion(setup, law, sides))
}

/// Refuses the law of Hunt and Crossley without a radius where both sides are flat.
fn flat_pair(setup: &ContactSetup, law: &ContactLaw, sides: [&Side; 2]) -> Refused {
    let curvature = setup.curvature(sides.map(|side| side.member));
    let is_known = law.hunt_crossley.radius > 0.0 || curvature > 0.0;
    (!is_known).then_some(("contact_radius", Problem::NoCurvature))
}

/// True if the overlap of a pair has a closed volume: that of two balls, and of a ball in a half-space.
fn is_of_balls(setup: &ContactSetup, sides: [&Side; 2]) -> bool {
    let is_ball = |shape: Option<&Shape>| matches!(shape, Some(Shape::Sphere { .. }));
    match sides.map(|side| setup.shape(side.member)) {
        [Some(Shape::HalfSpace), other] | [other, Some(Shape::HalfSpace)] => is_ball(other),
        [a, b] => is_ball(a) && is_ball(b),
    }
}

/// Refuses a foundation where contacts stand for no area, and lists the areas of a cloud of vertices.
fn foundation(setup: &mut ContactSetup, sides: [&Side; 2]) -> Refused {
    let refused = ("law", Problem::NoArea as fn([String; 2]) -> Problem);
    (!list_areas(setup, sides)).then_some(refused)
}

/// Refuses an adhesion by area where contacts stand for none.
fn adhesion(setup: &mut ContactSetup, law: &ContactLaw, sides: [&Side; 2]) -> Refused {
    let refused = ("adhesion", Problem::NoAreaToAdhere as fn([String; 2]) -> Problem);
    let is_known = law.adhesion.work == 0.0 || is_of_balls(setup, sides);
    (!is_known && !list_areas(setup, sides)).then_some(refused)
}

/// Lists the areas of a cloud of vertices; false where contacts stand for no area.
fn list_areas(setup: &mut ContactSetup, sides: [&Side; 2]) -> bool {
    if sides.iter().any(|side| side.is_tissue) {
        return true;
    }
    for side in sides {
        if let (Member::Collider(number), Some(Shape::Points { .. }), Some(surface)) =
            (side.member, setup.shape(side.member), side.surface)
        {
            setup.point_areas.entry(number).or_insert_with(|| PointAreas::of(surface));
            return true;
        }
    }
    false
}
