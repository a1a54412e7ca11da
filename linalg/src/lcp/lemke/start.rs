//! Start of Lemke's path: the principal transform that the places name, covered; and the values
//! read from its end.

use super::Lemke;
use crate::lcp::ActiveSetStatus;
use crate::lcp::symmetric::tolerance;
use crate::lcp::vector::{dot, largest};

/// Smallest diagonal that is pivoted on at the start.
const SAFE: f64 = 1e-6;

impl Lemke {
    pub(super) fn start(&mut self, statuses: &[ActiveSetStatus]) {
        let n = self.len();
        self.pivots = 0;
        self.tableau.reset(n + 1, self.standard.matrix.chunks_exact(n + 1));
        self.row_variable.clear();
        self.row_variable.extend(0..n as u32);
        self.column_variable.clear();
        self.column_variable.extend(n as u32..=2 * n as u32);
        self.place_of.clear();
        self.place_of.extend(n as u32 + 1..2 * n as u32 + 1);
        self.place_of.extend(0..=n as u32);
        self.standard.update_basic(statuses, &mut self.basic);
        self.tied.clear();
        self.tied.reserve(n);
        while self.pivot_wanted() {}
        self.refine();
        self.cover();
    }

    /// Pivots in what is to be basic where the diagonal allows it; whether there was any.
    fn pivot_wanted(&mut self) -> bool {
        let mut found = false;
        for i in 0..self.len() {
            let pending = self.basic[i] && self.row_variable[i] == i as u32;
            if pending && self.tableau.entry(i, i).abs() > SAFE {
                self.pivot_at(i, i);
                found = true;
            }
        }
        found
    }

    /// Values of the basic variables from those x that are basic: solved for with the tableau as
    /// the inverse, and corrected twice.
    fn refine(&mut self) {
        let n = self.len();
        self.tableau.apply();
        self.x.clear();
        self.x.resize(n, 0.0);
        for _ in 0..3 {
            self.calc_y();
            self.column.clear();
            self.column.resize(n + 1, 0.0);
            for (c, &variable) in self.column_variable.iter().enumerate() {
                if (variable as usize) < n {
                    self.column[c] = -self.y[variable as usize];
                }
            }
            for (r, &variable) in self.row_variable.iter().enumerate() {
                if let Some(i) = self.x_of(variable) {
                    self.x[i] += dot(self.tableau.applied_row(r), &self.column);
                }
            }
        }
        self.calc_y();
        // Ranges are no measure of what z is.
        let own = self.scaled.len();
        let size = largest(&self.standard.b[..own]).max(largest(&self.x[..own]));
        self.tolerance = tolerance(n) * size;
    }

    fn calc_y(&mut self) {
        let n = self.len();
        self.y.clear();
        let rows = self.standard.matrix.chunks_exact(n + 1).zip(&self.standard.b);
        self.y.extend(rows.map(|(row, b)| b + dot(&row[..n], &self.x)));
    }

    /// Values by row, and the cover in the column of the covering variable, 0 where the basic variable has no
    /// bounds.
    fn cover(&mut self) {
        let n = self.len();
        self.value.clear();
        let values = self.row_variable.iter().map(|&v| match (v as usize).checked_sub(n) {
            Some(i) => self.x[i],
            None => self.y[v as usize],
        });
        self.value.extend(values);
        self.covers.clear();
        for r in 0..n {
            let free = self.is_free(self.row_variable[r]);
            // Spread evenly by multiples of the golden ratio.
            let spread = ((r + 1) as f64 * 0.618_034 * self.cover_number as f64).fract();
            let cover = if self.cover_number == 0 { 1.0 } else { 0.5 + spread };
            self.covers.push(if free { 0.0 } else { cover });
            if self.value[r].abs() <= self.tolerance {
                self.value[r] = 0.0;
            }
        }
        self.tableau.write_column(n, &self.covers);
    }

    /// x at the end: solved for anew where the covering variable is gone, else as the path has it.
    pub(super) fn collect(&mut self) {
        let n = self.len();
        let covered = self.place_of[2 * n] as usize > n;
        if !covered {
            self.refine();
        }
        self.basic.fill(false);
        for r in 0..n {
            if let Some(i) = self.x_of(self.row_variable[r]) {
                self.basic[i] = true;
                if covered {
                    self.x[i] = self.value[r];
                }
            }
        }
        // x that rounding leaves below zero counts as zero.
        for (x, free) in self.x.iter_mut().zip(&self.standard.free) {
            *x = if *free { *x } else { x.max(0.0) };
        }
    }
}
