//! Muscle in tissue: a named set of elements whose fibres pull along their directions, with an
//! excitation and the dynamics of its activation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::axial_properties::{activation_items, activation_part, put_activation};
use super::checks::{check_indices, read_indices};
use super::fem_model::{check_directions, flat, material_axes, put_directions};
use super::law_properties::{LawName, constant, law_constants, put_constant};
use super::tissue_fields::directions_at_points;
use super::tissue_reference::put_tissue;
use crate::axial::ActivationDynamics;
use crate::component::{ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::fem::{Contraction, Field, VolumeMesh};
use crate::kinds::{FemModel, TissueFields};
use crate::material::{LawFrame, Material, MaterialSpec};
use crate::property::{
    CheckError, Components, ItemAccess, ModelComponent, OnePath, Problem, Put, Transformation,
    composite, properties,
};
use crate::{Mat3, Vec3};

/// Fibres in elements of a tissue, which add the stress of their law to that of the tissue. Several
/// bundles may share an element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MuscleBundle {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The tissue.
    pub fem: Handle<FemModel>,
    /// Indices of the elements; empty for all.
    pub elements: Vec<u32>,
    /// Direction of the fibres at rest, of any length: empty for those of the tissue, one for all
    /// elements, or one for each of `elements`.
    pub fibres: Vec<Vec3>,
    /// Name of a field of three components an element or a node of the mesh that says both in place of `elements` and `fibres`: the bundle is where it
    /// is not zero, along its vectors. Empty for none.
    #[serde(default)]
    pub field: String,
    /// Law of the fibres, one for muscles.
    pub material: MaterialSpec,
    /// Excitation [-], 0 to 1.
    pub excitation: f64,
    /// Dynamics of activation.
    #[serde(default)]
    pub activation: ActivationDynamics,
    /// Share of the tissue's resistance to changes of its shape that full activation adds in its elements [-]: 0 for none, 9
    /// for ten times as much as at rest.
    #[serde(default)]
    pub stiffening: f64,
    /// True if it does anything.
    pub enabled: bool,
}

/// Vectors of a field along fibres.
#[derive(Clone, Copy)]
enum FibreVectors<'f> {
    /// One an element.
    OfElements(&'f [[f64; 3]]),
    /// One a node.
    OfNodes(&'f [[f64; 3]]),
}

impl<'f> FibreVectors<'f> {
    fn values(self) -> &'f [[f64; 3]] {
        match self {
            Self::OfElements(vectors) | Self::OfNodes(vectors) => vectors,
        }
    }

    /// The vector of an element: its own, or the mean of those of its nodes.
    fn mean(self, mesh: &VolumeMesh, element: u32) -> Vec3 {
        let (nodes, at) =
            (mesh.element(element as usize).1, |k: u32| Vec3::from(self.values()[k as usize]));
        match self {
            Self::OfElements(_) => at(element),
            Self::OfNodes(_) => nodes.iter().map(|&n| at(n)).sum::<Vec3>() / nodes.len() as f64,
        }
    }
}

impl MuscleBundle {
    /// All elements of a tissue, with fibres along those of the tissue.
    pub fn new(fem: Handle<FemModel>, material: MaterialSpec) -> Self {
        Self {
            name: String::new(),
            fem,
            elements: Vec::new(),
            fibres: Vec::new(),
            field: String::new(),
            material,
            excitation: 0.0,
            activation: ActivationDynamics::default(),
            stiffening: 0.0,
            enabled: true,
        }
    }

    /// The same in these elements, with one direction for all or one for each.
    pub fn in_elements(self, elements: Vec<u32>, fibres: Vec<Vec3>) -> Self {
        Self { elements, fibres, ..self }
    }

    /// Its contraction: law, excitation, activation, stiffening.
    pub(crate) fn contraction(&self) -> Contraction {
        let Self { material, excitation, activation, stiffening, enabled, .. } = *self;
        Contraction { material, excitation, activation, enabled, stiffening }
    }

