//! Data of a force effector, for a backend that computes forces by itself. The CPU path does not
//! look at it.

use crate::fem::{ElementKind, QuadratureRule};
use crate::material::MaterialSpec;
use crate::state::Schedule;
use crate::{Mat3, Vec3};

/// A force effector as data. Rows are those of the compiled system.
#[derive(Clone, Copy, Debug)]
pub enum EffectorView<'a> {
    /// Elements of one kind and one material.
    Tissue(TissueBatch<'a>),
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
    /// Axes of the material of each element at rest, columns: fibres along the first, sheets along the
    /// second. Empty where they are those of space.
    pub axes: &'a [Mat3],
    /// Activation of the fibres [-], of a batch that is a muscle.
    pub activation: f64,
    /// Index of each element in its mesh.
    pub elements: &'a [u32],
    /// Rows of the nodes, `kind.node_count()` an element.
    pub rows: &'a [u32],
}
