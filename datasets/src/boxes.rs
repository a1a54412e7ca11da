//! Cubes stacked with small gaps above a fixed plate: they fall onto each other and rest.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};

use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Highest stack.
const MOST_BOXES: usize = 1000;

/// The stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxesParams {
    /// Number of cubes, 1 to 1000.
    pub count: usize,
    /// Edge of a cube [m], positive.
    pub size: f64,
    /// Room below each cube at the start [m].
    pub gap: f64,
    /// Coefficient of friction [-].
    pub friction: f64,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for BoxesParams {
    fn default() -> Self {
        Self { count: 3, size: 0.2, gap: 0.001, friction: 0.5, density: 1000.0, gravity: 9.8 }
    }
}

impl BoxesParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let boxes = Self {
            count: params.usize("n", default.count, [1, MOST_BOXES])?,
            size: params.f64("size", default.size, Range::POSITIVE)?,
            gap: params.f64("gap", default.gap, Range::NOT_NEGATIVE)?,
            friction: params.f64("mu", default.friction, Range::NOT_NEGATIVE)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(boxes)
    }
}

/// The stack as a model: bodies `b0`, `b1`, ... upwards from the fixed `plate`, the upper face of which is z = 0.
///
/// # Errors
/// No cube or more than 1000; sizes that make no box.
pub fn boxes(params: &BoxesParams) -> Result<Model, ParamError> {
    if !(1..=MOST_BOXES).contains(&params.count) {
        let allowed = format!("a whole number from 1 to {MOST_BOXES}");
        return Err(refused("n", params.count, allowed));
    }
    let mesh = cuboid_mesh(&Vec3::repeat(params.size))?;
    let mut model = Model::new("boxes");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    add_plate(&mut model, params.size, 0.0)?;
    for k in 0..params.count {
        let z = 0.5 * params.size + params.gap + k as f64 * (params.size + params.gap);
        let body = RigidBody::from_mesh(format!("b{k}"), mesh.clone(), params.density);
        let body = model.add(body.at(Pose::translation(0.0, 0.0, z)));
        model.add(Collider::boxed(body, Vec3::repeat(0.5 * params.size)).named(format!("b{k}")));
    }
    model.add(CollisionBehavior::everything(params.friction).named("contact"));
    Ok(model)
}

/// A fixed plate four times as wide as what is to lie on it, `size` [m], with its upper face at a height [m].
pub(crate) fn add_plate(model: &mut Model, size: f64, height: f64) -> Result<(), ParamError> {
    let extents = Vec3::new(4.0 * size, 4.0 * size, 0.25 * size);
    let pose = Pose::translation(0.0, 0.0, height - 0.5 * extents.z);
    // The density of steel, as a body has one; nothing moves it.
    let plate = RigidBody::from_mesh("plate", cuboid_mesh(&extents)?, 7800.0).at(pose).fixed();
    let plate = model.add(plate);
    model.add(Collider::boxed(plate, extents * 0.5).named("plate"));
    Ok(())
}

/// `boxes` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "boxes",
    summary: "cubes that fall onto each other and rest on a fixed plate",
    params: &[
        ParamInfo::new("n", "3", "-", "number of cubes, 1 to 1000"),
        ParamInfo::new("size", "0.2", "m", "edge of a cube"),
        ParamInfo::new("gap", "0.001", "m", "room below each cube at the start"),
        ParamInfo::new("mu", "0.5", "-", "coefficient of friction"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| boxes(&BoxesParams::read(params)?),
};
