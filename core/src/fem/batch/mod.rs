//! Batches: all elements of one kind and one material of a tissue, as a force effector.

mod geometry;
mod linear;
mod nonlinear;

use std::sync::Arc;

use crate::fem::element::{
    Element, ElementKind, Hex8, Hex20, Pyramid5, Pyramid13, QuadratureRule, Tet4, Tet10, Wedge6,
    Wedge15,
};
use crate::force::ForceEffector;
use crate::material::{AnyLaw, LawFrame, Material, MaterialSpec};
use crate::{Mat3, Vec3};

use geometry::Geometry;
use linear::LinearBatch;
pub(crate) use nonlinear::FibreBatch;
use nonlinear::NonlinearBatch;

/// What a batch reports of one element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ElementReport {
    /// Index in the mesh of the tissue.
    pub(crate) element: u32,
    /// Mean Cauchy stress [Pa].
    pub(crate) stress: Mat3,
    /// Mean Green-Lagrange strain [-].
    pub(crate) strain: Mat3,
    /// Von Mises norm of the mean Cauchy stress [Pa].
    pub(crate) von_mises: f64,
    /// Energy per rest volume [J/m³].
    pub(crate) energy_density: f64,
    /// Volume at rest [m³].
    pub(crate) rest_volume: f64,
    /// Volume now [m³].
    pub(crate) volume: f64,
    /// Smallest det F of its points [-].
    pub(crate) volume_ratio: f64,
}

/// Sums over elements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ElementTotals {
    /// Volume now [m³].
    pub(crate) volume: f64,
    /// Energy of deformation [J].
    pub(crate) energy: f64,
}

impl ElementTotals {
    /// Adds a point of this volume at rest [m³], volume ratio and energy density [J/m³].
    pub(crate) fn add_point(&mut self, rest_volume: f64, volume_ratio: f64, density: f64) {
        self.volume += rest_volume * volume_ratio;
        self.energy += rest_volume * density;
    }
}

/// A batch of elements.
pub(crate) trait FemBatch: ForceEffector {
    /// One report an element.
    fn reports(&self, q: &[Vec3]) -> Vec<ElementReport>;

    /// Volume and energy of all elements together.
    fn totals(&self, q: &[Vec3]) -> ElementTotals;

    /// The report of the element with this index in the mesh; `None` when it is in another batch.
    fn report_of(&self, element: u32, q: &[Vec3]) -> Option<ElementReport>;

    /// First element whose shape at rest its law has no meaning for: index in the mesh, and a volume [m³].
    fn degenerate_at_rest(&self) -> Option<(u32, f64)>;
}

/// What a batch is made from.
pub(crate) struct BatchInput {
    /// Name of the tissue.
    pub(crate) fem: Arc<str>,
    pub(crate) kind: ElementKind,
    pub(crate) quadrature: QuadratureRule,
    pub(crate) material: MaterialSpec,
    /// Rayleigh damping by stiffness [s].
    pub(crate) stiffness_damping: f64,
    /// Axes of the material of each element, columns of a rotation; empty where they are those of space.
    pub(crate) axes: Vec<Mat3>,
    /// Index of each element in its mesh.
    pub(crate) elements: Vec<u32>,
    /// Rows of the nodes, `kind.node_count()` an element.
    pub(crate) rows: Vec<u32>,
    /// Rest position of every row [m].
    pub(crate) rest: Arc<Vec<Vec3>>,
}

/// The batch of a kind and a material; a new kind is one line here.
pub(crate) fn build(input: BatchInput) -> Box<dyn FemBatch> {
    match input.kind {
        ElementKind::Tet4 => build_kind::<Tet4, 4, 1>(input),
        ElementKind::Hex8 => build_kind::<Hex8, 8, 8>(input),
        ElementKind::Wedge6 => build_kind::<Wedge6, 6, 6>(input),
        ElementKind::Pyramid5 => build_kind::<Pyramid5, 5, 5>(input),
        ElementKind::Tet10 => build_kind::<Tet10, 10, 4>(input),
        ElementKind::Hex20 => build_kind::<Hex20, 20, 14>(input),
        ElementKind::Wedge15 => build_kind::<Wedge15, 15, 9>(input),
        ElementKind::Pyramid13 => build_kind::<Pyramid13, 13, 5>(input),
    }
}

/// The batch of a material. The laws that are most in use compute without asking which they are.
fn build_kind<E: Element, const N: usize, const P: usize>(input: BatchInput) -> Box<dyn FemBatch> {
    let (material, beta) = (input.material, input.stiffness_damping);
    let geometry = Geometry::<N, P>::new::<E>(input);
    let law = material.law::<f64>();
    match law.frame() {
        LawFrame::Rest | LawFrame::Element => Box::new(LinearBatch::new(geometry, law, beta)),
        LawFrame::Point => match law {
            AnyLaw::StVenantKirchhoff(law) => Box::new(NonlinearBatch::new(geometry, law, beta)),
            AnyLaw::NeoHookean(law) => Box::new(NonlinearBatch::new(geometry, law, beta)),
            AnyLaw::MooneyRivlin(law) => Box::new(NonlinearBatch::new(geometry, law, beta)),
            law => Box::new(NonlinearBatch::new(geometry, law, beta)),
        },
    }
}

/// The fibres of a bundle in elements of one kind.
pub(crate) fn build_fibres(input: BatchInput) -> Box<dyn FibreBatch> {
    match input.kind {
        ElementKind::Tet4 => fibres_of::<Tet4, 4, 1>(input),
        ElementKind::Hex8 => fibres_of::<Hex8, 8, 8>(input),
        ElementKind::Wedge6 => fibres_of::<Wedge6, 6, 6>(input),
        ElementKind::Pyramid5 => fibres_of::<Pyramid5, 5, 5>(input),
        ElementKind::Tet10 => fibres_of::<Tet10, 10, 4>(input),
        ElementKind::Hex20 => fibres_of::<Hex20, 20, 14>(input),
        ElementKind::Wedge15 => fibres_of::<Wedge15, 15, 9>(input),
        ElementKind::Pyramid13 => fibres_of::<Pyramid13, 13, 5>(input),
    }
}

fn fibres_of<E: Element, const N: usize, const P: usize>(input: BatchInput) -> Box<dyn FibreBatch> {
    let law = input.material.law::<f64>();
    Box::new(NonlinearBatch::new(Geometry::<N, P>::new::<E>(input), law, 0.0))
}
