//! A soft tissue as a model holds it: mesh, materials, damping, supports.

use crate::component::FemPart;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::checks::{check_indices, check_schedule, check_vectors};
use super::law_properties::{LawName, constant, law_constants, put_constant};
use super::rest_state::RestState;
use super::tissue_fields::{FIELDS, TissueFields, field_items, rest_properties};
use crate::component::{Invalidates, TransformRefusal};
use crate::fem::{ElementKind, Incompressible, QuadratureRule, VolumeMesh, VolumeRule};
use crate::kinds::{KeyframeInterpolation, PointKeyframe, Schedule, check_keyframes};
use crate::material::{self, MaterialSpec, PronyLaw, PronySeries, PronyStress};
use crate::property::{
    CheckError, Components, Item, ItemAccess, ModelComponent, Problem, PropertyType, PropertyValue,
    Put, Range, Refusal, Transformation, Value, choices, composite, properties, totals,
};
use crate::{Mat3, Vec3};

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
    /// Direction of the fibres at rest, of any length: empty for x, one for all elements, or one an
    /// element.
    #[serde(default)]
    pub fibres: Vec<Vec3>,
    /// Direction across the fibres in which sheets lie, of any length; only its part across the fibres
    /// counts. Empty for whichever axis of space is the farthest from the fibres, one for all elements,
    /// or one an element.
    #[serde(default)]
    pub sheets: Vec<Vec3>,
    /// Quantities that vary from element to element, each with a formula of the rest position x, y, z [m] and of fields
    /// of the mesh: constants of laws by name, `density`, and `fibres` and `sheets` with three formulas parted by
    /// semicolons or the name of a field of vectors.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// Growth and prestrain.
    #[serde(default)]
    pub rest: RestState,
    /// Elements with a material of their own; a later region wins over an earlier one.
    pub regions: Vec<Region>,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Digits of the quadrature rules.
    pub quadrature: QuadratureRule,
    /// Way to keep elements from locking where their material hardly changes its volume.
    #[serde(default)]
    pub incompressible: Incompressible,
    /// Relaxation of the stresses of all its laws.
    #[serde(default)]
    pub prony: PronySeries,
    /// Supports; a later one wins over an earlier one at the same node and axis.
    pub dirichlet: Vec<Dirichlet>,
}

impl FemModel {
    /// Number of its parts of one sort.
    pub fn part_count(&self, part: FemPart) -> usize {
        match part {
            FemPart::Nodes => self.mesh.nodes.len(),
            FemPart::Elements => self.mesh.element_count(),
            FemPart::Regions => self.regions.len(),
            FemPart::Supports => self.dirichlet.len(),
        }
    }

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
            fibres: Vec::new(),
            sheets: Vec::new(),
            fields: BTreeMap::new(),
            rest: RestState::default(),
            regions: Vec::new(),
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            quadrature: QuadratureRule::default(),
            incompressible: Incompressible::default(),
            prony: PronySeries::default(),
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

/// Nodes that are fixed, or displaced along a displacement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dirichlet {
    /// Node indices in the mesh.
    pub nodes: Vec<u32>,
    /// True for the axes x, y, z that are fixed.
    pub axes: [bool; 3],
    /// Displacement from rest at a schedule value of 1 [m]: empty for none, one for all the nodes,
    /// or one a node.
    pub displacement: Vec<Vec3>,
    /// Time course of the displacement.
    pub schedule: Schedule,
    /// Displacements from rest that all the nodes go through, in the place of displacement and schedule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<PointKeyframe>,
    /// Motion between two keyframes.
    #[serde(default, skip_serializing_if = "KeyframeInterpolation::is_usual")]
    pub keyframe_interpolation: KeyframeInterpolation,
}

