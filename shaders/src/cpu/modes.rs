//! Twin of wgsl/lib/modes.wgsl and orthonormalize.wgsl: the prolongator, and how it is made of rigid
//! motions.

use std::ops::Range;

use super::level::{difference, scaled, sum};
use super::reduce::team_sum;
use super::sliced::dot;
use crate::layout::{SLICE, TEAM};

/// A column that keeps less than this share of the norm of its kind is no direction of its own.
const DEPENDENT: f32 = 1e-4;

fn place(i: usize, column: usize) -> usize {
    let width = SLICE as usize;
    (18 * (i / width) + 3 * column) * width + i % width
}

/// Column `column` of row `i`.
pub(crate) fn mode(modes: &[f32], i: usize, column: usize) -> [f32; 3] {
    std::array::from_fn(|k| modes[place(i, column) + k * SLICE as usize])
}

/// Members of an aggregate, as places after the starts in `maps`.
pub(crate) fn range_of(maps: &[u32], aggregate: usize) -> Range<usize> {
    maps[aggregate] as usize..maps[aggregate + 1] as usize
}

/// Makes the prolongator of one aggregate after another.
pub(crate) struct Maker<'a> {
    pub(crate) maps: &'a [u32],
    pub(crate) aggregate_count: usize,
    pub(crate) modes: &'a mut [f32],
    pub(crate) rigid: &'a mut [f32],
}

impl Maker<'_> {
    fn member(&self, k: usize) -> usize {
        self.maps[self.aggregate_count + 1 + k] as usize
    }

    fn write(&mut self, i: usize, column: usize, value: [f32; 3]) {
        for k in 0..3 {
            self.modes[place(i, column) + k * SLICE as usize] = value[k];
        }
    }

    /// The prolongator of an aggregate whose row i lies at `point_of(i)` and has the rigid motions
    /// `motions_of(i)` about that point.
    pub(crate) fn make(
        &mut self,
        aggregate: usize,
        point_of: impl Fn(usize) -> [f32; 3],
        motions_of: impl Fn(usize) -> [[f32; 3]; 6],
    ) {
        let range = range_of(self.maps, aggregate);
        let total = team_sum(range.clone(), TEAM as usize, |k| point_of(self.member(k)));
        let centre = total.map(|x| x / range.len().max(1) as f32);
        if !range.is_empty() {
            self.rigid[40 * aggregate + 36..40 * aggregate + 39].copy_from_slice(&centre);
        }
        for k in range.clone() {
            let i = self.member(k);
            let (m, d) = (motions_of(i), difference(point_of(i), centre));
            for column in 0..3 {
                self.write(i, column, m[column]);
                let (next, last) = ((column + 1) % 3, (column + 2) % 3);
                let turned = sum(m[3 + column], scaled(d[next], m[last]));
                self.write(i, 3 + column, difference(turned, scaled(d[last], m[next])));
            }
        }
        self.orthonormalize(aggregate, range);
    }

    fn orthonormalize(&mut self, aggregate: usize, range: Range<usize>) {
        let largest = |v: [f32; 3]| v[0].max(v[1].max(v[2]));
        let sizes = [0, 3].map(|p| largest(self.squares(range.clone(), p)));
        for column in 0..6 {
            let mut shares = [[0.0; 3]; 2];
            for _ in 0..2 {
                for half in 0..2 {
                    let taken = self.take_off(range.clone(), column, 3 * half);
                    shares[half] = sum(shares[half], taken);
                }
            }
            let norm = self.squares(range.clone(), 3 * (column / 3))[column % 3].sqrt();
            let kept = norm > DEPENDENT * sizes[column / 3].sqrt();
            let factor = if kept { 1.0 / norm } else { 0.0 };
            for k in range.clone() {
                let i = self.member(k);
                self.write(i, column, scaled(factor, mode(self.modes, i, column)));
            }
            if !range.is_empty() {
                let at = 40 * aggregate + 6 * column;
                self.rigid[at..at + 6].copy_from_slice(shares.as_flattened());
                self.rigid[at + column] = if kept { norm } else { 0.0 };
            }
        }
    }

    fn squares(&self, range: Range<usize>, p: usize) -> [f32; 3] {
        team_sum(range, TEAM as usize, |k| {
            std::array::from_fn(|c| {
                let m = mode(self.modes, self.member(k), p + c);
                dot(m, m)
            })
        })
    }

    fn take_off(&mut self, range: Range<usize>, column: usize, p: usize) -> [f32; 3] {
        let products: [f32; 3] = team_sum(range.clone(), TEAM as usize, |k| {
            let i = self.member(k);
            let own = mode(self.modes, i, column);
            std::array::from_fn(|c| dot(mode(self.modes, i, p + c), own))
        });
        let shares: [f32; 3] =
            std::array::from_fn(|c| if p + c < column { products[c] } else { 0.0 });
        for k in range {
            let i = self.member(k);
            let m: [[f32; 3]; 3] = std::array::from_fn(|c| mode(self.modes, i, p + c));
            let first = sum(scaled(shares[0], m[0]), scaled(shares[1], m[1]));
            let share = sum(first, scaled(shares[2], m[2]));
            self.write(i, column, difference(mode(self.modes, i, column), share));
        }
        shares
    }
}
