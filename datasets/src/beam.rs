//! The cantilever beam that solvers are compared on: a box of any element kind with the face of
//! smallest x clamped, under gravity. The grid cells are split in beam/cells.rs.

mod cells;
mod mesh;

pub use mesh::{BeamElement, beam_mesh, kuhn_mesh};

use sinew::Vec3;
use sinew::fem::{QuadratureRule, VolumeMesh};
use sinew::material::{Isotropic, MooneyRivlinConstants};
use sinew::model::{Dirichlet, FemModel, Model};

use crate::law::{Law, mooney_rivlin_of, read_isotropic, read_law, spec_of};
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Grid of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BeamGrid {
    /// A grid of cells along x, y, z, each split into elements of one kind; the box is centred at
    /// the origin.
    Cells {
        /// Kind of element.
        element: BeamElement,
        /// Cells along x, y, z.
        counts: [usize; 3],
    },
    /// 4n x n x n cells of six Kuhn tetrahedra; the box has a corner at the origin.
    Kuhn {
        /// Cells across.
        n: usize,
    },
}

/// The beam; the default is 8 x 2 x 2 hexahedra, corotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamParams {
    /// Meshing.
    pub grid: BeamGrid,
    /// Extents along x, y, z [m], positive.
    pub size: [f64; 3],
    /// Constitutive law.
    pub law: Law,
    /// Constants of every law but Mooney-Rivlin.
    pub isotropic: Isotropic,
    /// Constants of the Mooney-Rivlin law; `None`: as stiff as `isotropic` at small strain.
    pub mooney: Option<MooneyRivlinConstants>,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
    /// Digits of the quadrature rules; those of ArtiSynth make its runs comparable to all figures.
    pub quadrature: QuadratureRule,
}

impl Default for BeamParams {
    fn default() -> Self {
        Self {
            grid: BeamGrid::Cells { element: BeamElement::Hex, counts: [8, 2, 2] },
            size: [1.0, 0.25, 0.25],
            law: Law::Corotated,
            isotropic: Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.33 },
            mooney: None,
            density: 1000.0,
            mass_damping: 2.0,
            stiffness_damping: 0.01,
            gravity: 9.8,
            quadrature: QuadratureRule::ArtiSynth,
        }
    }
}

impl BeamParams {
    /// The undamped beam of 4n x n x n cells of Kuhn tetrahedra, 0.4 x 0.1 x 0.1 m, nu = 0.4.
    pub fn kuhn(n: usize) -> Self {
        Self {
            grid: BeamGrid::Kuhn { n },
            size: [0.4, 0.1, 0.1],
            isotropic: Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.4 },
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            gravity: 9.81,
            ..Self::default()
        }
    }

    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let kuhn = params.choice("mesh", false, &[("grid", false), ("kuhn6", true)])?;
        let default = if kuhn {
            Self::kuhn(params.usize("n", 5, [1, 64])?)
        } else {
            Self { grid: read_cells(params)?, ..Self::default() }
        };
        let [lx, ly, lz] = default.size;
        let isotropic = read_isotropic(params, default.isotropic)?;
        let beam = Self {
            grid: default.grid,
            size: [
                params.f64("lx", lx, Range::POSITIVE)?,
                params.f64("ly", ly, Range::POSITIVE)?,
                params.f64("lz", lz, Range::POSITIVE)?,
            ],
            law: read_law(params, "mat", default.law)?,
            isotropic,
            mooney: Some(read_mooney(params, isotropic)?),
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, Range::NOT_NEGATIVE)?,
            stiffness_damping: params.f64(
                "beta",
                default.stiffness_damping,
                Range::NOT_NEGATIVE,
            )?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
            quadrature: params.choice("rule", default.quadrature, RULES)?,
        };
        params.finish()?;
        Ok(beam)
    }

    /// Refuses sizes and counts that no mesh can have.
    fn check(&self) -> Result<(), ParamError> {
        for (key, value) in ["lx", "ly", "lz"].into_iter().zip(self.size) {
            if !Range::POSITIVE.contains(value) {
                return Err(refused(key, value, Range::POSITIVE.to_string()));
            }
        }
        let (key, counts) = match self.grid {
            BeamGrid::Cells { counts, .. } => ("nx, ny, nz", counts),
            BeamGrid::Kuhn { n } => ("n", [n; 3]),
        };
        if counts.iter().any(|count| !(1..=MOST_CELLS).contains(count)) {
            let allowed = format!("whole numbers from 1 to {MOST_CELLS}");
            return Err(refused(key, format!("{counts:?}"), allowed));
        }
        Ok(())
    }
}

/// Keeps node indices of a long beam of small section well inside 32 bits.
const MOST_CELLS: usize = 512;

/// The names of `rule=`.
const RULES: &[(&str, QuadratureRule)] =
    &[("artisynth", QuadratureRule::ArtiSynth), ("standard", QuadratureRule::Standard)];

