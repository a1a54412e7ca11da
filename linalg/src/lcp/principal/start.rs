//! Start of principal pivoting, the correction of its rounding, and its proof of infeasibility.

use super::Principal;
use crate::lcp::ActiveSetStatus;
use crate::lcp::scaled::Scaled;
use crate::lcp::symmetric::{rest, tolerance};
use crate::lcp::vector::{add_scaled, dot, largest};

/// A diagonal entry of this size is taken as a pivot at the start: smaller ones would amplify the
/// rounding of the tableau beyond what refinement takes back.
const SAFE: f64 = 1e-6;

/// Entries of a proof of infeasibility below this part of the largest are rounding.
const NOISE: f64 = 1e-10;

impl Principal {
    /// Takes the matrix and the places, and pivots in what was basic.
    pub(in crate::lcp) fn start(&mut self, problem: &Scaled, statuses: &[ActiveSetStatus]) {
        self.pivots = 0;
        self.statuses.clear();
        self.statuses.extend_from_slice(statuses);
        self.renew(problem);
    }

    /// Makes the tableau anew for the present places, without the rounding of the pivots before.
    pub(super) fn renew(&mut self, problem: &Scaled) {
        let n = problem.len();
        (self.is_fresh, self.zero_steps) = (true, 0);
        for values in [&mut self.z, &mut self.w] {
            values.clear();
            values.resize(n, 0.0);
        }
        for flags in [&mut self.basic, &mut self.ignored] {
            flags.clear();
            flags.resize(n, false);
        }
        for labels in [&mut self.row_of, &mut self.column_of] {
            labels.clear();
            labels.extend(0..n as u32);
        }
        self.tableau.reset(n, (0..n).map(|i| problem.row(i)));
        while self.pivot_wanted(problem) {}
        for i in (0..n).filter(|&i| !self.basic[i]) {
            (self.statuses[i], self.z[i]) = rest(problem, i, self.statuses[i]);
        }
        self.refine(problem);
    }

    /// Pivots in what was basic where the diagonal allows it; whether there was any. Others may
    /// become possible by it.
    fn pivot_wanted(&mut self, problem: &Scaled) -> bool {
        let mut found = false;
        for i in 0..problem.len() {
            let fixed = problem.lower[i] == problem.upper[i];
            let wanted = self.statuses[i] == ActiveSetStatus::Basic && !self.basic[i] && !fixed;
            if wanted && self.tableau.entry(i, i).abs() > SAFE {
                self.pivot_at(i);
                found = true;
            }
        }
        found
    }

    /// The entry that `pivot_at` pivots on.
    pub(in crate::lcp) fn diagonal(&self, i: usize) -> f64 {
        self.tableau.entry(self.row_of[i] as usize, self.column_of[i] as usize)
    }

    /// Pivots on the diagonal of an index; its place follows from where z_i is.
    pub(in crate::lcp) fn pivot_at(&mut self, i: usize) {
        self.pivot_pair(i, i);
        self.basic[i] = !self.basic[i];
        if self.basic[i] {
            self.statuses[i] = ActiveSetStatus::Basic;
        }
    }

    /// Exchanges the basic variable of one index with the complement of another; labels are left.
    pub(super) fn pivot_pair(&mut self, basic: usize, other: usize) {
        let place = (self.row_of[basic] as usize, self.column_of[other] as usize);
        self.tableau.read_row(place.0, &mut self.row);
        self.tableau.read_column(place.1, &mut self.column);
        self.tableau.pivot(place, &self.row, &self.column);
    }

    /// Corrects basic z by what w they leave, twice, and computes w anew.
    pub(in crate::lcp) fn refine(&mut self, problem: &Scaled) {
        self.tableau.apply();
        problem.calc_w(&self.z, &mut self.w);
        for _ in 0..2 {
            self.column.clear();
            self.column.resize(self.z.len(), 0.0);
            for i in (0..self.z.len()).filter(|&i| self.basic[i]) {
                self.column[self.column_of[i] as usize] = -self.w[i];
            }
            for i in (0..self.z.len()).filter(|&i| self.basic[i]) {
                let row = self.tableau.applied_row(self.row_of[i] as usize);
                self.z[i] += dot(row, &self.column);
            }
            problem.calc_w(&self.z, &mut self.w);
        }
        self.size = problem.size(&self.z);
        self.tolerance = tolerance(problem.len()) * self.size;
        for i in (0..self.z.len()).filter(|&i| self.basic[i]) {
            let nearest = problem.clamp(i, self.z[i]);
            if (nearest - self.z[i]).abs() <= self.tolerance {
                self.z[i] = nearest;
            }
        }
    }

    /// The combination of rows that is w of the driven index, as a vector of which no z can make the
    /// product with w large enough; whether it is one.
    pub(super) fn certify(&mut self, problem: &Scaled, driven: usize, out: &mut Vec<f64>) -> bool {
        let sign = if self.w[driven] < 0.0 { 1.0 } else { -1.0 };
        self.tableau.read_row(self.row_of[driven] as usize, &mut self.row);
        out.clear();
        out.resize(problem.len(), 0.0);
        for i in (0..problem.len()).filter(|&i| self.basic[i]) {
            out[i] = -sign * self.row[self.column_of[i] as usize];
        }
        out[driven] = sign;
        let proves = !self.basic[driven] && self.proves(problem, out);
        out.iter_mut().zip(&problem.scale).for_each(|(v, s)| *v *= s);
        proves
    }

    /// True if v.w is negative for all z within bounds, though it would have to be zero at least.
    fn proves(&mut self, problem: &Scaled, v: &[f64]) -> bool {
        let noise = NOISE * largest(v);
        let needed = |i: usize| {
            (v[i] >= -noise || problem.lower[i] == f64::NEG_INFINITY)
                && (v[i] <= noise || problem.upper[i] == f64::INFINITY)
        };
        if !(0..v.len()).all(needed) {
            return false;
        }
        self.row.clear();
        self.row.resize(v.len(), 0.0);
        let mut most = 0.0;
        for (i, &v) in v.iter().enumerate() {
            add_scaled(&mut self.row, v, problem.row(i));
            most += v * problem.q[i];
        }
        for (j, &slope) in self.row.iter().enumerate().filter(|(_, s)| s.abs() > noise) {
            most += slope * if slope > 0.0 { problem.upper[j] } else { problem.lower[j] };
        }
        most < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcp::Lcp;

    #[test]
    fn refinement_takes_back_the_rounding_of_the_tableau() {
        let n = 60;
        let entry =
            |i: usize, j: usize| if i == j { 2.0 } else { ((i * 7 + j) as f64).sin() * 0.1 };
        let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let q: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let (lower, upper) = (vec![-10.0; n], vec![10.0; n]);
        let mut scaled = Scaled::default();
        scaled.update(&Lcp { matrix: &matrix, q: &q, lower: &lower, upper: &upper }).unwrap();
        let mut principal = Principal::default();
        principal.start(&scaled, &vec![ActiveSetStatus::Basic; n]);
        assert!(principal.w.iter().all(|w| w.abs() < 1e-14), "{:?}", principal.w);
    }
}
