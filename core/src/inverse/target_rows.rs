//! The numbers of the targets in a step as rows of the program: weights, what is missing, responses to the excitations.

use nalgebra::DMatrix;

use super::row_model::{RowModel, SetResponse};

/// One row a number of a target.
#[derive(Clone, Default)]
pub(super) struct TargetRows {
    /// Number of excitations.
    pub(super) excited: usize,
    pub(super) weights: Vec<f64>,
    /// Asked for less what the step with the excitations of now brings.
    pub(super) missing: Vec<f64>,
    /// Changes by the excitations, row after row.
    pub(super) responses: Vec<f64>,
    /// Changes that another set of contacts brings without a change of the excitations.
    pub(super) shifts: Vec<f64>,
}

impl TargetRows {
    /// No rows yet.
    pub(super) fn begin(&mut self, excited: usize) {
        self.excited = excited;
        self.weights.clear();
        self.missing.clear();
        self.responses.clear();
        self.shifts.clear();
    }

    /// Adds a row, whose responses come next.
    pub(super) fn add(&mut self, weight: f64, missing: f64) {
        self.weights.push(weight);
        self.missing.push(missing);
        self.shifts.push(0.0);
    }

    /// Number of rows.
    pub(super) fn count(&self) -> usize {
        self.weights.len()
    }

    /// Responses of a row.
    pub(super) fn response(&self, row: usize) -> &[f64] {
        &self.responses[row * self.excited..(row + 1) * self.excited]
    }

    /// Change of a row by a change of the excitations.
    pub(super) fn change(&self, row: usize, by: impl Iterator<Item = f64>) -> f64 {
        let linear: f64 =
            self.response(row).iter().zip(by).map(|(response, by)| response * by).sum();
        linear + self.shifts[row]
    }

    /// Largest weighted square of the responses to one excitation.
    pub(super) fn largest(&self) -> f64 {
        let square = |k: usize| -> f64 {
            (0..self.count()).map(|row| self.weights[row] * self.response(row)[k].powi(2)).sum()
        };
        (0..self.excited).map(square).fold(0.0, f64::max)
    }

    /// The rows on another set of contacts, by their responses `by_rows` to impulses on the rows of `model`.
    pub(super) fn on(&self, model: &RowModel, piece: &SetResponse, by_rows: &DMatrix<f64>) -> Self {
        let responses = by_rows * (&piece.by - &model.present_by);
        let shifts = by_rows * &piece.constant;
        let mut own = self.clone();
        for row in 0..self.count() {
            own.missing[row] -= shifts[row];
            own.shifts[row] = shifts[row];
            for k in 0..self.excited {
                own.responses[row * self.excited + k] += responses[(row, k)];
            }
        }
        own
    }
}
