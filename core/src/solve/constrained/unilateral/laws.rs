//! Laws of the force along the normal as rows: rigid, linear, or the tangent of a force that is not linear
//! (docs/theory/unilateral.md, "Laws"), which follows the iterate (`constrained/tangents.rs`).

use crate::Vec3;
use crate::constraint::Compliance;
use crate::contact::{Collider, ContactPoint, Member, NormalForce, NormalLaw, Shape, Stencil};
use crate::solve::constrained::unilateral::row_set::RowSet;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::system::ContactSetup;

/// Law of the force of a row at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowLaw {
    /// Nothing overlaps.
    Rigid,
    /// In proportion to the overlap and its rate.
    Linear(Compliance),
    /// A force that is not linear.
    Force(NormalForce),
}

impl RowLaw {
    /// Rigid where the compliance is zero.
    pub(super) fn of_compliance(compliance: Compliance) -> Self {
        if compliance.compliance > 0.0 { Self::Linear(compliance) } else { Self::Rigid }
    }

    /// That of a contact by its behaviour and the area that it stands for; `None` where that is none.
    pub(super) fn of_contact(begin: &Begin, contact: &ContactPoint) -> Option<Self> {
        let setup = &begin.multibody.contacts;
        let law = &setup.behaviors[contact.pair as usize].law;
        let dissipation = law.dissipation;
        match law.normal {
            NormalLaw::Linear => Some(Self::of_compliance(law.compliance)),
            NormalLaw::Automatic => {
                let layer = setup.layers[contact.pair as usize]?;
                let area = area_of(begin, contact);
                (area > 0.0).then(|| Self::Linear(layer.over(&law.automatic, area)))
            }
            NormalLaw::HuntCrossley => {
                let it = law.hunt_crossley;
                let radius = if it.radius > 0.0 { it.radius } else { radius_of(setup, contact) };
                let stiffness = 4.0 / 3.0 * it.effective_modulus * radius.powf(2.0 - it.exponent);
                Some(Self::Force(NormalForce::power(stiffness, it.exponent, dissipation)))
            }
            NormalLaw::ElasticFoundation => {
                foundation(begin, contact, (law.foundation.stiffness(), dissipation))
            }
            NormalLaw::LogarithmicFoundation => {
                let stiffness = law.foundation.stiffness() * area_of(begin, contact);
                let force = NormalForce::layer(stiffness, law.foundation.thickness, dissipation);
                (stiffness > 0.0).then_some(Self::Force(force))
            }
        }
    }

    /// Mean velocity that is not to be fallen short of, and the velocity per impulse that compliance adds
    /// (docs/theory/unilateral.md), at a gap and a velocity of the start.
    pub(super) fn target(&self, gap: f64, before: f64, step: (f64, f64)) -> (f64, f64) {
        match self {
            Self::Rigid => Compliance::default().target(gap, before, step),
            Self::Linear(soft) => soft.target(gap, before, step),
            Self::Force(force) => force.tangent(-gap, before, step),
        }
    }

    /// The force of a law that is not linear, and the overlap at the start, of a row [m].
    pub(super) fn force(&self, gap: f64) -> Option<(NormalForce, f64)> {
        match self {
            Self::Rigid | Self::Linear(_) => None,
            Self::Force(force) => Some((*force, -gap)),
        }
    }
}

