//! The basic block of a symmetric matrix: which variables are basic, in which order, and the Cholesky
//! factor of their rows and columns.

use super::factor::Factor;
use super::scaled::Scaled;
use super::vector::dot;

/// A row depends on the basic ones where its Schur complement, v.M v with v_s = 1, is below this part
/// of v.v: it is what the rounding of M, with a diagonal near 1, leaves of zero. It grows with the
/// number of terms.
fn dependent(variables: usize) -> f64 {
    1e-12 + 16.0 * f64::EPSILON * variables as f64
}

/// A Schur complement above this is not small beside any v.v that a factor can have been made with.
const LARGE: f64 = 1e-4;

/// Below minus this part of v.v, v.M v is negative curvature and no rounding.
const INDEFINITE: f64 = 1e-8;

/// Not basic.
const OUT: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    factor: Factor,
    /// The basic variables, as the factor has them.
    order: Vec<u32>,
    /// The place of each variable in `order`.
    slot: Vec<u32>,
    /// U^-T times the column that `calc_schur` was asked for.
    column: Vec<f64>,
    direction: Vec<f64>,
}

/// Schur complement of the diagonal of a row beside the basic ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Schur {
    Positive(f64),
    /// Zero but for rounding.
    Dependent,
    Indefinite,
}

impl Basis {
    /// Empties the basis of a problem of `n` variables.
    pub(super) fn reset(&mut self, n: usize) {
        self.factor.reset(n);
        self.order.clear();
        self.order.reserve(n);
        self.slot.clear();
        self.slot.resize(n, OUT);
        self.column.clear();
        self.column.reserve(n);
        self.direction.clear();
        self.direction.reserve(n);
    }

    pub(super) fn len(&self) -> usize {
        self.factor.len()
    }

    /// The basic variables in the order of vectors that `solve` takes.
    pub(super) fn order(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|&i| i as usize)
    }

    pub(super) fn variable(&self, slot: usize) -> usize {
        self.order[slot] as usize
    }

    pub(super) fn slot(&self, variable: usize) -> usize {
        self.slot[variable] as usize
    }

    pub(super) fn contains(&self, variable: usize) -> bool {
        self.slot[variable] != OUT
    }

    /// M_ss - M_sB M_BB^-1 M_Bs of a variable that is not basic. Its column is kept for `append` and
    /// `calc_direction`.
    pub(super) fn calc_schur(&mut self, problem: &Scaled, s: usize) -> Schur {
        let row = problem.row(s);
        self.column.clear();
        self.column.extend(self.order.iter().map(|&j| row[j as usize]));
        self.factor.solve_transposed(&mut self.column);
        let schur = row[s] - dot(&self.column, &self.column);
        if schur > LARGE {
            return Schur::Positive(schur);
        }
        let mut direction = std::mem::take(&mut self.direction);
        self.calc_direction(&mut direction);
        let square = 1.0 + dot(&direction, &direction);
        self.direction = direction;
        if schur > dependent(problem.len()) * square {
            Schur::Positive(schur)
        } else if schur > -INDEFINITE * square {
            Schur::Dependent
        } else {
            Schur::Indefinite
        }
    }

    /// Makes a variable basic, unless its row depends on the basic ones; whether it did.
    pub(super) fn try_append(&mut self, problem: &Scaled, variable: usize) -> bool {
        let Schur::Positive(schur) = self.calc_schur(problem, variable) else { return false };
        self.append(variable, schur);
        true
    }

    /// -M_BB^-1 M_Bs: how basic variables move with the variable of the last `calc_schur`.
    pub(super) fn calc_direction(&self, direction: &mut Vec<f64>) {
        direction.clear();
        direction.extend(self.column.iter().map(|v| -v));
        self.factor.solve_upper(direction);
    }

    /// Makes the variable of the last `calc_schur` basic.
    pub(super) fn append(&mut self, variable: usize, schur: f64) {
        self.slot[variable] = self.order.len() as u32;
        self.order.push(variable as u32);
        self.factor.append(&self.column, schur);
    }

    pub(super) fn remove(&mut self, variable: usize) {
        let gone = self.slot(variable);
        self.slot[variable] = OUT;
        self.order.remove(gone);
        for &later in &self.order[gone..] {
            self.slot[later as usize] -= 1;
        }
        self.factor.remove(gone);
    }

    /// x = M_BB^-1 x.
    pub(super) fn solve(&self, x: &mut [f64]) {
        self.factor.solve_transposed(x);
        self.factor.solve_upper(x);
    }
}
