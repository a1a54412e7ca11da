//! Shapes as they are compiled, and how large a model is.

use super::check::CompileError;
use super::collision_things::Source;
use super::flat::Flat;
use crate::Vec3;
use crate::contact;
use crate::geometry::SurfaceMesh;
use crate::property::Problem;

/// Radius of a model without extent [m].
const NO_EXTENT: f64 = 1.0;

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

/// Collider number `k`, its pose seen from the centre of mass of its body.
pub(super) fn collider_of(source: Source<'_>, k: usize) -> Result<contact::Collider, CompileError> {
    let Source { flat, bodies, .. } = source;
    let collider = flat.colliders[k];
    let body = collider.site.body;
    let place = body.map(|body| flat.places.bodies.place(body).expect("references were checked"));
    let mut pose = collider.site.pose;
    if let Some(place) = place {
        pose.translation.vector -= bodies[place].inertia.center_of_mass();
    }
    let surface = place.and_then(|place| flat.bodies[place].mesh.as_ref());
    let shape = collider.shape.on_surface(surface.unwrap_or(&SurfaceMesh::default()));
    let shape = shape.map_err(|error| {
        let path = flat.model.path(flat.places.colliders.handles()[k]);
        CompileError::Component { path, error: Problem::Shape(Box::new(error)).at("shape") }
    })?;
    let frame = place.map_or(contact::Collider::GROUND, |place| place as u32);
    Ok(contact::Collider { shape, frame, pose })
}
