//! The path: from the cover of all violations along almost complementary edges until the covering
//! variable is zero.

use super::Lemke;
use crate::lcp::symmetric::pivot_limit;
use crate::lcp::vector::largest;

/// Rates below this part of the largest do not block: they are rounding.
const STILL: f64 = 1e-11;

/// Of tied rows, those with rates below this part of the largest are not pivoted on.
const STURDY: f64 = 1e-6;

/// End of the path.
pub(super) enum Path {
    /// The covering variable is zero.
    End,
    /// An edge without end, along the complement of this variable of the problem.
    Ray(usize),
    /// Too many pivots.
    Exhausted,
}

impl Lemke {
    pub(super) fn follow(&mut self) -> Path {
        let n = self.len();
        let Some(first) = self.most_negative() else { return Path::End };
        let cover = -self.value[first] / self.covers[first];
        for r in 0..n {
            self.value[r] += cover * self.covers[r];
        }
        self.value[first] = cover;
        let mut entering = self.complement(self.row_variable[first]);
        self.pivot_at(first, n);
        self.pivots += 1;
        loop {
            if self.pivots > pivot_limit(n) || !self.tolerance.is_finite() {
                return Path::Exhausted;
            }
            let column = self.place_of[entering as usize] as usize;
            self.tableau.read_column(column, &mut self.column);
            let Some(row) = self.blocking() else { return self.ray(entering) };
            let step = self.value[row] / -self.column[row];
            for (value, rate) in self.value.iter_mut().zip(&self.column) {
                *value += step * rate;
            }
            self.value[row] = step;
            let leaving = self.row_variable[row];
            self.pivot_at(row, column);
            self.pivots += 1;
            if leaving as usize == 2 * n {
                return Path::End;
            }
            entering = self.complement(leaving);
        }
    }

    /// The row of the most negative value in proportion to its cover, the last of equal ones as the lexicographic rule asks.
    fn most_negative(&self) -> Option<usize> {
        let mut most = (0.0, None);
        for (r, &value) in self.value.iter().enumerate() {
            if value >= -self.tolerance || self.is_free(self.row_variable[r]) {
                continue;
            }
            let share = value / self.covers[r];
            if share <= most.0 {
                most = (share, Some(r));
            }
        }
        most.1
    }

    /// The row whose variable is first to reach zero; the covering variable before others.
    fn blocking(&mut self) -> Option<usize> {
        let mut tied = std::mem::take(&mut self.tied);
        let most = largest(&self.column).max(f64::MIN_POSITIVE);
        let blocks =
            |r: usize| self.column[r] < -STILL * most && !self.is_free(self.row_variable[r]);
        let ratio = |r: usize| self.value[r].max(0.0) / -self.column[r];
        let relaxed = |r: usize| (self.value[r].max(0.0) + self.tolerance) / -self.column[r];
        let rows = || (0..self.value.len()).filter(|&r| blocks(r));
        let limit = rows().map(relaxed).fold(f64::INFINITY, f64::min);
        tied.clear();
        tied.extend(rows().filter(|&r| ratio(r) <= limit).map(|r| r as u32));
        let sturdy = tied.iter().map(|&r| self.column[r as usize].abs()).fold(0.0, f64::max);
        tied.retain(|&r| self.column[r as usize].abs() >= STURDY * sturdy);
        let cover = 2 * self.len() as u32;
        let covering = tied.iter().copied().find(|&r| self.row_variable[r as usize] == cover);
        let chosen = covering.or_else(|| self.lexicographic(&mut tied));
        self.tied = tied;
        chosen.map(|r| r as usize)
    }

    /// Of tied rows the one whose row of the inverse basis, divided by its rate, comes first. The
    /// order is by the variables y.
    fn lexicographic(&self, tied: &mut Vec<u32>) -> Option<u32> {
        let n = self.len();
        for j in 0..n {
            if tied.len() <= 1 {
                break;
            }
            let place = self.place_of[j] as usize;
            let entry = |r: usize| match place.checked_sub(n + 1) {
                Some(row) => f64::from(u8::from(row == r)),
                None => -self.tableau.entry(r, place),
            };
            let key = |r: u32| entry(r as usize) / -self.column[r as usize];
            let least = tied.iter().map(|&r| key(r)).fold(f64::INFINITY, f64::min);
            let margin = 1e-10 * least.abs().max(1.0);
            tied.retain(|&r| key(r) <= least + margin);
        }
        tied.first().copied()
    }

    /// The direction of z along the last edge, and the variable that moves along it.
    fn ray(&mut self, entering: u32) -> Path {
        let size = self.scaled.len();
        self.certificate.resize(size, 0.0);
        for r in 0..self.len() {
            if let Some(i) = self.x_of(self.row_variable[r]) {
                self.standard.add_direction(i, self.column[r], &mut self.certificate);
            }
        }
        if let Some(i) = self.x_of(entering) {
            self.standard.add_direction(i, 1.0, &mut self.certificate);
        }
        for (v, s) in self.certificate.iter_mut().zip(&self.scaled.scale) {
            *v *= s;
        }
        Path::Ray(entering as usize % self.len() % size.max(1))
    }
}
