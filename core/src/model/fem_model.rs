//! A soft tissue as a model holds it: mesh, materials, damping, supports.

use serde::{Deserialize, Serialize};

use super::check::{check_indices, check_schedule, check_vectors};
use super::law_properties::{LawName, constant, law_constants, put_constant};
use super::{Affine, CheckError, Model, Problem, Schedule, TransformRefusal};
use crate::Vec3;
use crate::component::{Handle, Invalidates, ModelComponent};
use crate::fem::{ElementKind, QuadratureRule, VolumeMesh};
use crate::material::MaterialSpec;
use crate::property::{
    Item, ItemAccess, PropertyType, Range, Simulated, Value, choices, composite, properties, totals,
};

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

impl FemModel {
    /// Number of the region that element `e` takes its law from.
    pub(crate) fn region_of(&self, e: usize) -> Option<usize> {
        self.regions.iter().rposition(|region| region.elements.contains(&(e as u32)))
    }

    /// The law of element `e`.
    pub(crate) fn material_of(&self, e: usize) -> &MaterialSpec {
        self.region_of(e).map_or(&self.material, |region| &self.regions[region].material)
    }

    /// Which axes of a node are held or led.
    pub(crate) fn held(&self, node: usize) -> [bool; 3] {
        let mut held = [false; 3];
        let of_node = |d: &&Dirichlet| d.nodes.contains(&(node as u32));
        for support in self.dirichlet.iter().filter(of_node) {
            held.iter_mut().zip(support.axes).for_each(|(held, axis)| *held |= axis);
        }
        held
    }

    fn check_material(&self, _: &Model) -> Result<(), CheckError> {
        self.material.check().map_err(|error| Problem::from(error).at("material"))
    }

    /// Whether a region names elements that there are, and a law that resists.
    pub(crate) fn check_region(&self, k: usize) -> Result<(), CheckError> {
        let at = |property: &str| format!("regions/{k}:{property}");
        let Some(region) = self.regions.get(k) else { return Ok(()) };
        check_indices(&region.elements, self.mesh.element_count())
            .map_err(|problem| problem.at(at("elements")))?;
        region.material.check().map_err(|error| Problem::from(error).at(at("material")))
    }

    /// Whether a support names nodes that there are, with a displacement for each, and a schedule.
    pub(crate) fn check_support(&self, k: usize) -> Result<(), CheckError> {
        let at = |property: &str| format!("supports/{k}:{property}");
        let Some(support) = self.dirichlet.get(k) else { return Ok(()) };
        check_indices(&support.nodes, self.mesh.nodes.len())
            .map_err(|problem| problem.at(at("nodes")))?;
        check_vectors(&support.displacement, support.nodes.len())
            .map_err(|problem| problem.at(at("displacement")))?;
        check_schedule(&support.schedule).map_err(|problem| problem.at(at("schedule")))
    }

    /// Number of elements of each kind, as parts of a composite.
    fn kinds() -> impl Iterator<Item = Item> {
        ElementKind::ALL.into_iter().map(|kind| Item {
            name: kind.name(),
            value_type: PropertyType::Int,
            unit: "-",
            range: Range::NOT_NEGATIVE,
            default: Value::Int(0),
            doc: "Number of elements of that kind",
        })
    }

    fn count_of(&self, kind: &str) -> Option<Value> {
        let count = self.mesh.elements().filter(|(k, _)| k.name() == kind).count();
        i64::try_from(count).ok().map(Value::Int)
    }

    /// Smallest [`VolumeMesh::jacobian_ratio`]; `None` without elements.
    fn worst_jacobian_ratio(&self) -> Option<f64> {
        let elements = 0..self.mesh.element_count();
        elements.map(|e| self.mesh.jacobian_ratio(e, self.quadrature)).min_by(f64::total_cmp)
    }
}

const LAW: ItemAccess<FemModel> = ItemAccess {
    get: |fem, name| constant(&fem.material, name),
    set: Some(|fem, name, value| put_constant(&mut fem.material, name, value)),
    check: Some(FemModel::check_material),
};

const COUNTS: ItemAccess<FemModel> = ItemAccess { get: FemModel::count_of, set: None, check: None };

/// Smallest det F now, and how many elements are inverted.
fn worst(s: &Simulated<'_>, fem: Handle<FemModel>) -> Option<(f64, usize)> {
    s.compiled.worst_volume_ratio(fem, s.state)
}

fn count(n: usize) -> Option<i64> {
    i64::try_from(n).ok()
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

    fn check(&self, _: &Model) -> Result<(), CheckError> {
        self.material.check().map_err(|error| Problem::from(error).at("material"))?;
        (0..self.regions.len()).try_for_each(|k| self.check_region(k))?;
        (0..self.dirichlet.len()).try_for_each(|k| self.check_support(k))?;
        let range = Range::FINITE;
        for (k, node) in self.mesh.nodes.iter().enumerate() {
            if let Some(&value) = node.iter().find(|x| !x.is_finite()) {
                let at = format!("nodes/{k}:rest_position");
                return Err(Problem::OutOfRange { value, range }.at(at));
            }
        }
        Ok(())
    }

    properties! { FemModel {
        "gravity": Vec3 = super::DEFAULT_GRAVITY, "m/s²", FINITE, PARAMETER, "Acceleration of free fall", inheritable (gravity);
        "density": f64 = 1000.0, "kg/m³", POSITIVE, MASS, "Mass per volume at rest", own (density);
        "material": LawName = LawName::DEFAULT, "", FINITE, PARAMETER, "Law of what no region claims; setting it takes the law's default constants",
            replacing (|fem: &FemModel| Some(LawName::of(&fem.material)), |fem: &mut FemModel, law: LawName| law.put(&mut fem.material));
        ..composite("material", Invalidates::PARAMETER, law_constants(), &LAW);
        "mass_damping": f64 = 0.0, "1/s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by mass, alpha", own (mass_damping);
        "stiffness_damping": f64 = 0.0, "s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by stiffness, beta", own (stiffness_damping);
        "point_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on every node", inheritable (point_damping);
        "quadrature": QuadratureRule = QuadratureRule::Standard, "", FINITE, STRUCTURE, "Digits of the quadrature rules", own (quadrature);
        "node_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of nodes", derived (|m: &Model, fem| count(m.get(fem)?.mesh.nodes.len()));
        "element_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of elements", derived (|m: &Model, fem| count(m.get(fem)?.mesh.element_count()));
        ..composite("element_count", Invalidates::NOTHING, FemModel::kinds(), &COUNTS);
        "region_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of regions with a law of their own", derived (|m: &Model, fem| count(m.get(fem)?.regions.len()));
        "support_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of supports", derived (|m: &Model, fem| count(m.get(fem)?.dirichlet.len()));
        "jacobian_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest of its elements at rest", derived (|m: &Model, fem| m.get(fem)?.worst_jacobian_ratio());
        "volume_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest det F of all quadrature points now", simulated (|s: &Simulated<'_>, fem| Some(worst(s, fem)?.0));
        "inverted_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of elements with a point whose det F is not above 0", simulated (|s: &Simulated<'_>, fem| count(worst(s, fem)?.1));
        ..totals();
    } }
}
