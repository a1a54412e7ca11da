//! Generalized minimal residuals (SaadSchultz1986) for matrices that are not symmetric, preconditioned from the right.

use super::vector::{dot, norm};
use super::{Preconditioner, Vec3};

/// Cycles whose residual is more than this share of the one before stop the iteration: what is left is rounding [-].
const GAINS: f64 = 0.5;

/// Limits at which the iteration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResidualLimits {
    /// Residual over right side [-].
    pub tolerance: f64,
    /// Most directions of a cycle: as many vectors are kept.
    pub directions: usize,
    /// Most cycles, each from the residual that the one before left.
    pub cycles: usize,
}

/// Improves `x` until |b - A x| is at most the tolerance times |b|, or no cycle gains anything any more; |b - A x| / |b| then. The
/// product with A is `multiply`; the preconditioner is an approximate inverse of A and may be indefinite.
pub fn solve_by_minimal_residuals(
    multiply: &mut dyn FnMut(&[Vec3], &mut [Vec3]),
    preconditioner: &mut dyn Preconditioner,
    (b, x): (&[Vec3], &mut [Vec3]),
    limits: ResidualLimits,
) -> f64 {
    let size = norm(b);
    if size == 0.0 {
        x.fill(Vec3::zeros());
        return 0.0;
    }
    let target = limits.tolerance * size;
    let mut residual = vec![Vec3::zeros(); b.len()];
    let mut last = f64::INFINITY;
    for cycle in 0..=limits.cycles {
        multiply(x, &mut residual);
        residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
        let left = norm(&residual);
        let gains = left <= GAINS * last;
        last = left;
        if left <= target || !gains || cycle == limits.cycles {
            break;
        }
        let mut basis = Basis::new(&residual, left);
        while basis.directions.len() <= limits.directions && basis.left() > target {
            if !basis.grow(multiply, preconditioner) {
                break;
            }
        }
        let change = basis.solution();
        preconditioner.apply(&change, &mut residual);
        x.iter_mut().zip(&residual).for_each(|(x, by)| *x += by);
    }
    last / size
}

/// Orthonormal directions of a cycle, and the least squares of the residual along them: a triangle, by rotations of its columns.
struct Basis {
    directions: Vec<Vec<Vec3>>,
    columns: Vec<Vec<f64>>,
    rotations: Vec<[f64; 2]>,
    right: Vec<f64>,
}

impl Basis {
    fn new(residual: &[Vec3], size: f64) -> Self {
        let first = residual.iter().map(|r| r / size).collect();
        Self {
            directions: vec![first],
            columns: Vec::new(),
            rotations: Vec::new(),
            right: vec![size],
        }
    }

    /// Residual that the directions so far leave.
    fn left(&self) -> f64 {
        self.right.last().map_or(0.0, |it| it.abs())
    }

    /// Adds a direction; false where there is no further one.
    fn grow(
        &mut self,
        multiply: &mut dyn FnMut(&[Vec3], &mut [Vec3]),
        preconditioner: &mut dyn Preconditioner,
    ) -> bool {
        let Self { directions, columns, rotations, right } = self;
        let k = columns.len();
        let (mut z, mut next) = (directions[k].clone(), directions[k].clone());
        preconditioner.apply(&directions[k], &mut z);
        multiply(&z, &mut next);
        let before = norm(&next);
        let mut column = orthogonalize(&mut next, directions);
        let length = norm(&next);
        for (i, [c, s]) in rotations.iter().enumerate() {
            let (a, b) = (column[i], column[i + 1]);
            (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
        }
        let pivot = column[k].hypot(length);
        if pivot <= f64::EPSILON * before {
            return false;
        }
        let [c, s] = [column[k] / pivot, length / pivot];
        column[k] = pivot;
        right.push(-s * right[k]);
        right[k] *= c;
        rotations.push([c, s]);
        columns.push(column);
        if length <= f64::EPSILON * before {
            return false;
        }
        next.iter_mut().for_each(|next| *next /= length);
        directions.push(next);
        true
    }

    /// The sum of the directions whose residual is the least.
    fn solution(&self) -> Vec<Vec3> {
        let count = self.columns.len();
        let mut factors = self.right[..count].to_vec();
        for k in (0..count).rev() {
            factors[k] /= self.columns[k][k];
            let known = factors[k];
            (0..k).for_each(|i| factors[i] -= self.columns[k][i] * known);
        }
        let mut sum = vec![Vec3::zeros(); self.directions[0].len()];
        for (direction, factor) in self.directions.iter().zip(&factors) {
            sum.iter_mut().zip(direction).for_each(|(sum, by)| *sum += by * *factor);
        }
        sum
    }
}

/// Takes off a vector what it has along some directions, and tells how much that is.
fn orthogonalize(next: &mut [Vec3], directions: &[Vec<Vec3>]) -> Vec<f64> {
    let mut column = vec![0.0; directions.len()];
    // Twice, as rounding leaves something of directions that were near.
    for _ in 0..2 {
        for (direction, entry) in directions.iter().zip(&mut column) {
            let along = dot(direction, next);
            *entry += along;
            next.iter_mut().zip(direction).for_each(|(next, by)| *next -= by * along);
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No preconditioner.
    struct Identity;

    impl Preconditioner for Identity {
        fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
            z.copy_from_slice(r);
        }
    }

    const LIMITS: ResidualLimits = ResidualLimits { tolerance: 1e-14, directions: 60, cycles: 4 };

    fn solved(multiply: &mut dyn FnMut(&[Vec3], &mut [Vec3])) -> f64 {
        let wave = |k: usize| (0.7 * k as f64).sin();
        let expected: Vec<Vec3> =
            (0..12).map(|k| Vec3::new(wave(k), wave(k + 5), wave(3 * k))).collect();
        let mut b = expected.clone();
        multiply(&expected, &mut b);
        let mut x = vec![Vec3::zeros(); b.len()];
        let left = solve_by_minimal_residuals(multiply, &mut Identity, (&b, &mut x), LIMITS);
        assert!(left < 1e-12, "{left:.1e}");
        x.iter().zip(&expected).map(|(x, e)| (x - e).norm()).fold(0.0, f64::max)
    }

    /// Residuals along the residual alone gain nothing here: (A r) . r = 0 for every r.
    #[test]
    fn a_skew_matrix_is_solved() {
        let mut multiply = |x: &[Vec3], y: &mut [Vec3]| {
            let count = x.len();
            for k in 0..count {
                let pair = if k % 2 == 0 { k + 1 } else { k - 1 };
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                y[k] = x[pair] * (sign * (1.0 + (k / 2) as f64));
            }
        };
        let error = solved(&mut multiply);
        assert!(error < 1e-11, "{error:.1e}");
    }

    #[test]
    fn an_indefinite_matrix_that_turns_is_solved() {
        let mut multiply = |x: &[Vec3], y: &mut [Vec3]| {
            let count = x.len();
            for k in 0..count {
                let (before, after) = (x[(k + count - 1) % count], x[(k + 1) % count]);
                let own = if k % 3 == 0 { -2.0 } else { 3.0 };
                y[k] = x[k] * own + after * 0.8 - before * 0.5 + x[k].cross(&Vec3::y()) * 1.5;
            }
        };
        let error = solved(&mut multiply);
        assert!(error < 1e-10, "{error:.1e}");
    }
}
