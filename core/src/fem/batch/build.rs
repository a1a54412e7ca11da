//! From a kind of element and a material to the batch that computes them.

use sinew_mesh::for_element;

use super::fibres::MuscleBatch;
use super::geometry::Geometry;
use super::laws::Each;
use super::linear::LinearBatch;
use super::nonlinear::NonlinearBatch;
use super::relaxation::StressMemory;
use super::volume::Volume;
use super::{BatchInput, ElementMuscles, FemBatch, FibreBatch};
use crate::fem::element::Element;
use crate::material::{AnyLaw, LawFrame, Material};

/// The batch of a kind and a material.
pub(crate) fn build(input: BatchInput) -> Box<dyn FemBatch> {
    for_element!(input.kind, E => build_kind::<E, { E::NODES.len() }, { E::POINTS.len() }>(input))
}

/// The batch of a material. The laws that are most in use compute without asking which they are.
fn build_kind<E: Element, const N: usize, const P: usize>(input: BatchInput) -> Box<dyn FemBatch> {
    let (beta, rule) = (input.stiffness_damping, input.volume);
    let memory = StressMemory::new(&input.prony, input.elements.len(), P);
    let geometry = Geometry::<N, P>::new::<E>(input);
    let volume = Volume::new::<E>(rule, &geometry);
    let apart = volume.is_some();
    let laws = geometry.laws().map(|spec| if apart { spec.without_bulk() } else { spec.law() });
    let batch = (geometry, volume, memory);
    match laws.all().frame() {
        LawFrame::Rest | LawFrame::Element => Box::new(LinearBatch::new(batch, laws, beta)),
        // Elements that differ ask, which costs little beside reading their constants.
        LawFrame::Point if laws.varies() => Box::new(NonlinearBatch::new(batch, laws, beta)),
        LawFrame::Point => match *laws.all() {
            AnyLaw::StVenantKirchhoff(law) => Box::new(NonlinearBatch::new(batch, one(law), beta)),
            AnyLaw::NeoHookean(law) => Box::new(NonlinearBatch::new(batch, one(law), beta)),
            AnyLaw::MooneyRivlin(law) => Box::new(NonlinearBatch::new(batch, one(law), beta)),
            law => Box::new(NonlinearBatch::new(batch, one(law), beta)),
        },
    }
}

/// A law for all elements.
fn one<M>(law: M) -> Each<M> {
    Each::new(law, Vec::new())
}

/// The muscles in elements of one kind, one entry an element of the input.
pub(crate) fn build_fibres(input: BatchInput, muscles: Vec<ElementMuscles>) -> Box<dyn FibreBatch> {
    for_element!(input.kind, E => fibres_of::<E, { E::NODES.len() }, { E::POINTS.len() }>(input, muscles))
}

fn fibres_of<E: Element, const N: usize, const P: usize>(
    input: BatchInput,
    muscles: Vec<ElementMuscles>,
) -> Box<dyn FibreBatch> {
    let beta = input.stiffness_damping;
    Box::new(MuscleBatch::new(Geometry::<N, P>::new::<E>(input), muscles, beta))
}
