//! Compilation of muscles in tissue: the elements of each tissue and kind that have any, with the fibres of all bundles in them
//! and the tissue that these make stiffer.

use std::collections::BTreeMap;

use super::drives::bundle_drives_of;
use super::flat::Flat;
use super::numbering::Numbering;
use super::tissues;
use crate::Mat3;
use crate::fem::{
    BatchInput, ElementFibres, ElementKind, ElementMuscles, FibreBatch, Muscles, Surroundings,
    VolumeRule, build_fibres,
};
use crate::kinds::TissueFields;
use crate::material::PronySeries;
use crate::model::{FemModel, MuscleBundle};

/// The bundles of all tissues; their activations come after `offset` numbers in the memory of a state.
pub(super) fn muscles_of(model: &Flat<'_>, points: &Numbering, offset: usize) -> Option<Muscles> {
    let mut tissues = Vec::new();
    for (f, fem) in model.fems.iter().enumerate() {
        let handle = model.places.fems.handles()[f];
        let own = model.bundles.iter().enumerate().filter(|(_, bundle)| bundle.fem == handle);
        let tissue = Tissue { fem, rows: &points.fem_rows[f], points };
        tissues.push(tissue.batches(own.map(|(k, bundle)| (k, *bundle))));
    }
    let named = |bundle: &&MuscleBundle| (bundle.name.clone(), bundle.contraction());
    let bundles = model.bundles.iter().map(named).collect();
    let muscles = || Muscles::new(bundles, tissues, bundle_drives_of(model), offset);
    (!model.bundles.is_empty()).then(muscles)
}

/// A tissue with the rows of its nodes.
struct Tissue<'m> {
    fem: &'m FemModel,
    rows: &'m [u32],
    points: &'m Numbering,
}

impl Tissue<'_> {
    /// One batch for each kind of element that has fibres of bundles, which have numbers.
    fn batches<'b>(
        &self,
        bundles: impl Iterator<Item = (usize, &'b MuscleBundle)>,
    ) -> Vec<Box<dyn FibreBatch>> {
        let mut kinds: BTreeMap<ElementKind, BTreeMap<u32, ElementMuscles>> = BTreeMap::new();
        let fields = TissueFields::of(self.fem);
        for (number, bundle) in bundles {
            let law = bundle.material.law();
            for (place, e) in bundle.elements_in(self.fem).into_iter().enumerate() {
                let of_kind = kinds.entry(self.fem.mesh.element(e as usize).0).or_default();
                let none = || ElementMuscles { fibres: Vec::new(), around: None };
                let muscles = of_kind.entry(e).or_insert_with(none);
                let axes = bundle.axes_in((self.fem, &fields), (place, e));
                let at_points = bundle.axes_at_points((self.fem, &fields), e);
                muscles.fibres.push(ElementFibres { bundle: number, law, axes, at_points });
                if bundle.stiffening > 0.0 && muscles.around.is_none() {
                    let law = fields.law(e as usize, self.fem.law_of(e as usize));
                    let axes = tissues::axes_of(&fields, &law, &[e]);
                    let axes = axes.first().copied().unwrap_or_else(Mat3::identity);
                    muscles.around = Some(Surroundings::new(law, axes));
                }
            }
        }
        let batch = |(kind, of_kind): (_, BTreeMap<u32, ElementMuscles>)| {
            let (elements, muscles) = of_kind.into_iter().unzip();
            build_fibres(self.input(kind, elements), muscles)
        };
        kinds.into_iter().map(batch).collect()
    }

    fn input(&self, kind: ElementKind, elements: Vec<u32>) -> BatchInput {
        let nodes = |&e: &u32| self.fem.mesh.element(e as usize).1;
        let rows = elements.iter().flat_map(nodes).map(|&n| self.rows[n as usize]).collect();
        BatchInput {
            fem: self.fem.name.as_str().into(),
            kind,
            quadrature: self.fem.quadrature,
            material: self.fem.material,
            laws: Vec::new(),
            volume: VolumeRule::Points,
            // Fibres and what they stiffen act at once.
            prony: PronySeries::default(),
            stiffness_damping: self.fem.stiffness_damping,
            axes: Vec::new(),
            axes_at_points: Vec::new(),
            at_rest: TissueFields::of(self.fem).elastic_at_rest(&elements),
            rows,
            elements,
            rest: self.points.rest.clone(),
        }
    }
}
