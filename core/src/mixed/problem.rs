//! The mixed problem as data, and where its solution is written.

use crate::Vec3;
use crate::lcp::{ActiveSetStatus, Bound, FrictionModel};
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::{ConstraintPattern, KktSystem};
use crate::mixed::MixedError;

/// Velocities u, multipliers λ and impulses z with
///
/// S u - Gᵀ λ - Nᵀ (z - z₀) = b, G u + R λ = b_g,
/// w = N u + C z - d, z in K, w = 0 where z is inside K, and w against the limit that z is at.
///
/// K is the product of the ranges of impulses: all numbers, those that are not negative, or |z_t| <= μ z_n for the
/// friction of a contact. Attached points are no unknowns: S is PᵀSP and rows are G P, N P, as
/// [`Attachments::reduce`](crate::attachment::Attachments::reduce) and [`RowReduction`](crate::attachment::RowReduction)
/// leave them, and the scalars of these points are among the fixed ones that the solver was made with.
#[derive(Clone, Copy, Debug)]
pub struct MixedProblem<'a> {
    /// S, symmetric \[kg\], on the pattern that the solver was made for.
    pub s: &'a BlockMatrix,
    /// b, one a block row [N s].
    pub b: &'a [Vec3],
    /// Inertia of each block row \[kg\], kg m² of rotations: the least that S is taken to resist with.
    pub inertia: &'a [Vec3],
    /// Positions of the block rows \[m\], which rigid motions of tissue follow from; of rotations any.
    pub positions: &'a [Vec3],
    /// The rows of G.
    pub bilateral: BilateralRows<'a>,
    /// The rows of N.
    pub unilateral: UnilateralRows<'a>,
    /// Model of friction: Coulomb's cone, or its substitute.
    pub friction: FrictionModel,
    /// Accuracy of linear systems.
    pub accuracy: Accuracy,
}

/// Rows that hold both ways; their pattern is that of the solver.
#[derive(Clone, Copy, Debug)]
pub struct BilateralRows<'a> {
    /// The vector of every entry of G.
    pub values: &'a [Vec3],
    /// The same in the second line, where it has others; the matrix is then unsymmetric, and few unilateral rows are
    /// solved for on it. Active sets take the vectors of the first line in both.
    pub end_values: Option<&'a [Vec3]>,
    /// Diagonal of R [1/kg], not negative. A little of it makes redundant rows solvable.
    pub compliance: &'a [f64],
    /// b_g [m/s].
    pub target: &'a [f64],
}

/// Rows that push and do not pull, and friction on them.
#[derive(Clone, Copy, Debug)]
pub struct UnilateralRows<'a> {
    /// Block rows of every row; those of friction name the same ones as their normals, in the same order.
    pub pattern: &'a ConstraintPattern,
    /// The vector of every entry of N.
    pub values: &'a [Vec3],
    /// Diagonal of C [1/kg], not negative.
    pub compliance: &'a [f64],
    /// d [m/s].
    pub target: &'a [f64],
    /// Bounds of each impulse. A row of friction stands after its normal.
    pub bounds: &'a [Bound],
    /// z₀ [N s]: impulses that b has in it already; zeros for a problem stated from nothing.
    pub start: &'a [f64],
    /// Rows that are missed by less than this are met [m/s]: where an interior point method would have to find the
    /// impulses, they stay.
    pub tolerance: f64,
}

/// Accuracy of the solution of linear systems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accuracy {
    /// One solution by the factor, or conjugate gradients to the tolerance of the settings: for those who correct it
    /// themselves.
    Single,
    /// Refined on the true matrix.
    #[default]
    Refined,
    /// The same where bilateral rows may contradict each other, which are then met as nearly as they can be.
    Nearest,
}

/// The solution, and the guess that it starts from.
#[derive(Debug)]
pub struct MixedSolution<'a> {
    /// u [m/s]; zero in fixed scalars. No guess.
    pub u: &'a mut [Vec3],
    /// λ [N s]. No guess.
    pub lambda: &'a mut [f64],
    /// z [N s]; on entry a guess: limits of friction begin there.
    pub z: &'a mut [f64],
    /// The set that each row of N is in; on entry the guess of it.
    pub statuses: &'a mut [ActiveSetStatus],
}

