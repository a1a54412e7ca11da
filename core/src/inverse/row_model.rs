//! Contacts and ends of ranges of a step beneath the program of excitations: which of them push follows from the
//! excitations by complementarity, 0 <= z, 0 <= w, z w = 0. On each set of those that push, a piece, impulses are affine in
//! the excitations (docs/theory/inverse.md, "Sets that change").

use nalgebra::{DMatrix, DVector};

use super::terms::LinearConstraint;
use crate::mixed::{REGULARIZATION, RowState};
use crate::solve::{RowResponse, StepResponse};

/// Impulses and velocities below this share of the largest are none [-].
const SLACK: f64 = 1e-9;
/// Pivots of all rows that violate their conditions, before those of one at a time.
const WHOLE_PIVOTS: usize = 10;

/// Rows of a step that may push, and how they answer to excitations and to each other.
pub(super) struct RowModel {
    /// Number of excitations.
    excited: usize,
    rows: Vec<ModelRow>,
    /// Velocities by unit impulses on the rows, with compliances [1/kg].
    matrix: DMatrix<f64>,
    /// Velocities by the excitations while all impulses stay [m/s], one row each.
    rates: DMatrix<f64>,
    /// Changes of impulses by the excitations on the set of now [N s].
    pub(super) present_by: DMatrix<f64>,
    /// Least impulse [N s] and velocity [m/s] that count.
    slack: [f64; 2],
}

/// A row that may push.
#[derive(Clone, Copy, Debug)]
struct ModelRow {
    /// Place of the normal that it rubs at, or its own.
    normal: usize,
    /// True if it takes part in the choice of sets, rather than following its normal.
    chooses: bool,
    is_active: bool,
    /// Impulse and velocity above the target with the excitations of now.
    impulse: f64,
    excess: f64,
}

/// Impulses on one set: those of now, `constant` and `by` times the change of the excitations.
pub(super) struct SetResponse {
    pub(super) set: Vec<bool>,
    pub(super) by: DMatrix<f64>,
    pub(super) constant: DVector<f64>,
    /// Velocities above their targets in the same form.
    excess_by: DMatrix<f64>,
    excess: DVector<f64>,
}

/// True if rows that push would pull, or others would be passed through, after a change of the excitations on the set of now.
pub(super) fn leaves_set(response: &StepResponse, change: &[f64]) -> bool {
    let count = response.rows.len();
    let sum = |columns: &[f64], row: usize| -> f64 {
        change.iter().enumerate().map(|(k, by)| columns[k * count + row] * by).sum()
    };
    let largest = |of: fn(&RowState) -> f64| {
        response.rows.iter().map(|row| of(row).abs()).fold(0.0, f64::max)
    };
    let [pull, through] =
        [largest(|row| row.impulse), largest(|row| row.excess)].map(|it| it * SLACK);
    response.rows.iter().enumerate().filter(|(_, row)| row.only_pushes).any(|(k, row)| {
        match row.is_active {
            true => row.impulse + sum(&response.pushes, k) < -pull,
            false => row.excess + sum(&response.rates, k) < -through,
        }
    })
}

impl RowModel {
    /// Of a step by its responses to excitations on the set of now, and to impulses on the rows.
    pub(super) fn new(response: &StepResponse, by_rows: &RowResponse, excited: usize) -> Self {
        let (pushed, count) = (&by_rows.pushed, response.rows.len());
        let place = |row: usize| pushed.binary_search(&row).ok();
        let row = |(at, &number): (usize, &usize)| {
            let state = &response.rows[number];
            let normal = place(state.normal).unwrap_or(at);
            ModelRow {
                normal,
                chooses: state.only_pushes,
                is_active: state.is_active,
                impulse: state.impulse,
                excess: if state.is_active { 0.0 } else { state.excess },
            }
        };
        let rows: Vec<ModelRow> = pushed.iter().enumerate().map(row).collect();
        let size = rows.len();
        let plain =
            DMatrix::from_fn(size, size, |i, j| by_rows.response.rates[j * count + pushed[i]]);
        let present_by = DMatrix::from_fn(size, excited, |j, k| match rows[j].is_active {
            true => response.pushes[k * count + pushed[j]],
            false => 0.0,
        });
        let rates = DMatrix::from_fn(size, excited, |i, k| response.rates[k * count + pushed[i]]);
        let rates = rates - &plain * &present_by;
        let mut matrix = plain;
        for (i, &number) in pushed.iter().enumerate() {
            let own = matrix[(i, i)];
            matrix[(i, i)] += REGULARIZATION * own.abs() + response.rows[number].compliance;
        }
        let impulse = rows.iter().map(|row| row.impulse.abs()).fold(present_by.amax(), f64::max);
        let excess = rows.iter().map(|row| row.excess.abs()).fold(rates.amax(), f64::max);
        let slack = [SLACK * impulse, SLACK * excess];
        Self { excited, rows, matrix, rates, present_by, slack }
    }

    /// The set of now.
    pub(super) fn present(&self) -> Vec<bool> {
        self.rows.iter().map(|row| row.is_active).collect()
    }

