//! Vectors of constraint rows by block row, with attached points replaced by their masters.

use super::Multibody;
use crate::Vec3;
use crate::attachment::{Attachments, RowReduction};
use crate::linalg::kkt::ConstraintPattern;

/// Vectors of rows as they are, and reduced.
pub(super) struct RowVectors {
    pub(super) pattern: ConstraintPattern,
    pub(super) values: Vec<Vec3>,
    reduction: RowReduction,
    reduced: Vec<Vec3>,
}

impl RowVectors {
    /// Zeros, for rows with these lists of block rows in a system of `size`.
    pub(super) fn new(lists: &[Vec<u32>], size: usize, multibody: &Multibody) -> Self {
        let pattern = ConstraintPattern::from_lists(lists, size);
        let pattern = pattern.expect("bases are block rows");
        let reduction = RowReduction::new(&pattern, &multibody.attachments.resolved);
        Self {
            values: vec![Vec3::zeros(); pattern.entry_count()],
            reduced: vec![Vec3::zeros(); reduction.pattern().entry_count()],
            pattern,
            reduction,
        }
    }

    /// Vectors of a row as they are, to be set.
    pub(super) fn of_carriers_mut(&mut self, row: usize) -> &mut [Vec3] {
        &mut self.values[self.pattern.entries(row)]
    }

    /// Hands those of attached points to their masters.
    pub(super) fn reduce(&mut self, attachments: &Attachments) {
        self.reduction.reduce(attachments, &self.values, &mut self.reduced);
    }

    /// Block rows of all reduced rows.
    pub(super) fn blocks(&self) -> &[u32] {
        self.reduction.pattern().blocks()
    }

    /// Reduced vectors of a row by block row.
    pub(super) fn of(&self, row: usize) -> impl Iterator<Item = (u32, Vec3)> {
        let pattern = self.reduction.pattern();
        pattern.entries(row).map(|entry| (pattern.blocks()[entry], self.reduced[entry]))
    }

    /// Rate of a row at velocities by block row.
    pub(super) fn velocity(&self, row: usize, u: &[Vec3]) -> f64 {
        self.reduction.pattern().velocity(row, &self.reduced, u)
    }

    /// Adds impulses on the rows to those of block rows.
    pub(super) fn push(&self, impulses: &[f64], on: &mut [Vec3]) {
        self.reduction.pattern().add_transposed(&self.reduced, impulses, on);
    }
}