    /// The elements of a tissue that it is in.
    pub(crate) fn elements_in(&self, fem: &FemModel) -> Vec<u32> {
        if let Some(vectors) = self.vectors(fem) {
            let elements = 0..fem.mesh.element_count() as u32;
            elements.filter(|&e| vectors.mean(&fem.mesh, e) != Vec3::zeros()).collect()
        } else if self.elements.is_empty() {
            (0..fem.mesh.element_count() as u32).collect()
        } else {
            self.elements.clone()
        }
    }

    /// The vectors of its field; `None` without a field.
    fn vectors<'f>(&self, fem: &'f FemModel) -> Option<FibreVectors<'f>> {
        let of = |fields: &'f BTreeMap<String, Field>| {
            let field = fields.get(&self.field).filter(|field| field.components == 3)?;
            Some(field.values.as_chunks::<3>().0)
        };
        let elements = of(&fem.mesh.element_fields).map(FibreVectors::OfElements);
        elements.or_else(|| of(&fem.mesh.node_fields).map(FibreVectors::OfNodes))
    }

    /// Axes of its fibres at each quadrature point of an element of the tissue, where a field of the nodes turns them, or
    /// those of the tissue turn that it has; empty elsewhere.
    pub(crate) fn axes_at_points(
        &self,
        (fem, fields): (&FemModel, &TissueFields<'_>),
        element: u32,
    ) -> Vec<Mat3> {
        if self.field.is_empty() && self.fibres.is_empty() {
            return fields.axes_at_points(element as usize);
        }
        let Some(FibreVectors::OfNodes(vectors)) = self.vectors(fem) else { return Vec::new() };
        let along = directions_at_points(fem, element as usize, vectors);
        along.into_iter().map(|fibre| material_axes(Some(fibre), None)).collect()
    }

    /// Axes of its fibres in an element of the tissue, the one of this place in its list.
    pub(crate) fn axes_in(
        &self,
        (fem, fields): (&FemModel, &TissueFields<'_>),
        (place, element): (usize, u32),
    ) -> Mat3 {
        if let Some(vectors) = self.vectors(fem) {
            return material_axes(Some(vectors.mean(&fem.mesh, element)), None);
        }
        match self.fibres.as_slice() {
            [] => fields.axes(element as usize),
            [fibre] => material_axes(Some(*fibre), None),
            all => material_axes(all.get(place).copied(), None),
        }
    }

    /// A field that there is, of finite vectors.
    fn check_field(&self, fem: &FemModel) -> Result<(), CheckError> {
        if self.field.is_empty() {
            return Ok(());
        }
        let Some(vectors) = self.vectors(fem) else {
            let must = "a field of the elements or nodes of the mesh with three components";
            return Err(Problem::Unfit { target: self.field.clone(), must }.at("field"));
        };
        if let Some(&value) = vectors.values().as_flattened().iter().find(|x| !x.is_finite()) {
            let (what, must) = ("component", "finite");
            return Err(Problem::Entry { what, value, must }.at("field"));
        }
        Ok(())
    }

    fn check_law(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.material.check().map_err(|error| Problem::from(error).at("material"))?;
        if self.material.kind().muscle {
            return Ok(());
        }
        let must = "the law of a muscle (docs/reference/materials.md)";
        let target = self.material.name().to_owned();
        Err(Problem::Unfit { target, must }.at("material"))
    }

    /// Elements that there are, each once, and directions for them.
    fn check_elements(&self, model: &dyn Components) -> Result<(), CheckError> {
        let fem = model.checked_fem("tissue", self.fem)?;
        self.check_field(fem)?;
        check_indices(&self.elements, fem.mesh.element_count())
            .map_err(|problem| problem.at("elements"))?;
        let mut sorted = self.elements.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let (what, must) = ("element", "named once");
            let value = f64::from(twice[0]);
            return Err(Problem::Entry { what, value, must }.at("elements"));
        }
        let count = self.elements_in(fem).len();
        check_directions(&self.fibres, count).map_err(|problem| problem.at("fibres"))
    }

    /// Tissue that can become stiffer: the forces of other laws turn with whole elements.
    fn check_stiffening(&self, model: &dyn Components) -> Result<(), CheckError> {
        if self.stiffening == 0.0 {
            return Ok(());
        }
        let fem = model.checked_fem("tissue", self.fem)?;
        let laws = self.elements_in(fem).into_iter().map(|e| fem.law_of(e as usize));
        let mut turning = laws.filter(|law| law.law::<f64>().frame() != LawFrame::Point);
        let Some(law) = turning.next() else { return Ok(()) };
        let (target, must) = (
            law.name().to_owned(),
            "a law of finite strain where a bundle stiffens its tissue: such as mr",
        );
        Err(Problem::Unfit { target, must }.at("stiffening"))
    }

    fn put_elements(&mut self, list: &[f64]) -> Put {
        self.elements = read_indices(list)?;
        Ok(())
    }
}

