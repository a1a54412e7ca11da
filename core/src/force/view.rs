//! Data of a force effector, for a backend that computes forces by itself. The CPU path does not
//! look at it.

use std::fmt;

use crate::fem::{ElementKind, QuadratureRule};
use crate::material::{
    Bulk, MOST_TERMS, MaterialSpec, PronyStress, PronyTerm, StepWeights, present_weights,
};
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
    /// Forces on some rows alone, those of [`ForceEffector::visit_rows`](super::ForceEffector::visit_rows), by what a person calls
    /// them ("springs"): a backend may take them from the CPU, as [`BorderForces`](crate::system::BorderForces).
    Border(&'static str),
    /// Anything else, by what a person calls it ("materials by the user's own law").
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
    /// Displacement gradient from the shape without stress, A - I, that growth and prestrain leave at each quadrature
    /// point at rest [-], those of an element side by side; empty where elements are free of stress there.
    pub offsets: &'a [Mat3],
    /// The same at the centre of each element.
    pub centre_offsets: &'a [Mat3],
    /// Relaxation of the stress of the law; `None` of elastic tissue.
    pub relaxation: Option<Relaxation<'a>>,
    /// Pressures in place of the law's part of the volume alone; `None` where the law counts with that.
    pub pressures: Option<TissuePressures<'a>>,
    /// Index of each element in its mesh.
    pub elements: &'a [u32],
    /// Rows of the nodes, `kind.node_count()` an element.
    pub rows: &'a [u32],
}

/// Pressures of a batch that looks at its volume elsewhere than at its quadrature points. What it resists with is
/// [`MaterialSpec::bulk`] of the law of each element, or a mean of those.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TissuePressures<'a> {
    /// Of each element.
    Elements(ElementPressures<'a>),
    /// Of the centre of each element, which stands for all of its volume.
    Centres,
    /// Of each node of the batch, by rising row.
    Nodes(&'a [NodeVolume]),
}

/// Volume around a node: the sum of N V J over the points of the elements at it, N being its shape function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeVolume {
    /// Row of the node.
    pub row: u32,
    /// Volume in the shape without stress [m³].
    pub volume: f64,
    /// Mean potential of the elements at it, by their volumes.
    pub bulk: Bulk<f64>,
}

/// Volume of the elements of a batch, projected in each on a few modes: with values q_pk of mode k at point p, the projection
/// of x is the sum over k of q_pk times the sum over s of V_s q_sk x_s, V being volumes of points in the shape without stress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementPressures<'a> {
    /// Modes of an element: 1 or 4.
    pub count: usize,
    /// Their values at each quadrature point, those of an element side by side [m^(-3/2)]; the first `count` of each count.
    pub modes: &'a [[f64; 4]],
}

/// Relaxation of the stresses of a batch by a Prony series, and where a state remembers them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation<'a> {
    /// Terms of the series.
    pub terms: &'a [PronyTerm],
    /// Share of the stress of the law that is left in the long run [-].
    pub long_term: f64,
    /// Stress that relaxes; laws that are linear in a frame relax in that frame, whichever it is.
    pub stress: PronyStress,
    /// Index of its first number in the memory of a state. A point of an element has the stress of the law [Pa], then the
    /// delayed one of each term, of six numbers each: xx, yy, zz, xy, yz, xz.
    pub first: usize,
}

impl Relaxation<'_> {
    /// Stresses that a point remembers.
    pub fn stress_count(&self) -> usize {
        1 + self.terms.len()
    }

    /// Stress of a point `step` [s] after its memory was brought up to date: the multiple of the present stress of the law
    /// \[-\], and the weights of what is remembered, of which the first [`Self::stress_count`] count.
    pub fn weights_after(&self, step: f64) -> (f64, [f64; MOST_TERMS + 1]) {
        present_weights(self.terms, self.long_term, step)
    }

    /// Weights of the stress of the law at the end of a step [s], of that at its start and of the delayed one there, in the
    /// delayed one at the end, term by term [-].
    pub fn delayed_after(&self, step: f64) -> impl Iterator<Item = [f64; 3]> {
        self.terms.iter().map(move |term| StepWeights::after(step / term.time).delayed())
    }
}

/// Muscles in tissue as data: where they are, which does not change, and how active they are in a step.
pub trait TissueMuscles: Send + Sync {
    /// Number of bundles.
    fn bundle_count(&self) -> usize;

    /// Elements of all bundles that are switched on.
    fn batches(&self) -> Vec<BundleBatch>;

    /// Drive of a bundle `step` [s] after the memory of a state, under the loads of a time [s].
    fn drive(&self, bundle: usize, after: (&[f64], f64), time: f64) -> BundleDrive;
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
    /// Deformation at rest at each quadrature point, as [`TissueBatch::offsets`] has it.
    pub offsets: Vec<Mat3>,
    /// The same at the centre of each element.
    pub centre_offsets: Vec<Mat3>,
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
            offsets: &self.offsets,
            centre_offsets: &self.centre_offsets,
            // Fibres and what they stiffen act at once.
            relaxation: None,
            // Those are the tissue's own.
            pressures: None,
            elements: &self.elements,
            rows: &self.rows,
        }
    }
}
