//! A soft tissue as a model holds it: mesh, materials, damping, supports.

use serde::{Deserialize, Serialize};

use super::{Affine, Schedule, TransformRefusal};
use crate::Vec3;
use crate::component::{Handle, Invalidates, ModelComponent};
use crate::fem::{QuadratureRule, VolumeMesh};
use crate::material::{
    Isotropic, MaterialSpec, MooneyRivlinConstants, material_constant, set_material_constant,
};
use crate::property::{Simulated, choices, properties};

/// A finite-element model of one tissue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FemModel {
    /// Name in paths, reports and errors.
    pub name: String,
    /// Acceleration of free fall [m/s²]; `None` is that of the mechanical model.
    #[serde(default)]
    pub gravity: Option<Vec3>,
    /// Viscous drag on every node [N s/m]; `None` is that of the mechanical model.
    #[serde(default)]
    pub point_damping: Option<f64>,
    /// Rest shape [m].
    pub mesh: VolumeMesh,
    /// Mass density [kg/m³], positive.
    pub density: f64,
    /// Material of every element that no region claims.
    pub material: MaterialSpec,
    /// Elements with a material of their own; a later region wins over an earlier one.
    pub regions: Vec<Region>,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Digits of the quadrature rules.
    pub quadrature: QuadratureRule,
    /// Supports; a later one wins over an earlier one at the same node and axis.
    pub dirichlet: Vec<Dirichlet>,
}

impl FemModel {
    /// A tissue without damping and supports.
    pub fn new(
        name: impl Into<String>,
        mesh: VolumeMesh,
        density: f64,
        material: MaterialSpec,
    ) -> Self {
        Self {
            name: name.into(),
            gravity: None,
            point_damping: None,
            mesh,
            density,
            material,
            regions: Vec::new(),
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            quadrature: QuadratureRule::default(),
            dirichlet: Vec::new(),
        }
    }
}

/// Elements with a material of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Indices of the elements.
    pub elements: Vec<u32>,
    /// Their material.
    pub material: MaterialSpec,
}

/// Nodes held, or led along a displacement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dirichlet {
    /// Node indices in the mesh.
    pub nodes: Vec<u32>,
    /// Which of x, y, z are held.
    pub axes: [bool; 3],
    /// Displacement from rest at a schedule value of 1 [m]: empty for none, one for all the nodes,
    /// or one a node.
    pub displacement: Vec<Vec3>,
    /// Time course of the displacement.
    pub schedule: Schedule,
}

impl Dirichlet {
    /// Nodes that stay where they are at rest, in all three directions.
    pub fn hold(nodes: Vec<u32>) -> Self {
        Self { nodes, axes: [true; 3], displacement: Vec::new(), schedule: Schedule::default() }
    }
}

choices!(QuadratureRule { Standard => "standard", ArtiSynth => "artisynth" });

/// The laws as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MaterialName {
    Linear,
    Corotated,
    StVenantKirchhoff,
    NeoHookean,
    MooneyRivlin,
}

choices!(MaterialName {
    Linear => "linear",
    Corotated => "corot",
    StVenantKirchhoff => "stvk",
    NeoHookean => "neohook",
    MooneyRivlin => "mr",
});

impl MaterialName {
    fn of(law: &MaterialSpec) -> Self {
        match law {
            MaterialSpec::Linear(_) => Self::Linear,
            MaterialSpec::Corotated(_) => Self::Corotated,
            MaterialSpec::StVenantKirchhoff(_) => Self::StVenantKirchhoff,
            MaterialSpec::NeoHookean(_) => Self::NeoHookean,
            MaterialSpec::MooneyRivlin(_) => Self::MooneyRivlin,
        }
    }

    /// Gives the tissue the law with its default constants, unless it has that law.
    fn put(self, fem: &mut FemModel) -> bool {
        if Self::of(&fem.material) == self {
            return true;
        }
        let isotropic = Isotropic::default();
        fem.material = match self {
            Self::Linear => MaterialSpec::Linear(isotropic),
            Self::Corotated => MaterialSpec::Corotated(isotropic),
            Self::StVenantKirchhoff => MaterialSpec::StVenantKirchhoff(isotropic),
            Self::NeoHookean => MaterialSpec::NeoHookean(isotropic),
            Self::MooneyRivlin => MaterialSpec::MooneyRivlin(MooneyRivlinConstants::default()),
        };
        true
    }
}

/// Sums over the compiled tissue.
fn sums(s: &Simulated<'_>, fem: Handle<FemModel>) -> Option<crate::system::TissueSums> {
    s.compiled.tissue_sums(fem, s.state)
}

