//! Data of a force effector, for a backend that computes forces by itself. The CPU path does not
//! look at it.

use std::fmt;

use crate::fem::{ElementKind, QuadratureRule};
use crate::material::MaterialSpec;
use crate::state::Schedule;
use crate::{Mat3, Vec3};

/// A force effector as data. Rows are those of the compiled system.
#[derive(Clone, Copy, Debug)]
pub enum EffectorView<'a> {
    /// Elements of one kind and one material.
    Tissue(TissueBatch<'a>),
    /// Muscles in tissue.
    Muscles(&'a dyn TissueMuscles),
    /// Force = acceleration times schedule times a mass a row.
    BodyForces {
        /// Acceleration at a schedule value of 1 [m/s²].
        acceleration: Vec3,
        /// Its time course.
        schedule: &'a Schedule,
        /// Mass of every row, weights included [kg].
        masses: &'a [f64],
    },
    /// Forces on single rows: row, force at a schedule value of 1 [N], time course.
    PointForces(&'a [(u32, Vec3, Schedule)]),
    /// Force = -c u; c of every row [N s/m].
    Drag(&'a [f64]),
    /// Anything else, by what a person calls it ("springs").
    Other(&'static str),
}

/// Elements of one kind and one material of a tissue.
#[derive(Clone, Copy, Debug)]
pub struct TissueBatch<'a> {
    /// Name of the tissue.
    pub fem: &'a str,
    /// Kind of its elements.
    pub kind: ElementKind,
    /// Digits of the quadrature rule.
    pub quadrature: QuadratureRule,
    /// The law and its constants.
    pub material: &'a MaterialSpec,
    /// The law of each element where its constants vary; empty where all have `material`.
    pub laws: &'a [MaterialSpec],
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// True if the law counts without its part of the volume alone.
    pub without_bulk: bool,
    /// Axes of the material of each element at rest, columns: fibres along the first, sheets along the
    /// second. Empty where they are those of space.
    pub axes: &'a [Mat3],
    /// The same at each quadrature point, those of an element side by side; empty where elements have one
    /// each.
    pub axes_at_points: &'a [Mat3],
    /// Index of each element in its mesh.
    pub elements: &'a [u32],
    /// Rows of the nodes, `kind.node_count()` an element.
    pub rows: &'a [u32],
}

/// Muscles in tissue as data: where they are, which does not change, and how active they are in a step.
pub trait TissueMuscles: Send + Sync {
    /// Number of bundles.
    fn bundle_count(&self) -> usize;

    /// Elements of all bundles that are switched on.
    fn batches(&self) -> Vec<BundleBatch>;

    /// Drive of a bundle `step` [s] after the memory of a state, under the loads of a time [s].
    fn drive(&self, bundle: usize, after: (&[f64], f64), time: f64) -> BundleDrive;

    /// Brings the memory of a state up to date after a step [s] that ends at a time [s].
    fn advance(&self, memory: &mut Vec<f64>, step: f64, end: f64);
}

impl fmt::Debug for dyn TissueMuscles + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} muscles in tissue", self.bundle_count())
    }
}

/// Activity of a bundle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BundleDrive {
    /// Activation of its fibres [-].
    pub activation: f64,
    /// Share of the stiffness of the tissue around them that they add [-].
    pub share: f64,
}

/// Part of a bundle in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundlePart {
    /// Its fibres: stress by their activation.
    Fibres,
    /// The tissue around them, without its part of the volume alone: stress by the bundle's share.
    Around,
}

/// Elements of one kind that a bundle has fibres in, or stiffens.
#[derive(Clone, Debug)]
pub struct BundleBatch {
    /// Number of the bundle.
    pub bundle: usize,
    /// Its fibres, or the tissue around them.
    pub part: BundlePart,
    /// Name of the tissue.
    pub fem: String,
    /// Kind of the elements.
    pub kind: ElementKind,
    /// Digits of the quadrature rule.
    pub quadrature: QuadratureRule,
    /// The law of each element; one for all where they are alike.
    pub laws: Vec<MaterialSpec>,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Axes of the fibres, or of the material, of each element at rest.
    pub axes: Vec<Mat3>,
    /// The same at each quadrature point, as [`TissueBatch::axes_at_points`] has them.
    pub axes_at_points: Vec<Mat3>,
    /// Index of each element in its mesh.
    pub elements: Vec<u32>,
    /// Rows of the nodes, `kind.node_count()` an element.
    pub rows: Vec<u32>,
}

impl BundleBatch {
    /// The batch as if it were tissue of its own.
    pub fn tissue(&self) -> TissueBatch<'_> {
        TissueBatch {
            fem: &self.fem,
            kind: self.kind,
            quadrature: self.quadrature,
            material: &self.laws[0],
            laws: if self.laws.len() > 1 { &self.laws } else { &[] },
            stiffness_damping: self.stiffness_damping,
            without_bulk: self.part == BundlePart::Around,
            axes: &self.axes,
            axes_at_points: &self.axes_at_points,
            elements: &self.elements,
            rows: &self.rows,
        }
    }
}
