//! The scale of every scalar of a saddle-point system, from the diagonal of S: the unit of
//! regularization, residuals and the analysis of constraint rows.

use super::{ConstraintPattern, KktSystem};
use crate::Vec3;

/// Regularization relative to the scale of a row. Rounding loses what is below 1e-16 of it and
/// refinement gains a factor of it per round, so that half of the digits is the even choice.
pub(super) const REGULARIZATION: f64 = 1e-8;

/// A diagonal below this part of its block's largest counts as zero.
const NEGLIGIBLE: f64 = 1e-6;

/// A row whose squared length over free scalars is below this part of the whole acts on fixed
/// scalars only: its coefficients on the others are rounding.
const FIXED_ONLY: f64 = 1e-24;

/// d of every scalar of S, and c = g d^-1 g^T of every constraint row: its inverse mass.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// |diag S|.
    own: Vec<Vec3>,
    /// d: positive; [kg] or what S is in.
    pub(super) diagonal: Vec<Vec3>,
    /// 1/d, zero where the scalar is fixed.
    pub(super) inverse: Vec<Vec3>,
    /// Positive.
    pub(super) rows: Vec<f64>,
    /// True if a row acts on fixed scalars only.
    pub(super) acts_on_nothing: Vec<bool>,
    /// For every entry of the rows, the first one of its row with the same block row.
    first: Vec<u32>,
    /// The sums of the vectors with the same block row, at the first of their entries; else zero.
    pub(super) vectors: Vec<Vec3>,
}

impl Scales {
    pub(super) fn new(size: usize, rows: &ConstraintPattern) -> Self {
        let row_count = rows.count();
        Self {
            own: vec![Vec3::zeros(); size],
            diagonal: vec![Vec3::zeros(); size],
            inverse: vec![Vec3::zeros(); size],
            rows: vec![0.0; row_count],
            acts_on_nothing: vec![false; row_count],
            first: rows.first_entries(),
            vectors: vec![Vec3::zeros(); rows.entry_count()],
        }
    }

    pub(super) fn update(
        &mut self,
        system: KktSystem,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
    ) {
        self.update_diagonal(system, fixed);
        self.vectors.fill(Vec3::zeros());
        for (&first, g) in self.first.iter().zip(system.g) {
            self.vectors[first as usize] += g;
        }
        let (mut sum, mut count) = (0.0, 0usize);
        for row in 0..rows.count() {
            let (mut free, mut whole) = (0.0, 0.0);
            for entry in rows.entries(row) {
                let block = rows.blocks()[entry] as usize;
                let square = |v: &Vec3| v.component_mul(v);
                free += square(&self.vectors[entry]).dot(&self.inverse[block]);
                whole += square(&system.g[entry]).component_div(&self.diagonal[block]).sum();
            }
            self.acts_on_nothing[row] = free <= FIXED_ONLY * whole;
            self.rows[row] = if self.acts_on_nothing[row] { 0.0 } else { free };
            (sum, count) = (sum + self.rows[row], count + usize::from(!self.acts_on_nothing[row]));
        }
        let mean = if sum > 0.0 { sum / count as f64 } else { 1.0 };
        for row in self.rows.iter_mut().filter(|c| **c == 0.0) {
            *row = mean;
        }
    }

    fn update_diagonal(&mut self, system: KktSystem, fixed: &[[bool; 3]]) {
        let pattern = system.s.pattern();
        let (mut sum, mut count) = (0.0, 0usize);
        for (row, (d, own)) in self.diagonal.iter_mut().zip(&mut self.own).enumerate() {
            *own = system.s.block(pattern.diagonal(row)).diagonal().abs();
            *d = own.map(|v| v.max(NEGLIGIBLE * own.max()));
            (sum, count) = (sum + d.sum(), count + d.iter().filter(|v| **v > 0.0).count());
        }
        let mean = if sum > 0.0 { sum / count as f64 } else { 1.0 };
        for ((d, inverse), fixed) in self.diagonal.iter_mut().zip(&mut self.inverse).zip(fixed) {
            *d = d.map(|v| if v > 0.0 { v } else { mean });
            *inverse = Vec3::from_fn(|a, _| if fixed[a] { 0.0 } else { 1.0 / d[a] });
        }
    }

    /// Norm of a force or impulse over the free scalars: the root of the sum of r^2 / d.
    pub(super) fn force_norm(&self, r: &[Vec3]) -> f64 {
        r.iter().zip(&self.inverse).map(|(r, w)| r.component_mul(r).dot(w)).sum::<f64>().sqrt()
    }

    /// Scalar product of residuals of both parts. Both are squares of the root of an energy.
    pub(super) fn product(&self, a: (&[Vec3], &[f64]), b: (&[Vec3], &[f64])) -> f64 {
        let forces = a.0.iter().zip(b.0).zip(&self.inverse);
        let forces: f64 = forces.map(|((a, b), w)| a.component_mul(b).dot(w)).sum();
        let velocities = a.1.iter().zip(b.1).zip(&self.rows);
        forces + velocities.map(|((a, b), c)| a * b / c).sum::<f64>()
    }

    /// Norm of the terms diag(S) u of the free scalars, in the norm of forces.
    pub(super) fn momentum_norm(&self, u: &[Vec3]) -> f64 {
        let square = |(u, (own, w)): (&Vec3, (&Vec3, &Vec3))| {
            let term = u.component_mul(own);
            term.component_mul(&term).dot(w)
        };
        u.iter().zip(self.own.iter().zip(&self.inverse)).map(square).sum::<f64>().sqrt()
    }

    /// Norm of the velocities of constraint rows: the root of the sum of r^2 / c.
    pub(super) fn velocity_norm(&self, r: &[f64]) -> f64 {
        r.iter().zip(&self.rows).map(|(r, c)| r * r / c).sum::<f64>().sqrt()
    }

    /// Norm of multipliers: the root of the sum of c lambda^2.
    pub(super) fn multiplier_norm(&self, lambda: &[f64]) -> f64 {
        lambda.iter().zip(&self.rows).map(|(l, c)| l * l * c).sum::<f64>().sqrt()
    }
}
