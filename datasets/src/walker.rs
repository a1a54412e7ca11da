//! A walking machine of two inner degrees of freedom: two straight legs with a small ball for a foot, hinged to a hip
//! with nearly all of the mass, which stays upright sideways. It walks down a slope without a motor, in the gait of
//! Garcia1998; the ground is made of tiles, each leg having its own lane with gaps where it swings past the other one.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use sinew::component::{ComponentType, Handle};
use sinew::constraint::JointKind;
use sinew::contact::ColliderShape;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Collider, CollisionBehavior, FrameMarker, FrameSite, Inertia, Joint, Model, RigidBody,
};
use sinew::{Mat3, Vec3};

use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// The machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkerParams {
    /// Slope [rad].
    pub slope: f64,
    /// Length of a leg, from the hip to the middle of its foot [m].
    pub length: f64,
    /// Tiles of each lane.
    pub tiles: usize,
    /// Gravity [m/s²].
    pub gravity: f64,
}

impl Default for WalkerParams {
    fn default() -> Self {
        Self { slope: 0.009, length: 1.0, tiles: 12, gravity: 9.81 }
    }
}

/// Mass of the hip and of a leg, near its foot [kg]: a two-hundredth, as good as none.
const MASSES: [f64; 2] = [10.0, 0.05];
/// Radius of a foot over the length of a leg.
const FOOT: f64 = 0.01;
/// Distance of a leg from the midplane over its length.
const ASIDE: f64 = 0.15;
/// Friction of feet on tiles.
const FRICTION: f64 = 2.0;
/// Slope of the gait that is tabulated [rad], its angle at a step [rad], and the rate of the leg that stands just after one
/// [1 over the square root of length over gravity] (Garcia1998).
const GAIT: [f64; 3] = [0.009, 0.200_310_900_544_287, 0.199_832_473_004_977];

/// Angle of the legs at a step, and the rates of the leg that stands and of the other one [rad, rad/s]. Angles grow with
/// the cube root of the slope.
fn gait(params: &WalkerParams) -> [f64; 3] {
    let [slope, angle, rate] = GAIT;
    let grown = (params.slope / slope).cbrt();
    let (angle, rate) = (angle * grown, rate * grown * (params.gravity / params.length).sqrt());
    [angle, rate, rate * (2.0 * angle).cos()]
}

impl WalkerParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let walker = Self {
            slope: params.f64("slope", default.slope, Range::Closed(1e-4, 0.03))?,
            length: params.f64("length", default.length, Range::POSITIVE)?,
            tiles: params.usize("tiles", default.tiles, [1, 1000])?,
            gravity: params.f64("g", default.gravity, Range::POSITIVE)?,
        };
        params.finish()?;
        Ok(walker)
    }

    /// Length of a step [m].
    pub fn step_length(&self) -> f64 {
        2.0 * self.length * gait(self)[0].sin()
    }
}

/// The machine as a model, just after a step onto its left foot: bodies `hip`, `leg_l` and `leg_r`. The slope is that of
/// gravity: the ground is level, x is down the slope. Markers `foot_l` and `foot_r` are the middles of the feet.
///
/// # Errors
/// Sizes that make no tile.
pub fn walker(params: &WalkerParams) -> Result<Model, ParamError> {
    let mut model = Model::new("walker");
    let (sine, cosine) = params.slope.sin_cos();
    model.set_gravity(Vec3::new(sine, 0.0, -cosine) * params.gravity);
    let [angle, stance, swing] = gait(params);
    let radius = FOOT * params.length;
    // The left foot stands at the origin, on the tile below it.
    let up = |turn: f64| Vec3::new(turn.sin(), 0.0, turn.cos()) * params.length;
    let foot = Vec3::new(0.0, 0.0, radius);
    let hip = foot + up(-angle);
    let velocity = Vec3::new(angle.cos(), 0.0, angle.sin()) * (params.length * stance);
    let mut body = solid("hip", MASSES[0], 0.1 * params.length)?;
    body.pose = Isometry3::translation(hip.x, hip.y, hip.z);
    body.velocity = velocity;
    body.mesh = Some(cuboid_mesh(&(Vec3::new(0.1, 2.0 * ASIDE, 0.1) * params.length))?);
    let body = model.add(body);
    let plane = about_y(Vec3::zeros());
    let site = FrameSite::ground(plane);
    model.add(Joint::new(JointKind::Planar, FrameSite::on(body, plane), site).named("upright"));
    for (name, side, turn, rate) in [("l", 1.0, -angle, stance), ("r", -1.0, angle, swing)] {
        let leg = Leg { name, aside: side * ASIDE * params.length, turn, rate };
        add_leg(&mut model, params, (body, hip, velocity), &leg)?;
    }
    add_tiles(&mut model, params)?;
    model.add(CollisionBehavior::everything(FRICTION).named("contact"));
    Ok(model)
}