fn read_cells(params: &mut Params) -> Result<BeamGrid, ParamError> {
    let element = params.choice("elem", BeamElement::Hex, BeamElement::NAMES)?;
    let counts = [
        params.usize("nx", 8, [1, MOST_CELLS])?,
        params.usize("ny", 2, [1, MOST_CELLS])?,
        params.usize("nz", 2, [1, MOST_CELLS])?,
    ];
    Ok(BeamGrid::Cells { element, counts })
}

fn read_mooney(
    params: &mut Params,
    isotropic: Isotropic,
) -> Result<MooneyRivlinConstants, ParamError> {
    let default = mooney_rivlin_of(isotropic);
    Ok(MooneyRivlinConstants {
        c10: params.f64("C10", default.c10, Range::NOT_NEGATIVE)?,
        c01: params.f64("C01", default.c01, Range::NOT_NEGATIVE)?,
        bulk_modulus: params.f64("K", default.bulk_modulus, Range::POSITIVE)?,
        ..default
    })
}

/// The beam as a model: node sets `clamped` (fixed) and `tip` (the face of largest x).
///
/// # Errors
/// Extents that are not positive, counts out of range.
pub fn beam(params: &BeamParams) -> Result<Model, ParamError> {
    params.check()?;
    let mut mesh = match params.grid {
        BeamGrid::Cells { element, counts } => beam_mesh(element, counts, params.size)?,
        BeamGrid::Kuhn { n } => kuhn_mesh(n, params.size)?,
    };
    let clamped = add_end_sets(&mut mesh, params.size[0]);
    let mooney = params.mooney.unwrap_or_else(|| mooney_rivlin_of(params.isotropic));
    let material = spec_of(params.law, params.isotropic, mooney);
    let mut fem = FemModel::new("beam", mesh, params.density, material);
    fem.mass_damping = params.mass_damping;
    fem.stiffness_damping = params.stiffness_damping;
    fem.quadrature = params.quadrature;
    fem.dirichlet.push(Dirichlet::fix(clamped));
    let mut model = Model::new("beam");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    model.add(fem);
    Ok(model)
}

/// Names the two end faces of a mesh of length `length` [m]; returns the clamped one.
fn add_end_sets(mesh: &mut VolumeMesh, length: f64) -> Vec<u32> {
    let first = mesh.nodes.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
    // Far above the rounding of a coordinate, far below the finest cell.
    let near = 1e-6 * length;
    let at = |x: f64| -> Vec<u32> {
        let on_face = |node: &u32| (mesh.nodes[*node as usize].x - x).abs() < near;
        (0..mesh.nodes.len() as u32).filter(on_face).collect()
    };
    let (clamped, tip) = (at(first), at(first + length));
    mesh.node_sets.insert("clamped".into(), clamped.clone());
    mesh.node_sets.insert("tip".into(), tip);
    clamped
}

/// `beam` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "beam",
    summary: "cantilever box of any element kind, clamped at its face of smallest x",
    params: &[
        ParamInfo::new("mesh", "grid", "-", "grid, or kuhn6: 4n x n x n cells of six tetrahedra"),
        ParamInfo::new("n", "5", "-", "cells across, with mesh=kuhn6"),
        ParamInfo::new(
            "elem",
            "hex",
            "-",
            "tet, hex, wedge, pyramid, quadtet, quadhex, quadwedge, quadpyramid",
        ),
        ParamInfo::new("nx", "8", "-", "cells along x"),
        ParamInfo::new("ny", "2", "-", "cells along y"),
        ParamInfo::new("nz", "2", "-", "cells along z"),
        ParamInfo::new("lx", "1", "m", "extent along x (0.4 with mesh=kuhn6)"),
        ParamInfo::new("ly", "0.25", "m", "extent along y (0.1 with mesh=kuhn6)"),
        ParamInfo::new("lz", "0.25", "m", "extent along z (0.1 with mesh=kuhn6)"),
        ParamInfo::new("mat", "corot", "-", "linear, corot, stvk, neohook, mr"),
        ParamInfo::new(
            "rule",
            "artisynth",
            "-",
            "digits of the quadrature of quadtet and quadhex: artisynth (as its runs), standard",
        ),
        ParamInfo::new("E", "5e5", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.33", "-", "Poisson's ratio (0.4 with mesh=kuhn6)"),
        ParamInfo::new("C10", "from E, nu", "Pa", "Mooney-Rivlin constant, with mat=mr"),
        ParamInfo::new("C01", "0", "Pa", "Mooney-Rivlin constant, with mat=mr"),
        ParamInfo::new("K", "from E, nu", "Pa", "bulk modulus, with mat=mr"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("alpha", "2", "1/s", "mass damping (0 with mesh=kuhn6)"),
        ParamInfo::new("beta", "0.01", "s", "stiffness damping (0 with mesh=kuhn6)"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z (9.81 with mesh=kuhn6)"),
    ],
    build: |params| beam(&BeamParams::read(params)?),
};