    /// The set in which all that may push does, or nothing.
    pub(super) fn all(&self, pushes: bool) -> Vec<bool> {
        self.followed(self.rows.iter().map(|row| pushes || !row.chooses).collect())
    }

    /// The set with what follows normals: friction that sticks is gone where they do not push.
    fn followed(&self, mut set: Vec<bool>) -> Vec<bool> {
        for (at, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.chooses) {
            set[at] = row.is_active && (row.normal == at || set[row.normal]);
        }
        set
    }

    /// Impulses on a set; `None` where its rows contradict each other.
    pub(super) fn piece(&self, set: Vec<bool>) -> Option<SetResponse> {
        let size = self.rows.len();
        let closed: Vec<usize> = (0..size).filter(|&at| set[at]).collect();
        let mut constant = DVector::from_fn(size, |at, _| match set[at] {
            true => 0.0,
            false => -self.rows[at].impulse,
        });
        let now = DVector::from_fn(size, |at, _| self.rows[at].excess) + &self.matrix * &constant;
        let mut by = DMatrix::zeros(size, self.excited);
        if !closed.is_empty() {
            let factor = self.matrix.select_rows(&closed).select_columns(&closed).lu();
            let change = factor.solve(&-self.rates.select_rows(&closed))?;
            let shift = factor.solve(&-now.select_rows(&closed))?;
            for (place, &at) in closed.iter().enumerate() {
                by.set_row(at, &change.row(place));
                constant[at] = shift[place];
            }
        }
        let excess_by = &self.rates + &self.matrix * &by;
        let excess =
            DVector::from_fn(size, |at, _| self.rows[at].excess) + &self.matrix * &constant;
        let finite = by.iter().chain(constant.iter()).all(|it| it.is_finite());
        finite.then_some(SetResponse { set, by, constant, excess_by, excess })
    }

    /// The set that a change of the excitations brings, from `start` on; `None` where none is found.
    pub(super) fn settle(&self, start: Vec<bool>, change: &[f64]) -> Option<SetResponse> {
        let change = DVector::from_column_slice(change);
        let mut set = self.followed(start);
        for pivot in 0..WHOLE_PIVOTS + 8 * self.rows.len() {
            let piece = self.piece(set)?;
            let wrong = |&at: &usize| self.left(&piece, at, &change) < 0.0;
            let mut wrong = (0..self.rows.len()).filter(|&at| self.rows[at].chooses).filter(wrong);
            let first = wrong.next();
            let Some(first) = first else { return Some(piece) };
            let others: Vec<usize> = wrong.collect();
            set = piece.set.clone();
            set[first] = !set[first];
            if pivot < WHOLE_PIVOTS {
                others.into_iter().for_each(|at| set[at] = !set[at]);
            }
            set = self.followed(set);
        }
        None
    }

    /// Impulse of a row that pushes, velocity above the target of another, with their slack.
    fn left(&self, piece: &SetResponse, at: usize, change: &DVector<f64>) -> f64 {
        let [impulse, excess] = self.slack;
        match piece.set[at] {
            true => {
                let push = self.rows[at].impulse + piece.constant[at];
                push + piece.by.row(at).tr_dot(change) + impulse
            }
            false => piece.excess[at] + piece.excess_by.row(at).tr_dot(change) + excess,
        }
    }

    /// Conditions under which a piece is the one that the excitations bring, about those of `now`; `None` where nothing brings it.
    pub(super) fn conditions(
        &self,
        piece: &SetResponse,
        now: &[f64],
    ) -> Option<Vec<LinearConstraint>> {
        let none = DVector::zeros(self.excited);
        let mut conditions = Vec::new();
        for at in (0..self.rows.len()).filter(|&at| self.rows[at].chooses) {
            let (by, slack) = match piece.set[at] {
                true => (piece.by.row(at), self.slack[0]),
                false => (piece.excess_by.row(at), self.slack[1]),
            };
            let (left, largest) = (self.left(piece, at, &none), by.amax());
            if largest <= slack {
                if left < 0.0 {
                    return None;
                }
                continue;
            }
            let coefficients: Vec<f64> = by.iter().map(|it| it / largest).collect();
            let about: f64 = coefficients.iter().zip(now).map(|(c, a)| c * a).sum();
            let (lower, upper) = (about - left / largest, f64::INFINITY);
            conditions.push(LinearConstraint { coefficients, lower, upper });
        }
        Some(conditions)
    }

    /// The neighbour of a piece across the conditions that a change of the excitations meets; `None` where it meets none.
    pub(super) fn beyond(&self, piece: &SetResponse, change: &[f64]) -> Option<Vec<bool>> {
        let change = DVector::from_column_slice(change);
        let mut set = piece.set.clone();
        let mut any = false;
        for at in (0..self.rows.len()).filter(|&at| self.rows[at].chooses) {
            let slack = if piece.set[at] { self.slack[0] } else { self.slack[1] };
            if self.left(piece, at, &change) <= 1e3 * slack {
                set[at] = !set[at];
                any = true;
            }
        }
        any.then(|| self.followed(set))
    }
}