impl Dirichlet {
    /// Nodes that stay where they are at rest, in all three directions.
    pub fn fix(nodes: Vec<u32>) -> Self {
        let (displacement, schedule, keyframes) = (Vec::new(), Schedule::default(), Vec::new());
        let keyframe_interpolation = KeyframeInterpolation::Linear;
        Self { nodes, axes: [true; 3], displacement, schedule, keyframes, keyframe_interpolation }
    }

    /// The displacement from rest that all its nodes have at `time` [m]; `None` where they have different ones.
    pub(crate) fn offset_at(&self, time: f64) -> Option<Vec3> {
        match (&self.keyframes[..], &self.displacement[..]) {
            ([], []) => Some(Vec3::zeros()),
            ([], [one]) => Some(one * self.schedule.at(time)),
            ([], _) => None,
            (keyframes, _) => Some(PointKeyframe::at(keyframes, self.keyframe_interpolation, time)),
        }
    }

    /// The displacement that all its nodes have at last.
    pub(crate) fn last_offset(&self) -> Option<Vec3> {
        self.offset_at(f64::MAX)
    }

    /// Moves all its nodes by a displacement from rest, for good.
    pub(crate) fn put_offset(&mut self, offset: Vec3) {
        self.displacement = vec![offset];
        (self.schedule, self.keyframes) = (Schedule::default(), Vec::new());
    }
}

choices!(QuadratureRule { Standard => "standard", ArtiSynth => "artisynth" });
choices!(Incompressible {
    Auto => "auto",
    Off => "off",
    Element => "element",
    Nodal => "nodal",
    Fbar => "fbar"
});
choices!(PronyLaw { LongTerm => "long_term", Instantaneous => "instantaneous" });
choices!(PronyStress {
    SecondPiolaKirchhoff => "second_piola_kirchhoff",
    Cauchy => "cauchy"
});

impl FemModel {
    /// Number of the region that element `e` takes its law from.
    pub(crate) fn region_of(&self, e: usize) -> Option<usize> {
        self.regions.iter().rposition(|region| region.elements.contains(&(e as u32)))
    }

    /// The region of every element, `None` for those in none.
    pub(crate) fn regions_of_elements(&self) -> Vec<Option<usize>> {
        let mut region_of = vec![None; self.mesh.element_count()];
        for (r, region) in self.regions.iter().enumerate() {
            for &e in &region.elements {
                // One that is not there is refused when regions are checked.
                if let Some(place) = region_of.get_mut(e as usize) {
                    *place = Some(r);
                }
            }
        }
        region_of
    }

    /// The law of element `e` as its tissue or region has it.
    pub(crate) fn law_of(&self, e: usize) -> &MaterialSpec {
        self.region_of(e).map_or(&self.material, |region| &self.regions[region].material)
    }

    /// The law of element `e`, with the constants that it has there.
    pub(crate) fn material_of(&self, e: usize) -> MaterialSpec {
        let law = self.law_of(e);
        if self.fields.is_empty() { *law } else { TissueFields::of(self).law(e, law) }
    }

    /// Checks that the directions are vectors with a length, one for all or one an element, and no sheet
    /// lies along its fibres.
    fn check_directions(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_directions(&self.fibres, self.mesh.element_count())
            .map_err(|problem| problem.at("fibres"))?;
        check_directions(&self.sheets, self.mesh.element_count())
            .map_err(|problem| problem.at("sheets"))?;
        self.check_crossing()
    }

    /// True for the axes of a node that are fixed or prescribed.
    pub(crate) fn fixed(&self, node: usize) -> [bool; 3] {
        let mut fixed = [false; 3];
        let of_node = |d: &&Dirichlet| d.nodes.contains(&(node as u32));
        for support in self.dirichlet.iter().filter(of_node) {
            fixed.iter_mut().zip(support.axes).for_each(|(fixed, axis)| *fixed |= axis);
        }
        fixed
    }

    /// Points at which elements of a kind and a law look at their volume.
    pub fn volume_rule(&self, kind: ElementKind, law: &MaterialSpec) -> VolumeRule {
        self.incompressible.rule(kind, law).unwrap_or(VolumeRule::Points)
    }

