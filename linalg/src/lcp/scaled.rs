//! A problem scaled to a diagonal near 1, S M S with S diagonal, so that variables in any units are
//! judged alike. Factors are powers of two: scaling rounds nothing.

use super::vector::{add_scaled, dot, largest};
use super::{Lcp, Refusal};

/// A matrix whose halves differ by less than this part of its diagonal is taken as symmetric, and
/// made so: products of 1e3 terms differ by 1e-13.
const ASYMMETRY: f64 = 1e-12;

/// A diagonal below this part of its row is no measure of the row. Units that differ by 1e12 between
/// variables leave 1e-12.
const NO_DIAGONAL: f64 = 1e-16;

/// Entries on a side of the tiles in which the halves of a matrix are compared: two fit a cache.
const TILE: usize = 32;

/// The scaled problem, copied once a solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    pub(super) matrix: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// Diagonal of S: z of the problem is S times the scaled one.
    pub(super) scale: Vec<f64>,
    pub(super) symmetric: bool,
}

impl Scaled {
    /// Number of variables.
    pub(super) fn len(&self) -> usize {
        self.q.len()
    }

    /// Copies and scales. Errors: a problem without meaning.
    pub(super) fn update(&mut self, problem: &Lcp) -> Result<(), Refusal> {
        check(problem)?;
        self.update_scale(problem);
        let scale = &self.scale;
        let scaled = |values: &[f64], out: &mut Vec<f64>| {
            out.clear();
            out.extend(values.iter().zip(scale).map(|(v, s)| v * s));
        };
        scaled(problem.q, &mut self.q);
        let unscaled = |values: &[f64], out: &mut Vec<f64>| {
            out.clear();
            out.extend(values.iter().zip(scale).map(|(v, s)| v / s));
        };
        unscaled(problem.lower, &mut self.lower);
        unscaled(problem.upper, &mut self.upper);
        self.matrix.clear();
        for (row, own) in problem.matrix.chunks_exact(scale.len().max(1)).zip(scale) {
            self.matrix.extend(row.iter().zip(scale).map(|(m, s)| m * own * s));
        }
        for i in 0..self.len() {
            if !(self.q[i].is_finite() && largest(self.row(i)).is_finite()) {
                return Err(Refusal::NotFinite { variable: i });
            }
        }
        self.symmetric = self.is_symmetric();
        if self.symmetric {
            self.symmetrize();
        }
        Ok(())
    }

    fn update_scale(&mut self, problem: &Lcp) {
        let n = problem.q.len();
        let entry = |i: usize, j: usize| problem.matrix[n * i + j];
        self.scale.clear();
        self.scale.extend((0..n).map(|i| {
            let row = largest(&problem.matrix[n * i..n * (i + 1)]);
            let own = entry(i, i).abs();
            if own > NO_DIAGONAL * row { power_of_two(own.sqrt().recip()) } else { 0.0 }
        }));
        // Without a diagonal of its own, a row is scaled to entries of 1 beside those that have one.
        for i in 0..n {
            if self.scale[i] == 0.0 {
                let beside = |j: usize| entry(i, j).abs().max(entry(j, i).abs());
                let most = (0..n).map(|j| beside(j) * self.scale[j].max(0.0)).fold(0.0, f64::max);
                let alone = (0..n).map(beside).fold(0.0, f64::max).sqrt();
                let most = if most > 0.0 { most } else { alone };
                // Negative while the other rows are not yet done.
                self.scale[i] = if most > 0.0 { -power_of_two(most.recip()) } else { -1.0 };
            }
        }
        self.scale.iter_mut().for_each(|s| *s = s.abs());
    }

    fn is_symmetric(&self) -> bool {
        self.pairs().all(|(i, j)| (self.entry(i, j) - self.entry(j, i)).abs() <= ASYMMETRY)
    }

    fn symmetrize(&mut self) {
        let n = self.len();
        for i in (0..n).step_by(TILE) {
            for j in (i..n).step_by(TILE) {
                for (a, b) in tile(i, j, n) {
                    let mean = 0.5 * (self.matrix[n * a + b] + self.matrix[n * b + a]);
                    (self.matrix[n * a + b], self.matrix[n * b + a]) = (mean, mean);
                }
            }
        }
    }

    /// All i < j, tile by tile.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let n = self.len();
        let tiles = move |i: usize| (i..n).step_by(TILE).map(move |j| (i, j));
        (0..n).step_by(TILE).flat_map(tiles).flat_map(move |(i, j)| tile(i, j, n))
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        let n = self.len();
        &self.matrix[n * i..n * (i + 1)]
    }

    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        self.matrix[self.len() * i + j]
    }

    /// w = M z + q.
    pub(super) fn calc_w(&self, z: &[f64], w: &mut [f64]) {
        w.copy_from_slice(&self.q);
        if self.symmetric {
            for (i, &z) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
                add_scaled(w, z, self.row(i));
            }
        } else {
            w.iter_mut().enumerate().for_each(|(i, w)| *w += dot(self.row(i), z));
        }
    }

    /// Scale of w and z: the largest of |q| and |z|.
    pub(super) fn size(&self, z: &[f64]) -> f64 {
        largest(&self.q).max(largest(z))
    }

    /// Residual of z, w as in `Outcome::Solved`.
    pub(super) fn residual(&self, z: &[f64], w: &[f64]) -> f64 {
        let miss = |i: usize| (z[i] - self.clamp(i, z[i] - w[i])).abs();
        let most = (0..self.len())
            .map(miss)
            .fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
        if most == 0.0 { 0.0 } else { most / self.size(z) }
    }

    pub(super) fn clamp(&self, i: usize, z: f64) -> f64 {
        z.max(self.lower[i]).min(self.upper[i])
    }

    /// True if a variable has no bounds.
    pub(super) fn is_free(&self, i: usize) -> bool {
        self.lower[i] == f64::NEG_INFINITY && self.upper[i] == f64::INFINITY
    }

    /// Writes z in the units of the problem.
    pub(super) fn write(&self, z: &[f64], out: &mut [f64]) {
        for ((out, z), s) in out.iter_mut().zip(z).zip(&self.scale) {
            *out = z * s;
        }
    }
}

/// Pairs i < j of a tile of n rows.
fn tile(i: usize, j: usize, n: usize) -> impl Iterator<Item = (usize, usize)> {
    (i..(i + TILE).min(n)).flat_map(move |a| (j.max(a + 1)..(j + TILE).min(n)).map(move |b| (a, b)))
}

/// The nearest power of two, kept from overflow when it is multiplied by itself.
fn power_of_two(x: f64) -> f64 {
    x.log2().round().clamp(-250.0, 250.0).exp2()
}

fn check(problem: &Lcp) -> Result<(), Refusal> {
    let n = problem.q.len();
    for found in [problem.lower.len(), problem.upper.len()] {
        if found != n {
            return Err(Refusal::Length { variables: n, found });
        }
    }
    if problem.matrix.len() != n * n {
        return Err(Refusal::Length { variables: n, found: problem.matrix.len() });
    }
    for i in 0..n {
        let (lower, upper) = (problem.lower[i], problem.upper[i]);
        let bad = |v: &f64| !v.is_finite();
        if problem.q[i..=i].iter().chain(&problem.matrix[n * i..n * (i + 1)]).any(bad) {
            return Err(Refusal::NotFinite { variable: i });
        }
        if lower.is_nan() || upper.is_nan() {
            return Err(Refusal::NotFinite { variable: i });
        }
        if lower > upper || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
            return Err(Refusal::Bounds { variable: i });
        }
    }
    Ok(())
}
