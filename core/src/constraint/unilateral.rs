//! Rows that push one way: ends of ranges of coordinates, and points on one side of planes.

use super::{Placement, ProductRows, Softness};
use crate::Vec3;

/// What a unilateral row is, beside its value.
#[derive(Clone, Debug, PartialEq)]
pub struct UnilateralSettings {
    /// Path of its component.
    pub name: String,
    /// Give of the row.
    pub softness: Softness,
    /// Rate at which it opens after an impact over that before [-].
    pub restitution: f64,
}

/// Rows whose gap must not be negative.
#[derive(Clone, Default)]
pub struct UnilateralRows {
    rows: ProductRows,
    settings: Vec<UnilateralSettings>,
}

impl UnilateralRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.settings.len()
    }

    /// The block rows of every row.
    pub fn lists(&self) -> &[Vec<u32>] {
        self.rows.lists()
    }

    /// Gap of a row.
    pub fn gap(&self, row: usize, at: Placement) -> f64 {
        self.rows.value(row, at)
    }

    /// Vectors of the entries of a row.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        self.rows.coefficients(row, at, values);
    }

    /// Give of a row.
    pub fn softness(&self, row: usize) -> Softness {
        self.settings[row].softness
    }

    /// Rate at which a row opens after an impact over that before [-].
    pub fn restitution(&self, row: usize) -> f64 {
        self.settings[row].restitution
    }

    /// What a row belongs to.
    pub fn name(&self, row: usize) -> &str {
        &self.settings[row].name
    }
}
