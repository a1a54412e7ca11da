//! A soft slab, bent like a hairpin, whose upper arm falls onto the lower one: a tissue that touches itself.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{CollisionBehavior, Dirichlet, FemModel, Model};

use crate::beam::{BeamElement, beam_mesh};
use crate::law::read_isotropic;
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Most elements along the width.
const MOST_CELLS: usize = 16;
/// Length of an arm [m].
const ARM: f64 = 0.1;
/// Radius of the middle of the bend [m].
const BEND: f64 = 0.01;
/// Thickness and width of the slab [m].
const THICKNESS: f64 = 0.008;
const WIDTH: f64 = 0.04;

/// The slab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldParams {
    /// Hexahedra along the width, 1 to 16.
    pub cells: usize,
    /// Coefficient of friction [-].
    pub friction: f64,
    /// Constants of the corotated linear material.
    pub isotropic: Isotropic,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for FoldParams {
    fn default() -> Self {
        Self {
            cells: 3,
            friction: 0.3,
            isotropic: Isotropic { youngs_modulus: 3e4, poissons_ratio: 0.3 },
            density: 1000.0,
            mass_damping: 2.0,
            stiffness_damping: 0.02,
            gravity: 9.8,
        }
    }
}

impl FoldParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let positive = Range::NOT_NEGATIVE;
        let fold = Self {
            cells: params.usize("n", default.cells, [1, MOST_CELLS])?,
            friction: params.f64("mu", default.friction, positive)?,
            isotropic: read_isotropic(params, default.isotropic)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, positive)?,
            stiffness_damping: params.f64("beta", default.stiffness_damping, positive)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(fold)
    }
}

/// The model: the tissue `slab`, its lower arm fixed, bent about the axis y through the origin. Both arms go along x.
///
/// # Errors
/// Numbers of elements out of range.
pub fn fold(params: &FoldParams) -> Result<Model, ParamError> {
    if !(1..=MOST_CELLS).contains(&params.cells) {
        return Err(refused("n", params.cells, format!("a whole number from 1 to {MOST_CELLS}")));
    }
    let length = 2.0 * ARM + PI * BEND;
    let counts = [12 * params.cells, params.cells, 1.max(params.cells / 2)];
    let mut mesh = beam_mesh(BeamElement::Hex, counts, [length, WIDTH, THICKNESS])?;
    mesh.nodes.iter_mut().for_each(|node| *node = bent(*node));
    let below = (0..).zip(&mesh.nodes).filter(|(_, p)| p.x >= 0.0 && p.z < 0.0);
    let below: Vec<u32> = below.map(|(k, _)| k).collect();
    let material = MaterialSpec::Corotated(params.isotropic);
    let mut slab = FemModel::new("slab", mesh, params.density, material);
    slab.mass_damping = params.mass_damping;
    slab.stiffness_damping = params.stiffness_damping;
    slab.dirichlet.push(Dirichlet::fix(below));
    let mut model = Model::new("fold");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let slab = model.add(slab);
    model.add(CollisionBehavior::new(slab, slab, params.friction).named("contact"));
    Ok(model)
}

/// Position in the bent slab of a point of the straight one.
fn bent(p: Vec3) -> Vec3 {
    let radius = BEND + p.z;
    let angle = p.x / BEND;
    if angle.abs() <= 0.5 * PI {
        // From below (x < 0) around x = -radius to above.
        let (sin, cos) = angle.sin_cos();
        return Vec3::new(-radius * cos, p.y, radius * sin);
    }
    let along = p.x.abs() - 0.5 * PI * BEND;
    Vec3::new(along, p.y, radius * p.x.signum())
}

/// `fold` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "fold",
    summary: "soft slab of 8 mm, bent like a hairpin, whose upper arm falls onto the lower one",
    params: &[
        ParamInfo::new("n", "3", "-", "hexahedra along the width, 1 to 16"),
        ParamInfo::new("mu", "0.3", "-", "coefficient of friction"),
        ParamInfo::new("E", "3e4", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.3", "-", "Poisson's ratio"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("alpha", "2", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.02", "s", "stiffness damping"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| fold(&FoldParams::read(params)?),
};
