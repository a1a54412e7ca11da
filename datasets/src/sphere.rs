//! A solid sphere on an inclined plane: it rolls, or slips where friction is less than 2/7 of the slope.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::{cuboid_mesh, icosphere_mesh};
use sinew::model::{Collider, CollisionBehavior, Inertia, Model, RigidBody};

use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Halvings of the faces of an icosahedron that the sphere is drawn with.
const SUBDIVISIONS: u32 = 3;
/// Length and width of the drawn incline over the radius; its plane has no end.
const INCLINE: [f64; 2] = [60.0, 20.0];

/// The sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereParams {
    /// Slope of the plane, down along +x \[degrees\], 0 to 89.
    pub angle: f64,
    /// Coefficient of friction [-].
    pub friction: f64,
    /// Radius [m], positive.
    pub radius: f64,
    /// Velocity down the slope at the start, without rotation [m/s].
    pub velocity: f64,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for SphereParams {
    fn default() -> Self {
        Self {
            angle: 20.0,
            friction: 0.5,
            radius: 0.1,
            velocity: 0.0,
            density: 1000.0,
            gravity: 9.8,
        }
    }
}

impl SphereParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let sphere = Self {
            angle: params.f64("angle", default.angle, Range::Closed(0.0, 89.0))?,
            friction: params.f64("mu", default.friction, Range::NOT_NEGATIVE)?,
            radius: params.f64("radius", default.radius, Range::POSITIVE)?,
            velocity: params.f64("v", default.velocity, Range::ANY)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(sphere)
    }
}

/// The sphere as a model: the body `sphere` touches the plane at the origin; the fixed body `incline` is drawn and
/// does not touch.
///
/// # Errors
/// A radius that makes no sphere.
pub fn sphere(params: &SphereParams) -> Result<Model, ParamError> {
    let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), params.angle.to_radians());
    let plane = Pose::from_parts(Vec3::zeros().into(), turn);
    let radius = params.radius;
    let mut model = Model::new("sphere");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let extents = Vec3::new(INCLINE[0] * radius, INCLINE[1] * radius, 0.2 * radius);
    // The middle of its upper face is a third of its length down the slope.
    let middle = plane * Pose::translation(extents.x / 3.0, 0.0, -0.5 * extents.z);
    let incline = RigidBody::from_mesh("incline", cuboid_mesh(&extents)?, 1000.0);
    model.add(incline.at(middle).fixed());
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let inertia = SpatialInertia::of_ellipsoid(params.density * volume, &Vec3::repeat(radius))?;
    let mut ball = RigidBody::new("sphere", Inertia::Explicit(inertia))
        .at(plane * Pose::translation(0.0, 0.0, radius));
    ball.mesh = Some(icosphere_mesh(radius, SUBDIVISIONS)?);
    ball.velocity = turn * Vec3::x() * params.velocity;
    let ball = model.add(ball);
    model.add(Collider::sphere(ball, radius).named("sphere"));
    model.add(Collider::half_space(plane).named("plane"));
    model.add(CollisionBehavior::everything(params.friction).named("contact"));
    Ok(model)
}

/// `sphere` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "sphere",
    summary: "solid sphere that rolls or slips down an inclined plane",
    params: &[
        ParamInfo::new("angle", "20", "degrees", "slope of the plane, 0 to 89"),
        ParamInfo::new("mu", "0.5", "-", "coefficient of friction"),
        ParamInfo::new("radius", "0.1", "m", "radius of the sphere"),
        ParamInfo::new("v", "0", "m/s", "velocity down the slope at the start, without rotation"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| sphere(&SphereParams::read(params)?),
};
