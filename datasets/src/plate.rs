//! A soft cube that is dropped on a fixed rigid plate.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{CollisionBehavior, FemModel, Model};

use crate::beam::{BeamElement, beam_mesh};
use crate::boxes::add_plate;
use crate::law::read_isotropic;
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Most elements along an edge.
const MOST_CELLS: usize = 64;
/// Edge of the cube [m].
const SIZE: f64 = 0.2;

/// The soft cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateParams {
    /// Hexahedra along each edge, 1 to 64.
    pub cells: usize,
    /// Height that it is dropped from [m].
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

impl Default for PlateParams {
    fn default() -> Self {
        Self {
            cells: 4,
            gap: 0.01,
            friction: 0.2,
            isotropic: Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.33 },
            density: 1000.0,
            mass_damping: 2.0,
            stiffness_damping: 0.01,
            gravity: 9.8,
        }
    }
}

impl PlateParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let plate = Self {
            cells: params.usize("n", default.cells, [1, MOST_CELLS])?,
            gap: params.f64("gap", default.gap, Range::NOT_NEGATIVE)?,
            friction: params.f64("mu", default.friction, Range::NOT_NEGATIVE)?,
            isotropic: read_isotropic(params, default.isotropic)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, Range::NOT_NEGATIVE)?,
            stiffness_damping: params.f64(
                "beta",
                default.stiffness_damping,
                Range::NOT_NEGATIVE,
            )?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(plate)
    }
}

/// The cube as a model: the tissue `block`, 0.2 m wide and centred at the origin, over the fixed body `plate`.
///
/// # Errors
/// No element along an edge, or more than 64.
pub fn plate(params: &PlateParams) -> Result<Model, ParamError> {
    if !(1..=MOST_CELLS).contains(&params.cells) {
        let allowed = format!("a whole number from 1 to {MOST_CELLS}");
        return Err(refused("n", params.cells, allowed));
    }
    let mesh = beam_mesh(BeamElement::Hex, [params.cells; 3], [SIZE; 3])?;
    let material = MaterialSpec::Corotated(params.isotropic);
    let mut block = FemModel::new("block", mesh, params.density, material);
    block.mass_damping = params.mass_damping;
    block.stiffness_damping = params.stiffness_damping;
    let mut model = Model::new("plate");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    add_plate(&mut model, SIZE, -0.5 * SIZE - params.gap)?;
    model.add(block);
    model.add(CollisionBehavior::everything(params.friction).named("contact"));
    Ok(model)
}

/// `plate` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "plate",
    summary: "soft cube of 0.2 m that is dropped on a fixed rigid plate",
    params: &[
        ParamInfo::new("n", "4", "-", "hexahedra along each edge, 1 to 64"),
        ParamInfo::new("gap", "0.01", "m", "height that it is dropped from"),
        ParamInfo::new("mu", "0.2", "-", "coefficient of friction"),
        ParamInfo::new("E", "5e5", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.33", "-", "Poisson's ratio"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("alpha", "2", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.01", "s", "stiffness damping"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| plate(&PlateParams::read(params)?),
};
