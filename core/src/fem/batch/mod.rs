//! Batches: all elements of one kind and one material of a tissue, as a force effector.

mod build;
mod bundles;
mod factor;
mod fibres;
mod geometry;
mod laws;
mod linear;
mod linear_relaxation;
mod linear_rest;
mod nonlinear;
mod offsets;
mod parallel;
mod parts;
mod relaxation;
mod tangent;
mod turning;
mod volume;

use std::sync::Arc;

use crate::fem::VolumeRule;
use crate::fem::element::{ElementKind, QuadratureRule};
use crate::force::ForceEffector;
use crate::material::{MaterialSpec, PronySeries};
use crate::state::Motion;
use crate::{Mat3, Vec3};

pub(crate) use build::{build, build_fibres};
pub(crate) use fibres::{
    Activations, ElementFibres, ElementMuscles, FibreBatch, OneBundle, Surroundings,
};
pub(crate) use relaxation::StressMemory;
pub use volume::PointGuard;

/// Name, for backends, of tissues whose law is the user's own.
const USER_LAW: &str = "tissue of a law by the user's own code";

/// Report of a batch on one element.
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
    fn reports(&self, motion: &Motion<'_>) -> Vec<ElementReport>;

    /// Volume and energy of all elements together.
    fn totals(&self, q: &[Vec3]) -> ElementTotals;

    /// The report of the element with this index in the mesh; `None` when it is in another batch.
    fn report_of(&self, element: u32, motion: &Motion<'_>) -> Option<ElementReport>;

    /// First element whose shape at rest its law has no meaning for: index in the mesh, and a volume [m³].
    fn degenerate_at_rest(&self) -> Option<(u32, f64)>;

    /// Index of each element in the mesh.
    fn elements(&self) -> &[u32];

    /// Stresses that it remembers; `None` of elastic tissue.
    fn memory(&self) -> Option<&StressMemory>;

    /// The same, to be put in its place in the memory of a state.
    fn memory_mut(&mut self) -> Option<&mut StressMemory>;

    /// Hands the stress of the law alone [Pa], as it is remembered, at each point of element `e` of the batch to `visit`.
    fn remembered_stress(&self, e: usize, q: &[Vec3], visit: &mut dyn FnMut(usize, &Mat3));
}

/// Deformation of an element at rest from its stress-free shape, F_e at F = I: prestrain times the inverse of growth.
#[derive(Clone, Debug)]
pub(crate) struct ElasticAtRest {
    /// At the centre.
    pub(crate) centre: Mat3,
    /// At each quadrature point.
    pub(crate) points: Vec<Mat3>,
}

/// Input from which a batch is made.
pub(crate) struct BatchInput {
    /// Name of the tissue.
    pub(crate) fem: Arc<str>,
    pub(crate) kind: ElementKind,
    pub(crate) quadrature: QuadratureRule,
    pub(crate) material: MaterialSpec,
    /// The law of each element where its constants vary; empty where all have `material`.
    pub(crate) laws: Vec<MaterialSpec>,
    /// Rule for the volume of elements.
    pub(crate) volume: VolumeRule,
    /// Relaxation of the stress of the law.
    pub(crate) prony: PronySeries,
    /// Rayleigh damping by stiffness [s].
    pub(crate) stiffness_damping: f64,
    /// Axes of the material of each element, columns of a rotation; empty where they are those of space.
    pub(crate) axes: Vec<Mat3>,
    /// The same at each quadrature point of each element; empty where elements have one each.
    pub(crate) axes_at_points: Vec<Vec<Mat3>>,
    /// Deformation of each element at rest; empty where they are free of stress.
    pub(crate) at_rest: Vec<ElasticAtRest>,
    /// Index of each element in its mesh.
    pub(crate) elements: Vec<u32>,
    /// Rows of the nodes, `kind.node_count()` an element.
    pub(crate) rows: Vec<u32>,
    /// Rest position of every row [m].
    pub(crate) rest: Arc<Vec<Vec3>>,
}