    /// The same of elements of a kind that have this law: where its constants vary, by the element that resists changes of
    /// its volume most.
    pub(crate) fn volume_rule_of(
        &self,
        fields: &TissueFields<'_>,
        (kind, law): (ElementKind, &MaterialSpec),
        elements: &[u32],
    ) -> VolumeRule {
        if !fields.vary(law) {
            return self.volume_rule(kind, law);
        }
        let laws = elements.iter().map(|&e| fields.law(e as usize, law));
        let ratio = |law: &MaterialSpec| law.bulk_over_shear().unwrap_or(0.0);
        let stiffest = laws.max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        self.volume_rule(kind, &stiffest.unwrap_or(*law))
    }

    /// Element indices of each kind in each region (`None`: in no region).
    pub(crate) fn elements_by_kind_and_region(
        &self,
    ) -> BTreeMap<(ElementKind, Option<usize>), Vec<u32>> {
        let region_of = self.regions_of_elements();
        let mut groups: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (e, (kind, _)) in self.mesh.elements().enumerate() {
            groups.entry((kind, region_of[e])).or_default().push(e as u32);
        }
        groups
    }

    /// Points at which the elements look at their volume, by kind; those that look at every point are left out.
    pub fn volume_rules(&self) -> BTreeSet<(ElementKind, VolumeRule)> {
        let fields = TissueFields::of(self);
        let groups = self.elements_by_kind_and_region().into_iter();
        let rule = |((kind, region), elements): ((_, Option<usize>), Vec<u32>)| {
            let law = region.map_or(&self.material, |r| &self.regions[r].material);
            (kind, self.volume_rule_of(&fields, (kind, law), &elements))
        };
        groups.map(rule).filter(|(_, rule)| *rule != VolumeRule::Points).collect()
    }

    fn check_material(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_tissue_law(&self.material).map_err(|problem| problem.at("material"))?;
        self.check_volume(&self.material)?;
        self.check_fields()
    }

    fn check_prony(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.prony.check().map_err(|problem| problem.at("prony_series"))
    }

    /// Checks that the way in which the volume is looked at fits the kinds of the elements and a law.
    fn check_volume(&self, law: &MaterialSpec) -> Result<(), CheckError> {
        let rigid = law.get("poissons_ratio") == Some(material::Value::Number(0.5));
        if self.incompressible == Incompressible::Auto && !rigid {
            return Ok(());
        }
        let mut last = None;
        for (kind, _) in self.mesh.elements() {
            // Elements of a kind stand together.
            if last.replace(kind) == Some(kind) {
                continue;
            }
            let target = || self.incompressible.to_value().to_string();
            let rule = self.incompressible.rule(kind, law);
            let rule = rule
                .map_err(|must| Problem::Unfit { target: target(), must }.at("incompressible"))?;
            if rigid && rule == VolumeRule::Points && kind != ElementKind::Tet4 {
                let must = "another way than off, or a Poisson's ratio below 0.5, or another law";
                return Err(Problem::Unfit { target: target(), must }.at("incompressible"));
            }
        }
        Ok(())
    }

    /// Checks that a region names elements that there are, and a law that resists.
    pub(crate) fn check_region(&self, k: usize) -> Result<(), CheckError> {
        let at = |property: &str| format!("regions/{k}:{property}");
        let Some(region) = self.regions.get(k) else { return Ok(()) };
        check_indices(&region.elements, self.mesh.element_count())
            .map_err(|problem| problem.at(at("elements")))?;
        check_tissue_law(&region.material).map_err(|problem| problem.at(at("material")))?;
        self.check_volume(&region.material)?;
        self.check_fields()
    }