/// Law of an elastic foundation [Pa/m] with a dissipation [s/m]: of two balls, and of a ball and a half-space, by the
/// volume of their overlap; of points by the area that they stand for.
fn foundation(
    begin: &Begin,
    contact: &ContactPoint,
    (stiffness, dissipation): (f64, f64),
) -> Option<RowLaw> {
    let setup = &begin.multibody.contacts;
    let pair = setup.pairs[contact.pair as usize];
    match [pair.a, pair.b].map(|member| setup.shape(member)) {
        [Some(Shape::Sphere { radius: a }), Some(Shape::Sphere { radius: b })] => {
            // The gap between two balls is that of a paraboloid of their common curvature.
            let stiffness = stiffness * std::f64::consts::PI * a * b / (a + b);
            return Some(RowLaw::Force(NormalForce::power(stiffness, 2.0, dissipation)));
        }
        [Some(Shape::Sphere { radius }), Some(Shape::HalfSpace)]
        | [Some(Shape::HalfSpace), Some(Shape::Sphere { radius })] => {
            return Some(RowLaw::Force(NormalForce::cap(stiffness, *radius, dissipation)));
        }
        _ => {}
    }
    let stiffness = stiffness * area_of(begin, contact);
    let overlap = (-contact.gap).max(0.0);
    (stiffness > 0.0).then(|| {
        RowLaw::Linear(Compliance {
            compliance: 1.0 / stiffness,
            damping: dissipation * stiffness * overlap,
        })
    })
}

/// Area of the surface that the point of a contact stands for, seen along the normal [m²].
pub(super) fn area_of(begin: &Begin, contact: &ContactPoint) -> f64 {
    let setup = &begin.multibody.contacts;
    let pair = contact.pair as usize;
    if let Some(stencil) = contact.stencil {
        return area_between(begin, (pair, &contact.normal), &stencil);
    }
    let sides = [(setup.pairs[pair].a, contact.normal), (setup.pairs[pair].b, -contact.normal)];
    for ((member, push), tissue) in sides.into_iter().zip(setup.tissues[pair]) {
        match member {
            Member::Points(set) => {
                let row = setup.points[set as usize].rows[contact.a as usize];
                let surface = tissue.and_then(|tissue| setup.pressure_surfaces.get(&tissue));
                return surface.map_or(0.0, |surface| surface.area_of(row, &push, begin.at.q));
            }
            Member::Collider(number) => {
                let Some(areas) = setup.point_areas.get(&number) else { continue };
                let Collider { frame, pose, .. } = &setup.colliders[number as usize];
                let turn = begin.at.turns.get(*frame as usize);
                let push = turn.map_or(push, |turn| turn.tr_mul(&push));
                // The key of a contact of a cloud is the number of its vertex.
                return areas.of_vertex(contact.key as u32, &pose.inverse_transform_vector(&push));
            }
            Member::Surface(_) => {}
        }
    }
    0.0
}

/// Area of a contact of two surfaces of tissues [m²]. Vertices of both sides stand for all of the area, each for half. Where a
/// solid touches a tissue between its nodes there is none, since these stand for all of it.
fn area_between(begin: &Begin, (pair, normal): (usize, &Vec3), stencil: &Stencil) -> f64 {
    let setup = &begin.multibody.contacts;
    let sides = stencil.vertices().into_iter().zip(setup.tissues[pair]).zip([*normal, -normal]);
    let area = |((row, tissue), push): ((Option<u32>, Option<u32>), Vec3)| {
        let surface = setup.pressure_surfaces.get(&tissue?)?;
        Some(0.5 * surface.area_of(row?, &push, begin.at.q))
    };
    sides.filter_map(area).sum()
}

/// Effective radius of curvature of both sides [m]; 1 where both are flat, which compilation refuses.
fn radius_of(setup: &ContactSetup, contact: &ContactPoint) -> f64 {
    let pair = setup.pairs[contact.pair as usize];
    let curvature = setup.curvature([pair.a, pair.b]);
    if curvature > 0.0 { 1.0 / curvature } else { 1.0 }
}

impl RowSet {
    /// Takes the tangents of laws that are not linear at mean velocities `y` of a step of `h`; true if there are any.
    pub(in crate::solve) fn follow_laws(&mut self, y: &[Vec3], (h, w): (f64, f64)) -> bool {
        let mut follows = false;
        for number in 0..self.rows.len() {
            let Some((force, overlap)) = self.rows[number].force else { continue };
            let velocity = self.pattern.velocity(number, &self.values, y);
            let row = &mut self.rows[number];
            (row.target, row.compliance) = force.tangent(overlap, velocity, (h, w));
            follows = true;
        }
        follows
    }
}
