//! A parametric human tongue of hexahedra at rest, fixed at the mandible and the hyoid bone. Frame: x
//! forward, y left, z up, origin in the midsagittal plane at the level of the hyoid bone, halfway
//! along the tongue. README.md has the sources of dimensions and constants.

mod manoeuvre;
mod mesh;
mod muscles;
mod shape;

pub use manoeuvre::Manoeuvre;
pub(crate) use muscles::add_muscles;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::material::{BulkPotential, Isotropic, MooneyRivlinConstants};
use sinew::model::{BodyLoad, Dirichlet, FemModel, Model};

use crate::course::{SUSTAINED, course};
use crate::law::{Law, isotropic_of, mooney_rivlin_of, read_isotropic, read_law, spec_of};
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Passive tissue: the Yeoh law of Buchaillard et al. 2009, c10 = 1037 Pa, c20 = 486 Pa. The bulk
/// modulus is lower than theirs: Poisson's ratio is 0.49 at small strain, not 0.499.
pub const PASSIVE_TISSUE: MooneyRivlinConstants = MooneyRivlinConstants {
    c10: 1037.0,
    c01: 0.0,
    c11: 0.0,
    c20: 486.0,
    c02: 0.0,
    bulk_modulus: 1e5,
    bulk_potential: BulkPotential::Quadratic,
};

/// Tissue of a tongue with muscles: Poisson's ratio is 0.499 at small strain, as in Buchaillard et al. 2009.
pub const MUSCULAR_TISSUE: MooneyRivlinConstants =
    MooneyRivlinConstants { bulk_modulus: 1.037e6, ..PASSIVE_TISSUE };

/// Share of the tissue's stiffness that full activation adds in the elements of a muscle [-]: ten times as stiff as at rest,
/// c10 = 10.37 kPa and c20 = 4.86 kPa. Buchaillard et al. 2009 let both grow with activation; the factor is our choice.
pub const STIFFENING: f64 = 9.0;

/// Acceleration of the scheduled load at load = 1 [m/s²]: forward and, more than gravity, upward. The
/// tip then moves 6.6 mm from where gravity holds it, as between the positions of two vowels.
const LOAD_ACCELERATION: Vec3 = Vec3::new(25.0, 0.0, 32.0);

/// Largest resolution: 378,880 hexahedra.
pub(crate) const MOST_RESOLUTION: usize = 8;

/// The tongue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TongueParams {
    /// r of 740 r³ hexahedra, 1 to 8; 0 for 228.
    pub resolution: usize,
    /// Part of the vault of the palate that its dorsum rises into [-]: 0 for the tongue alone, 1 for that of the jaw model.
    pub vault: f64,
    /// Constitutive law.
    pub law: Law,
    /// Constants of every law but Mooney-Rivlin.
    pub isotropic: Isotropic,
    /// Constants of the Mooney-Rivlin law.
    pub mooney: MooneyRivlinConstants,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Task of its muscles; `None` for a tongue without muscles, moved by the scheduled load.
    pub task: Option<Manoeuvre>,
    /// Share of the tissue's stiffness that full activation of a muscle adds [-].
    pub stiffening: f64,
    /// Scale of the scheduled load [-].
    pub load: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for TongueParams {
    fn default() -> Self {
        Self {
            resolution: 1,
            vault: 0.0,
            law: Law::MooneyRivlin,
            isotropic: isotropic_of(PASSIVE_TISSUE),
            mooney: PASSIVE_TISSUE,
            density: 1040.0,
            mass_damping: 40.0,
            stiffness_damping: 0.03,
            task: None,
            stiffening: STIFFENING,
            load: 1.0,
            gravity: 9.8,
        }
    }
}

impl TongueParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let tasks = Manoeuvre::NAMED.map(|(name, task)| (name, Some(task)));
        let tasks = [&[("load", None)], tasks.as_slice()].concat();
        let task = params.choice("task", default.task, &tasks)?;
        let passive = if task.is_some() { MUSCULAR_TISSUE } else { PASSIVE_TISSUE };
        let isotropic = read_isotropic(params, isotropic_of(passive))?;
        let tongue = Self {
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            vault: default.vault,
            law: read_law(params, "mat", default.law)?,
            isotropic,
            mooney: mooney_for(isotropic, passive),
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, Range::NOT_NEGATIVE)?,
            stiffness_damping: params.f64(
                "beta",
                default.stiffness_damping,
                Range::NOT_NEGATIVE,
            )?,
            task,
            stiffening: params.f64("stiffening", default.stiffening, Range::NOT_NEGATIVE)?,
            load: params.f64("load", default.load, Range::ANY)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(tongue)
    }
}