    /// Checks that a support names nodes that there are, with a displacement for each, and a schedule.
    pub(crate) fn check_support(&self, k: usize) -> Result<(), CheckError> {
        let at = |property: &str| format!("supports/{k}:{property}");
        let Some(support) = self.dirichlet.get(k) else { return Ok(()) };
        check_indices(&support.nodes, self.mesh.nodes.len())
            .map_err(|problem| problem.at(at("nodes")))?;
        check_vectors(&support.displacement, support.nodes.len())
            .map_err(|problem| problem.at(at("displacement")))?;
        check_schedule(&support.schedule).map_err(|problem| problem.at(at("schedule")))?;
        check_keyframes(&support.keyframes).map_err(|problem| problem.at(at("keyframes")))
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

/// Checks that a law has sound constants, and resists more than the stretch of fibres.
fn check_tissue_law(law: &MaterialSpec) -> Result<(), Problem> {
    law.check()?;
    if !law.kind().muscle {
        return Ok(());
    }
    let must = "the law of a tissue; that of a muscle belongs to a bundle (muscle_bundles)";
    Err(Problem::Unfit { target: law.name().to_owned(), must })
}

/// The direction of element `e` in a list of none, one or all.
pub(super) fn of_element(list: &[Vec3], e: usize) -> Option<Vec3> {
    list.get(e).or(list.first()).copied()
}

/// Fibre, sheet across it and their normal as columns of a rotation.
pub(crate) fn material_axes(fibre: Option<Vec3>, sheet: Option<Vec3>) -> Mat3 {
    let fibre = fibre.unwrap_or_else(Vec3::x).normalize();
    let sheet = sheet.unwrap_or_else(|| {
        let axes = [Vec3::y(), Vec3::z(), Vec3::x()];
        let along = |axis: &Vec3| fibre.dot(axis).abs();
        axes.into_iter().min_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or_else(Vec3::y)
    });
    let sheet = (sheet - fibre * fibre.dot(&sheet)).normalize();
    Mat3::from_columns(&[fibre, sheet, fibre.cross(&sheet)])
}

/// Checks that these are none, one or `count` vectors, each with a length.
pub(crate) fn check_directions(list: &[Vec3], count: usize) -> Result<(), Problem> {
    check_vectors(list, count)?;
    match list.iter().map(|v| v.norm()).find(|length| !(length.is_finite() && *length > 0.0)) {
        Some(value) => {
            Err(Problem::Entry { what: "length of a direction", value, must: "finite and above 0" })
        }
        None => Ok(()),
    }
}

pub(crate) fn flat(list: &[Vec3]) -> Vec<f64> {
    list.iter().flatten().copied().collect()
}

pub(crate) fn put_directions(place: &mut Vec<Vec3>, list: &[f64]) -> Put {
    let (rows, rest) = list.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(Refusal::Value("it must be three numbers a direction"));
    }
    *place = rows.iter().map(|row| Vec3::from(*row)).collect();
    Ok(())
}

const LAW: ItemAccess<FemModel> = ItemAccess {
    get: |fem, name| constant(&fem.material, name),
    set: Some(|fem, name, value| put_constant(&mut fem.material, name, value)),
    check: Some(FemModel::check_material),
};

const COUNTS: ItemAccess<FemModel> = ItemAccess { get: FemModel::count_of, set: None, check: None };

fn count(n: usize) -> Option<i64> {
    i64::try_from(n).ok()
}

impl ModelComponent for FemModel {
    const HOME: Option<&'static str> = Some("fem_models");
    const MOVED: Invalidates =
        Invalidates::GEOMETRY.and(Invalidates::MASS).and(Invalidates::RENDER);

