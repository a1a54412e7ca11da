//! Soft cubes dropped on each other: contact of tissue with tissue, whose meshes do not match.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, FemModel, Model};

use crate::beam::{BeamElement, beam_mesh};
use crate::law::read_isotropic;
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Most cubes, and most elements along an edge of one.
const MOST: [usize; 2] = [50, 32];
/// Edge of a cube [m].
const SIZE: f64 = 0.1;

/// The cubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlocksParams {
    /// Number of cubes, 1 to 50.
    pub count: usize,
    /// Hexahedra along each edge of the lowest cube, 1 to 32; the next has one more, the next as the first.
    pub cells: usize,
    /// Height that each falls onto the one below [m].
    pub gap: f64,
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

impl Default for BlocksParams {
    fn default() -> Self {
        Self {
            count: 3,
            cells: 2,
            gap: 0.002,
            friction: 0.3,
            isotropic: Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.3 },
            density: 1000.0,
            mass_damping: 2.0,
            stiffness_damping: 0.01,
            gravity: 9.8,
        }
    }
}

impl BlocksParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let positive = Range::NOT_NEGATIVE;
        let blocks = Self {
            count: params.usize("count", default.count, [1, MOST[0]])?,
            cells: params.usize("n", default.cells, [1, MOST[1]])?,
            gap: params.f64("gap", default.gap, positive)?,
            friction: params.f64("mu", default.friction, positive)?,
            isotropic: read_isotropic(params, default.isotropic)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, positive)?,
            stiffness_damping: params.f64("beta", default.stiffness_damping, positive)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(blocks)
    }
}

/// The model: tissues `b0`, `b1`, ... above each other over the half-space `floor` below z = 0.
///
/// # Errors
/// Numbers of cubes or elements out of range.
pub fn blocks(params: &BlocksParams) -> Result<Model, ParamError> {
    for (name, value, most) in [("count", params.count, MOST[0]), ("n", params.cells, MOST[1])] {
        if !(1..=most).contains(&value) {
            return Err(refused(name, value, format!("a whole number from 1 to {most}")));
        }
    }
    let mut model = Model::new("blocks");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    model.add(Collider::half_space(Pose::identity()).named("floor"));
    for k in 0..params.count {
        let cells = params.cells + k % 2;
        let mut mesh = beam_mesh(BeamElement::Hex, [cells; 3], [SIZE; 3])?;
        let height = (k as f64 + 0.5) * SIZE + (k as f64 + 1.0) * params.gap;
        mesh.nodes.iter_mut().for_each(|node| node.z += height);
        let material = MaterialSpec::Corotated(params.isotropic);
        let mut block = FemModel::new(format!("b{k}"), mesh, params.density, material);
        block.mass_damping = params.mass_damping;
        block.stiffness_damping = params.stiffness_damping;
        model.add(block);
    }
    model.add(CollisionBehavior::everything(params.friction).named("contact"));
    Ok(model)
}

/// `blocks` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "blocks",
    summary: "soft cubes of 0.1 m that fall onto each other on a floor",
    params: &[
        ParamInfo::new("count", "3", "-", "number of cubes, 1 to 50"),
        ParamInfo::new("n", "2", "-", "hexahedra along each edge of the first, 1 to 32"),
        ParamInfo::new("gap", "0.002", "m", "height that each falls onto the one below"),
        ParamInfo::new("mu", "0.3", "-", "coefficient of friction"),
        ParamInfo::new("E", "1e5", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.3", "-", "Poisson's ratio"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("alpha", "2", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.01", "s", "stiffness damping"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| blocks(&BlocksParams::read(params)?),
};