/// A leg at the start.
struct Leg {
    name: &'static str,
    /// Place along y [m].
    aside: f64,
    /// Turn about y [rad] and its rate [rad/s].
    turn: f64,
    rate: f64,
}

/// Adds a leg, its hinge and its foot. The frame of a leg has its origin at the hip.
fn add_leg(
    model: &mut Model,
    params: &WalkerParams,
    (body, hip, velocity): (Handle<RigidBody>, Vec3, Vec3),
    leg: &Leg,
) -> Result<(), ParamError> {
    let (length, radius) = (params.length, FOOT * params.length);
    let down = Vec3::new(0.0, 0.0, -length);
    let moment = MASSES[1] * (0.1 * length).powi(2);
    let inertia = SpatialInertia::new(MASSES[1], down, Mat3::from_diagonal_element(moment))?;
    let mut made = RigidBody::new(format!("leg_{}", leg.name), Inertia::Explicit(inertia));
    let at = hip + Vec3::y() * leg.aside;
    let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), leg.turn);
    made.pose = Isometry3::from_parts(Translation3::from(at), turn);
    made.velocity = velocity;
    made.angular_velocity = Vec3::y() * leg.rate;
    let shaft = cuboid_mesh(&Vec3::new(0.02 * length, 0.02 * length, length))?;
    made.mesh = Some(moved(&shaft, down * 0.5)?);
    let made = model.add(made);
    let (c, d) = (about_y(Vec3::zeros()), about_y(Vec3::y() * leg.aside));
    let hinge = Joint::new(JointKind::Hinge, FrameSite::on(made, c), FrameSite::on(body, d));
    model.add(hinge.named(format!("hip_{}", leg.name)));
    let foot = Collider::sphere(made, radius).at(Isometry3::translation(0.0, 0.0, -length));
    model.add(foot.named(format!("foot_{}", leg.name)));
    model.add(FrameMarker::new(made, down).named(format!("foot_{}", leg.name)));
    Ok(())
}

/// Adds the tiles: those of the left below every second step, those of the right below the others.
fn add_tiles(model: &mut Model, params: &WalkerParams) -> Result<(), ParamError> {
    let step = params.step_length();
    let half = Vec3::new(0.5 * step, 0.1 * params.length, 0.02 * params.length);
    for k in 0..2 * params.tiles {
        let (side, name) = if k % 2 == 0 { (-1.0, "r") } else { (1.0, "l") };
        let x = step * (k as f64 - 1.0);
        let at = Isometry3::translation(x, side * ASIDE * params.length, -half.z);
        let mut tile = RigidBody::from_mesh(
            format!("tile_{name}_{}", k / 2),
            cuboid_mesh(&(half * 2.0))?,
            1000.0,
        );
        tile.pose = at;
        let tile = model.add(tile.fixed());
        let shape = ColliderShape::Box { half_extents: half };
        model.add(Collider::on(tile, shape).named(format!("tile_{name}_{}", k / 2)));
    }
    Ok(())
}

/// A body with its mass about its origin.
fn solid(name: &str, mass: f64, radius: f64) -> Result<RigidBody, ParamError> {
    let moment = Mat3::from_diagonal_element(mass * radius * radius);
    let inertia = SpatialInertia::new(mass, Vec3::zeros(), moment)?;
    Ok(RigidBody::new(name, Inertia::Explicit(inertia)))
}

/// A frame whose z axis is y of the body.
fn about_y(at: Vec3) -> Isometry3<f64> {
    let basis = [Vec3::x(), -Vec3::z(), Vec3::y()];
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&basis));
    Isometry3::from_parts(Translation3::from(at), turn)
}

/// A surface moved.
fn moved(
    mesh: &sinew::geometry::SurfaceMesh,
    by: Vec3,
) -> Result<sinew::geometry::SurfaceMesh, ParamError> {
    let vertices = mesh.vertices().iter().map(|p| p + by).collect();
    Ok(sinew::geometry::SurfaceMesh::new(vertices, mesh.triangles().to_vec())?)
}

/// `walker` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "walker",
    summary: "walking machine of two straight legs that walks down a slope over tiles, without a motor; run it with --step 0.001",
    params: &[
        ParamInfo::new("slope", "0.009", "rad", "slope, 0.0001 to 0.03; stable below 0.015"),
        ParamInfo::new("length", "1", "m", "length of a leg"),
        ParamInfo::new("tiles", "12", "-", "tiles of each leg: a step on each"),
        ParamInfo::new("g", "9.81", "m/s^2", "gravity"),
    ],
    build: |params| walker(&WalkerParams::read(params)?),
};
