//! The rows of a step with their impulses: limits, velocities above targets, what they push.

use crate::Vec3;
use crate::lcp::{Bound, Place};
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::ConstraintPattern;
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::IMPACT;
use crate::solve::constrained::unilateral::{Origin, Row};
use crate::system::MechSystem;

/// Rows, the vectors along which they act, and their impulses.
pub(in crate::solve) struct RowSet {
    pub(super) rows: Vec<Row>,
    pub(super) bounds: Vec<Bound>,
    pub(super) pattern: ConstraintPattern,
    /// Vectors of the rows, and the same with those of rotations in the frame half way.
    pub(super) values: Vec<Vec3>,
    pub(super) half: Vec<Vec3>,
    /// Work space of one row.
    pub(super) vectors: Vec<Vec3>,
    /// Impulses times the weight of the end of the step, and those before an iteration.
    pub(super) impulses: Vec<f64>,
    pub(super) before: Vec<f64>,
    pub(super) places: Vec<Place>,
    /// Response of each row to its own impulse.
    pub(super) own: Vec<f64>,
    /// Bodies that a row of this step acts on.
    pub(super) touched: Vec<bool>,
}

impl RowSet {
    /// No rows, of so many bodies.
    pub(in crate::solve) fn new(bodies: usize) -> Self {
        Self {
            rows: Vec::new(),
            bounds: Vec::new(),
            pattern: ConstraintPattern::default(),
            values: Vec::new(),
            half: Vec::new(),
            vectors: Vec::new(),
            impulses: Vec::new(),
            before: Vec::new(),
            places: Vec::new(),
            own: Vec::new(),
            touched: vec![false; bodies],
        }
    }

    /// Velocity of a row above its target with the correction of `own`.
    pub(in crate::solve) fn room(&self, row: usize, parts: &Parts) -> f64 {
        let half = self.pattern.velocity(row, &self.half, &parts.linear.step);
        let velocity = self.pattern.velocity(row, &self.values, &parts.trial.y) + half;
        velocity - self.rows[row].target + self.rows[row].compliance * self.impulses[row]
    }

    /// Response of each row to its own impulse, by the diagonal of the matrix alone.
    pub(in crate::solve) fn estimate_response(
        &mut self,
        matrix: &BlockMatrix,
        system: &dyn MechSystem,
        masses: &[Vec3],
    ) {
        self.own.clear();
        for row in 0..self.count() {
            let share = |entry: usize| {
                let block = self.pattern.blocks()[entry] as usize;
                let diagonal = matrix.block(system.pattern().diagonal(block)).diagonal().abs();
                let vector = self.values[entry];
                (0..3)
                    .map(|axis| vector[axis].powi(2) / diagonal[axis].max(masses[block][axis]))
                    .sum::<f64>()
            };
            let sum: f64 = self.pattern.entries(row).map(share).sum();
            self.own.push(if sum > 0.0 { sum } else { 1.0 });
        }
    }

    pub(in crate::solve) fn exchange(&mut self, row: usize, [lower, upper]: [f64; 2]) {
        self.places[row] = match self.places[row] {
            Place::Basic if self.impulses[row] > upper => Place::Upper,
            Place::Basic if self.impulses[row] < lower => Place::Lower,
            Place::Basic => Place::Basic,
            Place::Lower | Place::Upper => Place::Basic,
        };
    }

    /// Least and largest impulse of a row.
    pub(in crate::solve) fn limits(&self, row: usize) -> [f64; 2] {
        match self.bounds[row] {
            Bound::Unilateral => [0.0, f64::INFINITY],
            Bound::Bilateral => [f64::NEG_INFINITY, f64::INFINITY],
            Bound::Range { lower, upper } => [lower, upper],
            Bound::Friction { normal, coefficient, .. } => {
                friction_limits(coefficient, self.impulses[normal])
            }
        }
    }

    /// Takes the impulses off what is left of the momentum balance.
    pub(in crate::solve) fn push(&self, residual: &mut [Vec3], lengths: &[f64], scale: &mut f64) {
        for (row, &impulse) in self.impulses.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            for entry in self.pattern.entries(row) {
                let block = self.pattern.blocks()[entry] as usize;
                let push = self.values[entry] * impulse;
                residual[block] -= push;
                *scale = scale.max(push.norm() / lengths[block]);
            }
        }
    }

    /// Number of rows.
    pub(in crate::solve) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Whether a row of this step acts on the rotation of a body.
    pub(in crate::solve) fn touches(&self, body: usize) -> bool {
        self.touched[body]
    }

    /// Whether a active row was approached by more than [`IMPACT`] in a step of `h`.
    pub(in crate::solve) fn impact(&self, h: f64) -> bool {
        let carries = |(row, z): (&Row, &f64)| {
            let struck = *z > 0.0 && row.before * h < -IMPACT;
            // A soft row gives back what it takes.
            struck
                && row.compliance == 0.0
                && !matches!(row.origin, Origin::Tangent(_) | Origin::Rolling)
        };
        self.rows.iter().zip(&self.impulses).any(carries)
    }
}

/// Least and largest impulse of friction by the impulse along the normal, mu z_n.
pub(super) fn friction_limits(coefficient: f64, normal: f64) -> [f64; 2] {
    let most = coefficient * normal.max(0.0);
    [-most, most]
}
