//! Radius of a model, and the lengths of behaviours of collisions that follow from it.

use super::flat::Flat;
use crate::Vec3;
use crate::model::CollisionBehavior;

/// Radius of a model without extent [m].
const NO_EXTENT: f64 = 1.0;

/// Automatic tolerance over the radius of the model [-], as in ArtiSynth (key Lloyd2012).
pub(super) const TOLERANCE: f64 = 1e-4;
/// Automatic margin over the tolerance [-].
pub(super) const MARGIN: f64 = 10.0;

/// Half the diagonal of the box around all points, bodies and shapes that end, at the start [m].
pub(super) fn radius_of(flat: &Flat<'_>) -> f64 {
    let mut bounds: Option<[Vec3; 2]> = None;
    let zero = Vec3::zeros();
    let mut reach = |at: Vec3, by: Vec3| {
        let [low, high] = bounds.unwrap_or([at, at]);
        bounds = Some([low.inf(&(at - by)), high.sup(&(at + by))]);
    };
    flat.particles.iter().for_each(|particle| reach(particle.position, zero));
    flat.fems.iter().flat_map(|fem| &fem.mesh.nodes).for_each(|node| reach(*node, zero));
    for body in &flat.bodies {
        reach(body.pose.translation.vector, zero);
        let vertices = body.mesh.iter().flat_map(|mesh| mesh.vertices());
        vertices.for_each(|v| reach(body.pose.transform_point(&(*v).into()).coords, zero));
    }
    for collider in &flat.colliders {
        let Some(place) = collider.site.world_pose(flat.model) else { continue };
        if let Some(half) = collider.shape.reach(&place.rotation) {
            reach(place.translation.vector, half);
        }
    }
    let radius = bounds.map_or(0.0, |[low, high]| 0.5 * (high - low).norm());
    if radius > 0.0 { radius } else { NO_EXTENT }
}

/// Half the diagonal of the box around points [m].
pub(super) fn radius_of_points(points: &[Vec3]) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let around = |[low, high]: [Vec3; 2], p: &Vec3| [low.inf(p), high.sup(p)];
    let [low, high] = points.iter().fold([*first; 2], around);
    0.5 * (high - low).norm()
}

/// Margin of a behaviour [m], with the automatic one of a radius [m]; contacts that pull are within it.
pub(super) fn margin_of(behavior: &CollisionBehavior, radius: f64) -> f64 {
    let automatic = || MARGIN * behavior.tolerance.unwrap_or(TOLERANCE * radius);
    behavior.margin.unwrap_or_else(automatic).max(behavior.law.adhesion.reach())
}
