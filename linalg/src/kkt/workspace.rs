//! The vectors of refinement: residuals, corrections and their combination.

use super::scales::Scales;
use super::{ConstraintPattern, KktError, KktSystem, Unknown};
use crate::SparseCholesky;
use crate::Vec3;

/// Corrections that are combined.
pub(super) const DEPTH: usize = 10;
/// A residual of which a correction meets no more than this part is one that no motion can meet.
const UNMET: f64 = 1e-6;

/// Vectors of a solution.
pub(super) struct Workspace {
    pub(super) residual: Vec<Vec3>,
    pub(super) row_residual: Vec<f64>,
    pub(super) step: Vec<Vec3>,
    pub(super) row_step: Vec<f64>,
    /// Right side of the rows, as far as it can be met.
    pub(super) target: Vec<f64>,
    pub(super) saved: Vec<Vec3>,
    pub(super) row_saved: Vec<f64>,
    /// Corrections before, with their products with the matrix of unit norm.
    steps: [Pair; DEPTH],
    products: [Pair; DEPTH],
}

/// A vector of the size of (u, lambda).
#[derive(Default)]
struct Pair(Vec<Vec3>, Vec<f64>);

impl Pair {
    fn new(size: usize, row_count: usize) -> Self {
        // Without rows there is nothing to combine.
        let size = if row_count == 0 { 0 } else { size };
        Self(vec![Vec3::zeros(); size], vec![0.0; row_count])
    }
}

impl Workspace {
    pub(super) fn new(size: usize, row_count: usize) -> Self {
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; row_count]);
        Self {
            residual: vectors(),
            row_residual: scalars(),
            step: vectors(),
            row_step: scalars(),
            target: scalars(),
            saved: vectors(),
            row_saved: scalars(),
            steps: std::array::from_fn(|_| Pair::new(size, row_count)),
            products: std::array::from_fn(|_| Pair::new(size, row_count)),
        }
    }
}

impl Workspace {
    pub(super) fn add_step(&self, sign: f64, (u, lambda): (&mut [Vec3], &mut [f64])) {
        u.iter_mut().zip(&self.step).for_each(|(u, d)| *u += d * sign);
        lambda.iter_mut().zip(&self.row_step).for_each(|(l, d)| *l += d * sign);
    }

    /// Turns the step, number `k` of its cycle, into the one along it and those before that leaves
    /// the least residual. False if it changes next to nothing of the residual.
    pub(super) fn combine(
        &mut self,
        k: usize,
        (system, rows, scales): (KktSystem, &ConstraintPattern, &Scales),
    ) -> bool {
        let (step, row_step) = (&mut self.step[..], &mut self.row_step[..]);
        let (before, own) = self.products.split_at_mut(k);
        let Pair(product, row_product) = &mut own[0];
        system.s.mul(step, product);
        row_step.iter_mut().for_each(|l| *l = -*l);
        rows.add_transposed(system.g, row_step, product);
        row_step.iter_mut().for_each(|l| *l = -*l);
        for (row, v) in row_product.iter_mut().enumerate() {
            *v = rows.row_velocity(row, system.g, step).0 + system.r[row] * row_step[row];
        }
        let residual = (&self.residual[..], &self.row_residual[..]);
        let norm = scales.product((product, row_product), (product, row_product)).sqrt();
        if norm <= UNMET * scales.product(residual, residual).sqrt() {
            return false;
        }
        for (Pair(q, row_q), Pair(p, row_p)) in before.iter().zip(&self.steps) {
            let part = scales.product((q, row_q), (product, row_product));
            add((product, row_product), -part, (q, row_q));
            add((step, row_step), -part, (p, row_p));
        }
        let square = scales.product((product, row_product), (product, row_product));
        let Pair(p, row_p) = &mut self.steps[k];
        p.copy_from_slice(step);
        row_p.copy_from_slice(row_step);
        let inverse = 1.0 / square.sqrt();
        scale((product, row_product), inverse);
        scale((p, row_p), inverse);
        let part = scales.product(residual, (product, row_product));
        scale((step, row_step), part * inverse);
        square > 0.0
    }

    /// Adds to `u` the correction by a factor without constraints.
    pub(super) fn add_plain(&mut self, factor: &mut SparseCholesky, r: &[Vec3], u: &mut [Vec3]) {
        self.step.fill(Vec3::zeros());
        factor.solve(r, &mut self.step);
        u.iter_mut().zip(&self.step).for_each(|(u, d)| *u += d);
    }

    /// Residuals of both parts, and their norms beside the largest term. `step` is left alone.
    pub(super) fn update_residual(
        &mut self,
        (system, rows, scales): (KktSystem, &ConstraintPattern, &Scales),
        b: &[Vec3],
        (u, lambda): (&[Vec3], &[f64]),
    ) -> Result<[f64; 2], KktError> {
        // Before the first solution there is often nothing to multiply.
        let moves = u.iter().any(|u| *u != Vec3::zeros());
        if moves {
            system.s.mul(u, &mut self.residual);
        } else {
            self.residual.fill(Vec3::zeros());
        }
        let mut largest = scales.force_norm(b).max(scales.force_norm(&self.residual));
        largest = largest.max(scales.momentum_norm(u)).max(scales.multiplier_norm(lambda));
        self.residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
        rows.add_transposed(system.g, lambda, &mut self.residual);
        let force = relative(scales.force_norm(&self.residual), largest);
        let (mut square, mut scale) = (0.0, 0.0);
        for (row, r) in self.row_residual.iter_mut().enumerate() {
            let (velocity, terms) = rows.row_velocity(row, system.g, u);
            let impulse = system.r[row] * lambda[row];
            *r = self.target[row] - velocity - impulse;
            // Where rows hold everything u is rounding; the velocity that the impulse alone would give is not.
            let pushed = scales.rows[row] * lambda[row].abs();
            let terms = self.target[row].abs() + terms + impulse.abs() + pushed;
            square += *r * *r / scales.rows[row];
            scale += terms * terms / scales.rows[row];
        }
        let velocity = relative(square.sqrt(), scale.sqrt());
        match force.is_finite() && velocity.is_finite() {
            true => Ok([force, velocity]),
            false => Err(KktError::NotFinite(self.first_not_finite())),
        }
    }

    fn first_not_finite(&self) -> Unknown {
        let residual = || self.residual.iter().flat_map(|r| r.iter());
        let velocity = residual().position(|r| !r.is_finite());
        match (velocity, self.row_residual.iter().position(|r| !r.is_finite())) {
            (None, Some(row)) => Unknown::Multiplier { row },
            (velocity, _) => {
                // Numbers whose squares are none: the largest.
                let sizes = residual().map(|r| r.abs()).enumerate();
                let largest = || sizes.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k);
                let k = velocity.unwrap_or_else(largest);
                Unknown::Velocity { row: k / 3, axis: k % 3 }
            }
        }
    }
}

fn add((x, lambda): (&mut [Vec3], &mut [f64]), factor: f64, (y, mu): (&[Vec3], &[f64])) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += y * factor);
    lambda.iter_mut().zip(mu).for_each(|(l, m)| *l += m * factor);
}

fn scale((x, lambda): (&mut [Vec3], &mut [f64]), factor: f64) {
    x.iter_mut().for_each(|x| *x *= factor);
    lambda.iter_mut().for_each(|l| *l *= factor);
}

fn relative(residual: f64, scale: f64) -> f64 {
    if residual == 0.0 { 0.0 } else { residual / scale }
}
