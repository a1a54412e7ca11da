//! Generated bones as parts of models: surfaces as bodies have them, bodies that stay where they are, colours.

use sinew::component::{ComponentId, Handle};
use sinew::geometry::SurfaceMesh;
use sinew::model::{Edit, Model, RigidBody};
use sinew::property::{Setting, Value};

use crate::ParamError;
use crate::bones::{Bone, Surface, surfaces};

/// Colours of bone, of cartilage and fascia, of teeth, and of skin.
const BONE: [f32; 3] = [0.90, 0.85, 0.73];
const CARTILAGE: [f32; 3] = [0.77, 0.84, 0.87];
const TOOTH: [f32; 3] = [0.95, 0.93, 0.87];
const SKIN: [f32; 3] = [0.87, 0.67, 0.56];
/// Force of a muscle over the area across its fibres, by which it is drawn as thick as it is [N/m²] (key Peck2000).
const SPECIFIC_TENSION: f64 = 40e4;
/// Largest mean radius of a belly over its length [-]: short muscles are broad sheets rather than balls.
const STOUTEST: f64 = 0.15;
/// Density of bones that do not move [kg/m³]; nothing depends on it.
const DENSITY: f64 = 1900.0;

/// The surface as bodies have it.
pub(crate) fn mesh_of(surface: Surface) -> Result<SurfaceMesh, ParamError> {
    let vertices = surface.vertices.into_iter().map(Into::into).collect();
    Ok(SurfaceMesh::new(vertices, surface.triangles)?)
}

/// Gives a component a colour.
pub(crate) fn paint(model: &mut Model, id: ComponentId, color: [f32; 3]) {
    set(model, id, "render.face_color", Value::Colour(color));
}

/// Gives a component the colour and the look of bone, or of cartilage and fascia.
pub(crate) fn dress(model: &mut Model, id: ComponentId, soft: bool) {
    let (color, substance) = if soft { (CARTILAGE, "cartilage") } else { (BONE, "bone") };
    paint(model, id, color);
    set(model, id, "render.substance", Value::Choice(substance));
}

/// Gives a component the colour and the look of skin: without light in it, which would turn edges of shadows on it red.
pub(crate) fn dress_as_skin(model: &mut Model, id: ComponentId) {
    paint(model, id, SKIN);
    set(model, id, "render.substance", Value::Choice("plain"));
}

/// Gives a component the colour and the look of teeth.
pub(crate) fn dress_as_teeth(model: &mut Model, id: ComponentId) {
    paint(model, id, TOOTH);
    set(model, id, "render.substance", Value::Choice("tooth"));
}

/// Draws a muscle between two points as a belly of its volume: the force [N] gives the area across the fibres, times
/// their length [m]; an ellipsoid as long as the muscle [m] holds 2/3 π r² times its length.
pub(crate) fn add_belly(
    model: &mut Model,
    id: ComponentId,
    force: f64,
    [fibres, length]: [f64; 2],
) {
    let volume = force / SPECIFIC_TENSION * fibres;
    let radius = (1.5 * volume / (std::f64::consts::PI * length)).sqrt().min(STOUTEST * length);
    set(model, id, "render.line_style", Value::Choice("spindle"));
    set(model, id, "render.line_radius", Value::Real(radius));
}

/// Leaves a component out of pictures, unless somebody asks for it.
pub(crate) fn hide(model: &mut Model, id: ComponentId) {
    set(model, id, "render.visible", Value::Bool(false));
}

/// Sets a property of a component that it has, to a value in its range.
pub(crate) fn set(model: &mut Model, id: ComponentId, name: &str, value: Value) {
    let property = model.property(&format!("{}:{name}", model.path(id)));
    let property = property.expect("every component has it");
    let setting = Setting::Explicit(value);
    model.edit(Edit::Set { property, setting }).expect("the value is in range");
}

/// Points of the surface of a body, in its frame [m].
pub(crate) fn mesh_points(model: &Model, body: Handle<RigidBody>) -> Vec<sinew::Vec3> {
    model[body].mesh.as_ref().map_or(Vec::new(), |mesh| mesh.vertices().to_vec())
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
        dress(model, body.id(), bone.is_soft());
        Ok(body)
    });
    made.collect()
}