    /// Nodes move; fibres and displacements of supports turn and stretch along.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        self.deform(transformation)
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_material(model)?;
        self.check_directions(model)?;
        self.check_prony(model)?;
        self.check_rest(model)?;
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
        "fibres": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "Direction of the fibres at rest: none for x, x y z for all elements, or x y z of each",
            via (|fem: &FemModel| Some(flat(&fem.fibres)), |fem: &mut FemModel, list: Vec<f64>| put_directions(&mut fem.fibres, &list)), check FemModel::check_directions;
        "sheets": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "Direction of the sheets at rest, across the fibres: none for an axis of space, x y z for all elements, or x y z of each",
            via (|fem: &FemModel| Some(flat(&fem.sheets)), |fem: &mut FemModel, list: Vec<f64>| put_directions(&mut fem.sheets, &list)), check FemModel::check_directions;
        "gravity": Vec3 = super::DEFAULT_GRAVITY, "m/s²", FINITE, PARAMETER, "Acceleration of free fall", inheritable (gravity);
        "density": f64 = 1000.0, "kg/m³", POSITIVE, MASS, "Mass per volume at rest", own (density);
        "material": LawName = LawName::DEFAULT, "", FINITE, PARAMETER, "Law of what no region claims; setting it takes the law's default constants",
            replacing (|fem: &FemModel| Some(LawName::of(&fem.material)), |fem: &mut FemModel, law: LawName| law.put(&mut fem.material));
        ..composite("material", Invalidates::PARAMETER, law_constants(false), &LAW);
        ..composite("field", Invalidates::STRUCTURE, field_items(), &FIELDS);
        ..rest_properties();
        "mass_damping": f64 = 0.0, "1/s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by mass, alpha", own (mass_damping);
        "stiffness_damping": f64 = 0.0, "s", NOT_NEGATIVE, PARAMETER, "Rayleigh damping by stiffness, beta", own (stiffness_damping);
        "point_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on every node", inheritable (point_damping);
        "quadrature": QuadratureRule = QuadratureRule::Standard, "", FINITE, STRUCTURE, "Quadrature rules: the published ones, or those of ArtiSynth, which differ in digits and in pyramid13", own (quadrature);
        "incompressible": Incompressible = Incompressible::Auto, "", FINITE, STRUCTURE, "Pressures that keep elements from locking where their law hardly changes its volume: of each element, of nodes, or from the volume at the centre (fbar)", own (incompressible), check FemModel::check_material;
        "prony_series": Vec<f64> = Vec::new(), "s, -", NOT_NEGATIVE, STRUCTURE, "Relaxation of the stress of the law: time and share of each term in turn; none for an elastic tissue",
            via (|fem: &FemModel| Some(fem.prony.to_list()), |fem: &mut FemModel, list: Vec<f64>| fem.prony.put_list(&list)), check FemModel::check_prony;
        "prony_law": PronyLaw = PronyLaw::LongTerm, "", FINITE, STRUCTURE, "Response that the constants of the law describe: the one that is left in the long run, or the one at once", own (prony.law), check FemModel::check_prony;
        "prony_stress": PronyStress = PronyStress::SecondPiolaKirchhoff, "", FINITE, STRUCTURE, "Stress that relaxes: the second Piola-Kirchhoff stress, or Cauchy's in axes that turn with the tissue", own (prony.stress);
        "node_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of nodes", derived (|m: &dyn Components, fem| count(m.get(fem)?.mesh.nodes.len()));
        "element_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of elements", derived (|m: &dyn Components, fem| count(m.get(fem)?.mesh.element_count()));
        ..composite("element_count", Invalidates::NOTHING, FemModel::kinds(), &COUNTS);
        "region_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of regions with a law of their own", derived (|m: &dyn Components, fem| count(m.get(fem)?.regions.len()));
        "support_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of supports", derived (|m: &dyn Components, fem| count(m.get(fem)?.dirichlet.len()));
        "jacobian_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest of its elements at rest", derived (|m: &dyn Components, fem| m.get(fem)?.worst_jacobian_ratio());
        "volume_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest det F of all quadrature points now", simulated ();
        "inverted_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of elements with a point whose det F is not above 0", simulated ();
        ..totals();
    } }
}