const LAW: ItemAccess<MuscleBundle> = ItemAccess {
    get: |it, name| constant(&it.material, name),
    set: Some(|it, name, value| put_constant(&mut it.material, name, value)),
    check: Some(MuscleBundle::check_law),
};

const ACTIVATION: ItemAccess<MuscleBundle> = ItemAccess {
    get: |it, name| activation_part(&it.activation, name),
    set: Some(|it, name, value| put_activation(&mut it.activation, name, value)),
    check: None,
};

impl ModelComponent for MuscleBundle {
    const HOME: Option<&'static str> = Some("muscle_bundles");
    const MOVED: Invalidates = Invalidates::STRUCTURE;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.fem.redirect(map);
    }

    /// Its fibres turn and stretch with the tissue.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        self.deform(transformation)
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_elements(model)?;
        self.check_stiffening(model)?;
        self.check_law(model)
    }

    properties! { MuscleBundle {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it does anything", own (enabled);
        "tissue": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The tissue that it is in",
            reference (|it| vec![it.fem.id().into()], |it, to| put_tissue(&mut it.fem, to)), check MuscleBundle::check_elements;
        "elements": Vec<f64> = Vec::new(), "", NOT_NEGATIVE, STRUCTURE, "Indices of its elements; none for all",
            via (|it: &MuscleBundle| Some(it.elements.iter().map(|&k| f64::from(k)).collect()), |it: &mut MuscleBundle, list: Vec<f64>| it.put_elements(&list)), check MuscleBundle::check_elements;
        "fibres": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "Direction of its fibres at rest: none for those of the tissue, x y z for all elements, or x y z of each",
            via (|it: &MuscleBundle| Some(flat(&it.fibres)), |it: &mut MuscleBundle, list: Vec<f64>| put_directions(&mut it.fibres, &list)), check MuscleBundle::check_elements;
        "field": String = String::new(), "", FINITE, STRUCTURE, "Name of a field of vectors of the elements or nodes of the mesh that says both in place of elements and fibres: the bundle is where it is not zero, and one of nodes is interpolated at the quadrature points; none where empty", own (field), check MuscleBundle::check_elements;
        "material": LawName = LawName("simple_muscle"), "", FINITE, PARAMETER, "Law of its fibres, one for muscles; setting it takes the law's default constants",
            replacing (|it: &MuscleBundle| Some(LawName::of(&it.material)), |it: &mut MuscleBundle, law: LawName| law.put(&mut it.material)), check MuscleBundle::check_law;
        ..composite("material", Invalidates::PARAMETER, law_constants(true), &LAW);
        "excitation": f64 = 0.0, "-", UNIT, PARAMETER, "Excitation", own (excitation);
        "stiffening": f64 = 0.0, "-", NOT_NEGATIVE, PARAMETER, "Share of the tissue's resistance to changes of its shape that full activation adds in its elements: 9 for ten times as much as at rest", own (stiffening), check MuscleBundle::check_stiffening;
        ..composite("activation", Invalidates::PARAMETER, activation_items(), &ACTIVATION);
        "activation_level": f64 = 0.0, "-", FINITE, NOTHING, "Activation now", simulated ();
        "fibre_stretch": f64 = 1.0, "-", FINITE, NOTHING, "Mean stretch of its fibres over its volume", simulated ();
        "fibre_stress": f64 = 0.0, "Pa", FINITE, NOTHING, "Mean Cauchy stress along its fibres over its volume, without that of the tissue", simulated ();
    } }
}
