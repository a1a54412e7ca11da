//! Shapes as they are compiled.

use super::check::CompileError;
use super::collision_things::Source;
use crate::contact;
use crate::geometry::SurfaceMesh;
use crate::property::Problem;

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
