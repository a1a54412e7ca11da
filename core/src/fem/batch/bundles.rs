//! Bundles in elements of one kind as data, for a backend that computes their forces: the fibres of a bundle as a
//! batch of elements, and the tissue that it stiffens as one more for each law.

use std::collections::BTreeMap;

use super::fibres::{MuscleBatch, Surroundings};
use crate::Mat3;
use crate::force::{BundleBatch, BundlePart};
use crate::material::{Axes, MaterialSpec};

impl<const N: usize, const P: usize> MuscleBatch<N, P> {
    /// See [`FibreBatch::data_of`](super::FibreBatch::data_of).
    pub(super) fn bundle_batches(
        &self,
        bundle: usize,
        material: &MaterialSpec,
        stiffens: bool,
    ) -> Vec<BundleBatch> {
        let own: Vec<_> = self.of_bundle(bundle).collect();
        if own.is_empty() {
            return Vec::new();
        }
        let mut fibres = self.batch((bundle, BundlePart::Fibres), own.iter().map(|(e, _)| *e));
        fibres.laws.push(*material);
        fibres.axes.extend(own.iter().map(|(_, fibres)| fibres.axes));
        if own.iter().any(|(_, fibres)| !fibres.at_points.is_empty()) {
            let at_points = own.iter().flat_map(|(_, it)| (0..P).map(|p| it.axes_at(p)));
            fibres.axes_at_points.extend(at_points);
        }
        let mut batches = vec![fibres];
        if stiffens {
            batches.extend(self.stiffened(bundle, own.iter().map(|(e, _)| *e)));
        }
        batches
    }

    /// The tissue around the fibres of a bundle in these elements, a batch a law.
    fn stiffened(
        &self,
        bundle: usize,
        elements: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = BundleBatch> {
        let mut laws: BTreeMap<&str, Vec<(usize, &Surroundings)>> = BTreeMap::new();
        for e in elements {
            let around = self.muscles[e].around.as_ref();
            let law = |it: &Surroundings| it.material.name();
            around.into_iter().for_each(|it| laws.entry(law(it)).or_default().push((e, it)));
        }
        laws.into_values().map(move |own| {
            let mut batch = self.batch((bundle, BundlePart::Around), own.iter().map(|(e, _)| *e));
            let first = own[0].1.material;
            if own.iter().all(|(_, it)| it.material == first) {
                batch.laws.push(first);
            } else {
                batch.laws.extend(own.iter().map(|(_, it)| it.material));
            }
            if first.kind().axes != Axes::None {
                batch.axes.extend(own.iter().map(|(_, it)| it.axes));
            }
            batch
        })
    }

    /// A batch of these elements, without law and axes.
    fn batch(
        &self,
        (bundle, part): (usize, BundlePart),
        elements: impl Iterator<Item = usize>,
    ) -> BundleBatch {
        let geometry = &self.geometry;
        let elements: Vec<usize> = elements.collect();
        // The force of fibres alone is not damped.
        let damping = if part == BundlePart::Around { self.stiffness_damping } else { 0.0 };
        BundleBatch {
            bundle,
            part,
            fem: geometry.fem.to_string(),
            kind: geometry.kind,
            quadrature: geometry.quadrature,
            laws: Vec::new(),
            stiffness_damping: damping,
            axes: Vec::<Mat3>::new(),
            axes_at_points: Vec::new(),
            offsets: elements
                .iter()
                .flat_map(|&e| geometry.offsets.points_of(e))
                .copied()
                .collect(),
            centre_offsets: elements
                .iter()
                .filter_map(|&e| geometry.offsets.centre(e))
                .copied()
                .collect(),
            elements: elements.iter().map(|&e| geometry.elements[e]).collect(),
            rows: elements.iter().flat_map(|&e| geometry.rows[e]).collect(),
        }
    }
}