impl ModelComponent for FemModel {
    const HOME: Option<&'static str> = Some("fem_models");
    const MOVED: Invalidates =
        Invalidates::GEOMETRY.and(Invalidates::MASS).and(Invalidates::RENDER);

    /// Nodes move, displacements of supports turn and stretch along.
    fn transform(&mut self, map: &Affine) -> Result<(), TransformRefusal> {
        if map.linear.determinant() <= 0.0 {
            return Err(TransformRefusal::Inverts);
        }
        let partial = |d: &Dirichlet| d.axes.contains(&true) && d.axes.contains(&false);
        if !map.keeps_axes() && self.dirichlet.iter().any(partial) {
            return Err(TransformRefusal::AxisSupport);
        }
        self.mesh.nodes.iter_mut().for_each(|x| *x = map.point(x));
        for support in &mut self.dirichlet {
            support.displacement.iter_mut().for_each(|d| *d = map.linear * *d);
        }
        Ok(())
    }

    properties! { FemModel {
        "gravity": Vec3 = super::DEFAULT_GRAVITY, "m/s²", FINITE, PARAMETER, "Acceleration of free fall", inheritable (gravity);
        "density": f64 = 1000.0, "kg/m³", POSITIVE, MASS, "Mass per volume at rest", own (density);
        "material": MaterialName = MaterialName::Linear, "", FINITE, PARAMETER, "Law; setting it takes the law's default constants",
            via (|fem: &FemModel| Some(MaterialName::of(&fem.material)), |fem: &mut FemModel, law: MaterialName| law.put(fem));
        "material.youngs_modulus": f64 = 5e5, "Pa", POSITIVE, PARAMETER, "Young's modulus of an isotropic law", via (|fem: &FemModel| material_constant(&fem.material, "youngs_modulus"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "youngs_modulus", x));
        "material.poissons_ratio": f64 = 0.33, "-", POISSON, PARAMETER, "Poisson's ratio of an isotropic law", via (|fem: &FemModel| material_constant(&fem.material, "poissons_ratio"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "poissons_ratio", x));
        "material.c10": f64 = 1.5e5, "Pa", FINITE, PARAMETER, "Mooney-Rivlin: factor of the first invariant", via (|fem: &FemModel| material_constant(&fem.material, "c10"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "c10", x));
        "material.c01": f64 = 0.0, "Pa", FINITE, PARAMETER, "Mooney-Rivlin: factor of the second invariant", via (|fem: &FemModel| material_constant(&fem.material, "c01"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "c01", x));
        "material.c11": f64 = 0.0, "Pa", FINITE, PARAMETER, "Mooney-Rivlin: factor of the product of both", via (|fem: &FemModel| material_constant(&fem.material, "c11"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "c11", x));
        "material.c20": f64 = 0.0, "Pa", FINITE, PARAMETER, "Mooney-Rivlin: factor of the first, squared", via (|fem: &FemModel| material_constant(&fem.material, "c20"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "c20", x));
        "material.c02": f64 = 0.0, "Pa", FINITE, PARAMETER, "Mooney-Rivlin: factor of the second, squared", via (|fem: &FemModel| material_constant(&fem.material, "c02"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "c02", x));
        "material.bulk_modulus": f64 = 1e5, "Pa", POSITIVE, PARAMETER, "Mooney-Rivlin: bulk modulus", via (|fem: &FemModel| material_constant(&fem.material, "bulk_modulus"), |fem: &mut FemModel, x| set_material_constant(&mut fem.material, "bulk_modulus", x));
        "mass_damping": f64 = 0.0, "1/s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by mass, alpha", own (mass_damping);
        "stiffness_damping": f64 = 0.0, "s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by stiffness, beta", own (stiffness_damping);
        "point_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on every node", inheritable (point_damping);
        "quadrature": QuadratureRule = QuadratureRule::Standard, "", FINITE, STRUCTURE, "Digits of the quadrature rules", own (quadrature);
        "node_count": i64 = 0, "-", FINITE, NOTHING, "Number of nodes", derived (|fem: &FemModel| Some(fem.mesh.nodes.len() as i64));
        "element_count": i64 = 0, "-", FINITE, NOTHING, "Number of elements", derived (|fem: &FemModel| Some(fem.mesh.element_count() as i64));
        "mass": f64 = 0.0, "kg", FINITE, NOTHING, "Mass", simulated (|s: &Simulated<'_>, fem| Some(sums(s, fem)?.mass));
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume now", simulated (|s: &Simulated<'_>, fem| Some(sums(s, fem)?.volume));
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored by deformation", simulated (|s: &Simulated<'_>, fem| Some(sums(s, fem)?.strain_energy));
        "kinetic_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of motion", simulated (|s: &Simulated<'_>, fem| Some(sums(s, fem)?.kinetic_energy));
    } }
}
