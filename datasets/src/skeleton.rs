//! Generated bones as parts of models: surfaces as bodies have them, bodies that stay where they are, colours.

use sinew::component::{ComponentId, Handle};
use sinew::geometry::SurfaceMesh;
use sinew::model::{Edit, Model, RigidBody};
use sinew::property::{Setting, Value};

use crate::ParamError;
use crate::bones::{Bone, Surface, surfaces};

/// Colours of bone, and of cartilage and fascia.
const BONE: [f32; 3] = [0.90, 0.85, 0.73];
const CARTILAGE: [f32; 3] = [0.76, 0.83, 0.88];
/// Density of bones that do not move [kg/m³]; nothing depends on it.
const DENSITY: f64 = 1900.0;

/// The colour of a bone, or of cartilage and fascia.
pub(crate) const fn bone_color(soft: bool) -> [f32; 3] {
    if soft { CARTILAGE } else { BONE }
}

/// The surface as bodies have it.
pub(crate) fn mesh_of(surface: Surface) -> Result<SurfaceMesh, ParamError> {
    let vertices = surface.vertices.into_iter().map(Into::into).collect();
    Ok(SurfaceMesh::new(vertices, surface.triangles)?)
}

/// Gives a component a colour.
pub(crate) fn paint(model: &mut Model, id: ComponentId, color: [f32; 3]) {
    set(model, id, "render.face_color", Value::Colour(color));
}

/// Leaves a component out of pictures, unless somebody asks for it.
pub(crate) fn hide(model: &mut Model, id: ComponentId) {
    set(model, id, "render.visible", Value::Bool(false));
}

fn set(model: &mut Model, id: ComponentId, name: &str, value: Value) {
    let property = model.property(&format!("{}:{name}", model.path(id)));
    let property = property.expect("every component has it");
    let setting = Setting::Explicit(value);
    model.edit(Edit::Set { property, setting }).expect("the value is in range");
}

/// Adds bones that stay where they are, each a body under its name in the frame of docs/theory/anatomy.md.
pub(crate) fn add_fixed(
    model: &mut Model,
    bones: &[Bone],
    cell: f64,
) -> Result<Vec<Handle<RigidBody>>, ParamError> {
    let made = bones.iter().zip(surfaces(bones, cell)?).map(|(bone, surface)| {
        let body = RigidBody::from_mesh(bone.name(), mesh_of(surface)?, DENSITY);
        let body = model.add(body.at(sinew::constraint::Pose::identity()).fixed());
        paint(model, body.id(), bone_color(bone.is_soft()));
        Ok(body)
    });
    made.collect()
}
