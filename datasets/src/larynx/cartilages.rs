//! Cartilages of the larynx as bodies.

use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::model::{Model, RigidBody};

use crate::ParamError;
use crate::bones::{self, Bone, Surface, surface_of};
use crate::jaw::muscles::Side;
use crate::skeleton::{add_fixed, dress, mesh_of};

/// Density of cartilage [kg/m³].
pub(super) const DENSITY: f64 = 1100.0;
/// Drag on the turning of the cricoid and of an arytenoid cartilage [N m s/rad]: that of the tissue about them.
const DRAG: [f64; 2] = [1e-2, 1e-4];

/// Bodies of the larynx, the arytenoid cartilages left and right.
#[derive(Clone, Copy)]
pub(super) struct Bodies {
    pub(super) thyroid: Handle<RigidBody>,
    pub(super) cricoid: Handle<RigidBody>,
    pub(super) arytenoids: [Handle<RigidBody>; 2],
}

/// Adds the cartilages; the thyroid stays where it is.
pub(super) fn add_cartilages(model: &mut Model, cell: f64) -> Result<Bodies, ParamError> {
    let thyroid = add_fixed(model, &[Bone::Thyroid], cell)?[0];
    let cricoid = Bone::Cricoid.surface(cell * Bone::Cricoid.default_cell());
    let cricoid = add_moving(model, "cricoid", cricoid?, DRAG[0])?;
    let left = surface_of(&bones::left_arytenoid(), cell * Bone::Arytenoids.default_cell())?;
    let arytenoids = [left.clone(), left.mirrored()];
    let mut handles = Vec::new();
    for (side, surface) in Side::BOTH.into_iter().zip(arytenoids) {
        let name = format!("{}_arytenoid", side.name());
        handles.push(add_moving(model, &name, surface, DRAG[1])?);
    }
    Ok(Bodies { thyroid, cricoid, arytenoids: [handles[0], handles[1]] })
}

fn add_moving(
    model: &mut Model,
    name: &str,
    surface: Surface,
    drag: f64,
) -> Result<Handle<RigidBody>, ParamError> {
    let mut body = RigidBody::from_mesh(name, mesh_of(surface)?, DENSITY).at(Pose::identity());
    body.rotary_damping = Some(drag);
    let body = model.add(body);
    dress(model, body.id(), true);
    Ok(body)
}