impl MixedProblem<'_> {
    /// S, G and R.
    pub(super) fn kkt(&self) -> KktSystem<'_> {
        KktSystem { s: self.s, g: self.bilateral.values, r: self.bilateral.compliance }
    }

    /// Right sides of the first two lines.
    pub(super) fn sides(&self) -> (&[Vec3], &[f64]) {
        (self.b, self.bilateral.target)
    }

    /// Refuses arrays that do not fit a solver of `size` block rows, with `entries` in its `rows` bilateral rows.
    pub(super) fn check(
        &self,
        [size, rows, entries]: [usize; 3],
        solution: &MixedSolution,
    ) -> Result<(), MixedError> {
        let count = self.unilateral.count();
        let UnilateralRows { pattern, values, compliance, target, start, .. } = self.unilateral;
        let BilateralRows { values: g, end_values, compliance: r, target: b_g } = self.bilateral;
        let lengths = [
            ("s", self.s.pattern().size(), size),
            ("b", self.b.len(), size),
            ("inertia", self.inertia.len(), size),
            ("positions", self.positions.len(), size),
            ("bilateral.values", g.len(), entries),
            ("bilateral.end_values", end_values.map_or(entries, |g| g.len()), entries),
            ("bilateral.compliance", r.len(), rows),
            ("bilateral.target", b_g.len(), rows),
            ("unilateral.pattern", pattern.count(), count),
            ("unilateral.values", values.len(), pattern.entry_count()),
            ("unilateral.compliance", compliance.len(), count),
            ("unilateral.target", target.len(), count),
            ("unilateral.start", start.len(), count),
            ("solution.u", solution.u.len(), size),
            ("solution.lambda", solution.lambda.len(), rows),
            ("solution.z", solution.z.len(), count),
            ("solution.places", solution.statuses.len(), count),
        ];
        if let Some(&(array, found, expected)) = lengths.iter().find(|(_, a, b)| a != b) {
            return Err(MixedError::Length { array, found, expected });
        }
        self.unilateral.check(size)
    }
}

impl<'a> UnilateralRows<'a> {
    /// Refuses friction on other blocks than those of its normal, and blocks beyond `size`.
    fn check(&self, size: usize) -> Result<(), MixedError> {
        let Self { pattern, bounds, .. } = self;
        let outside = pattern.blocks().iter().any(|&block| block as usize >= size);
        let friction = |(row, bound): (usize, &Bound)| match *bound {
            Bound::Friction { normal, .. } => {
                let blocks = |row| &pattern.blocks()[pattern.entries(row)];
                normal >= row || blocks(normal) != blocks(row)
            }
            _ => false,
        };
        match bounds.iter().enumerate().position(friction) {
            Some(row) => Err(MixedError::Friction { row }),
            None if outside => Err(MixedError::BlockRow { size }),
            None => Ok(()),
        }
    }

    /// No rows; `pattern` is an empty one.
    pub fn none(pattern: &'a ConstraintPattern) -> Self {
        let (values, compliance, target, bounds, start) = (&[], &[], &[], &[], &[]);
        Self { pattern, values, compliance, target, bounds, start, tolerance: 0.0 }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.bounds.len()
    }

    /// w of a row at velocities `u` [m/s] with the impulse `z` [N s] [m/s].
    pub(super) fn excess(&self, row: usize, u: &[Vec3], z: f64) -> f64 {
        self.pattern.velocity(row, self.values, u) - self.target[row] + self.compliance[row] * z
    }

    /// Adds what a change of the impulse of a row pushes.
    pub(super) fn push(&self, row: usize, change: f64, b: &mut [Vec3]) {
        for entry in self.pattern.entries(row) {
            b[self.pattern.blocks()[entry] as usize] += self.values[entry] * change;
        }
    }

    /// Least and largest impulse of a row under the impulses `z`.
    pub(super) fn limits(&self, row: usize, z: &[f64]) -> [f64; 2] {
        limits(&self.bounds[row], z)
    }
}

/// Least and largest impulse within a bound under the impulses `z`.
pub(crate) fn limits(bound: &Bound, z: &[f64]) -> [f64; 2] {
    match *bound {
        Bound::Unilateral => [0.0, f64::INFINITY],
        Bound::Bilateral => [f64::NEG_INFINITY, f64::INFINITY],
        Bound::Range { lower, upper } => [lower, upper],
        Bound::Friction { normal, coefficient, .. } => friction_limits(coefficient, z[normal]),
    }
}

/// Least and largest impulse of friction by the impulse along the normal, μ z_n.
pub(crate) fn friction_limits(coefficient: f64, normal: f64) -> [f64; 2] {
    let most = coefficient * normal.max(0.0);
    [-most, most]
}
