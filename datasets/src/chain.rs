//! A chain of equal bars that hangs from the ground by one end, horizontal at the start: with one link a
//! pendulum, with more a double pendulum and whips (docs/theory/rigid.md has what energy does in it).

use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::JointKind;
use sinew::geometry::cuboid_mesh;
use sinew::model::{FrameSite, Joint, Model, RigidBody};

use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Longest chain.
const MOST_LINKS: usize = 10_000;

/// The names of `joint=`. A universal joint turns about y first, as the hinge does.
const JOINTS: &[(&str, JointKind)] = &[
    ("hinge", JointKind::Hinge),
    ("spherical", JointKind::Spherical),
    ("universal", JointKind::Universal),
    ("fixed", JointKind::Solid),
];

/// The chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainParams {
    /// Number of links, 1 to 10,000.
    pub links: usize,
    /// Joint to the ground and between links.
    pub joint: JointKind,
    /// Drag on the angular velocity of each link [N m s/rad].
    pub damping: f64,
    /// Length of a link, from joint to joint [m], positive.
    pub length: f64,
    /// Edge of its square section [m], positive.
    pub width: f64,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for ChainParams {
    fn default() -> Self {
        Self {
            links: 10,
            joint: JointKind::Hinge,
            damping: 0.0,
            length: 0.2,
            width: 0.04,
            density: 1000.0,
            gravity: 9.8,
        }
    }
}

impl ChainParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let chain = Self {
            links: params.usize("n", default.links, [1, MOST_LINKS])?,
            joint: params.choice("joint", default.joint, JOINTS)?,
            damping: params.f64("damping", default.damping, Range::NOT_NEGATIVE)?,
            length: params.f64("length", default.length, Range::POSITIVE)?,
            width: params.f64("width", default.width, Range::POSITIVE)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(chain)
    }
}

/// The chain as a model: bodies `link0`, `link1`, ... along +x from the origin, the joint `joint0` to the
/// ground and `joint1`, ... between them. The frame of a link has its origin in the middle.
///
/// # Errors
/// No link or more than 10,000; sizes that make no box.
pub fn chain(params: &ChainParams) -> Result<Model, ParamError> {
    if !(1..=MOST_LINKS).contains(&params.links) {
        let allowed = format!("a whole number from 1 to {MOST_LINKS}");
        return Err(refused("n", params.links, allowed));
    }
    let mesh = cuboid_mesh(&Vec3::new(params.length, params.width, params.width))?;
    let mut model = Model::new("chain");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let mut before: Option<Handle<RigidBody>> = None;
    for k in 0..params.links {
        let mut link = RigidBody::from_mesh(format!("link{k}"), mesh.clone(), params.density);
        link.pose = Isometry3::translation((k as f64 + 0.5) * params.length, 0.0, 0.0);
        link.rotary_damping = Some(params.damping);
        let link = model.add(link);
        let c = FrameSite::on(link, axis_along_y(-0.5 * params.length));
        let d = before.map_or(FrameSite::ground(axis_along_y(0.0)), |before| {
            FrameSite::on(before, axis_along_y(0.5 * params.length))
        });
        model.add(Joint::new(params.joint, c, d).named(format!("joint{k}")));
        before = Some(link);
    }
    Ok(model)
}

/// A frame at x [m] whose z axis, about which a hinge turns, is y of the link.
fn axis_along_y(x: f64) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
    Isometry3::from_parts(Translation3::new(x, 0.0, 0.0), turn)
}

/// `chain` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "chain",
    summary: "bars joined end to end, hung from the ground by one end and let go",
    params: &[
        ParamInfo::new("n", "10", "-", "number of links, 1 to 10000"),
        ParamInfo::new("joint", "hinge", "-", "hinge, spherical, universal, fixed"),
        ParamInfo::new("damping", "0", "N m s/rad", "drag on the angular velocity of each link"),
        ParamInfo::new("length", "0.2", "m", "length of a link"),
        ParamInfo::new("width", "0.04", "m", "edge of the square section of a link"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| chain(&ChainParams::read(params)?),
};