/// The passive tissue unless E or nu were changed; then as stiff as they say at small strain, with the same ratio of c20
/// to c10.
fn mooney_for(isotropic: Isotropic, passive: MooneyRivlinConstants) -> MooneyRivlinConstants {
    if isotropic == isotropic_of(passive) {
        return passive;
    }
    let stiff = mooney_rivlin_of(isotropic);
    MooneyRivlinConstants { c20: stiff.c10 * passive.c20 / passive.c10, ..stiff }
}

/// The tissue alone, fixed nowhere: node sets `jaw` and `hyoid` (where it is attached to the bones), `tip`,
/// `dorsum`; and a weight a node for the scheduled load.
///
/// # Errors
/// A resolution above 8.
pub fn tissue(params: &TongueParams) -> Result<(FemModel, Vec<f64>), ParamError> {
    if params.resolution > MOST_RESOLUTION {
        let allowed = format!("a whole number from 0 to {MOST_RESOLUTION}");
        return Err(refused("resolution", params.resolution, allowed));
    }
    let (mesh, weights) = mesh::tongue_mesh(params.resolution, params.vault)?;
    let material = spec_of(params.law, params.isotropic, params.mooney);
    let mut fem = FemModel::new("tongue", mesh, params.density, material);
    fem.mass_damping = params.mass_damping;
    fem.stiffness_damping = params.stiffness_damping;
    Ok((fem, weights))
}

/// The tongue as a model: the [`tissue`], fixed at its node sets `jaw` and `hyoid`; gravity, and its muscles with an
/// exciter each, or one scheduled body load on the blade.
///
/// # Errors
/// A resolution above 8.
pub fn tongue(params: &TongueParams) -> Result<Model, ParamError> {
    let (mut fem, weights) = tissue(params)?;
    let supports = ["jaw", "hyoid"].map(|set| Dirichlet::fix(fem.mesh.node_sets[set].clone()));
    fem.dirichlet.extend(supports);
    let mut model = Model::new("tongue");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let fem = model.add(fem);
    if let Some(task) = params.task {
        add_muscles(&mut model, fem, params, task);
        return Ok(model);
    }
    let acceleration = params.load * LOAD_ACCELERATION;
    let load =
        BodyLoad { weights, schedule: course(SUSTAINED), ..BodyLoad::new(fem, acceleration) };
    model.add(load.named("protrusion"));
    Ok(model)
}

/// `tongue` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "tongue",
    summary: "parametric human tongue of 740 r^3 hexahedra, fixed at jaw and hyoid",
    params: &[
        ParamInfo::new("resolution", "1", "-", "r of 740 r^3 hexahedra, 1 to 8; 0: 228"),
        ParamInfo::new("mat", "mr", "-", "linear, corot, stvk, neohook, mr"),
        ParamInfo::new(
            "E",
            "6179 from c10, K",
            "Pa",
            "Young's modulus at small strain, for every law",
        ),
        ParamInfo::new(
            "nu",
            "0.4897 from c10, K",
            "-",
            "Poisson's ratio at small strain, for every law",
        ),
        ParamInfo::new("rho", "1040", "kg/m^3", "density"),
        ParamInfo::new("alpha", "40", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.03", "s", "stiffness damping"),
        ParamInfo::new(
            "task",
            "load",
            "-",
            "load (no muscles), or of its 11 muscles: rest, protrusion, retraction, i, a, tip_up, press, swallow",
        ),
        ParamInfo::new(
            "stiffening",
            "9",
            "-",
            "share of the tissue's stiffness that full activation of a muscle adds",
        ),
        ParamInfo::new("load", "1", "-", "scale of the scheduled load on the blade"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| tongue(&TongueParams::read(params)?),
};
