//! Response of the solution of a mixed problem to further impulses on the block rows, while each unilateral row stays
//! in the set that it is in: back-solves with the matrix at hand, many right sides at once. Responses to impulses on
//! these rows themselves are for those who choose other sets.

use nalgebra::{DMatrix, DVector, Dyn, LU};

use crate::Vec3;
use crate::lcp::Bound;
use crate::mixed::tuning::REGULARIZATION;
use crate::mixed::{MixedError, MixedProblem, MixedSolver, UnilateralRows};

/// Friction this near to its limit slides [-].
const SLIDING: f64 = 1e-6;

/// Solutions for the impulses of active rows: the second takes back what is added to the diagonal.
const HOLDS: usize = 2;
/// Share of the largest response without active rows below which a response is none [-]: what rounding leaves of the motion
/// that they hold would else be followed with the largest excitations.
const NOISE: f64 = 1e-11;

/// Destination of a response, column after column.
pub(crate) struct MixedResponse<'a> {
    /// Changes of velocities [m/s].
    pub(crate) u: &'a mut [Vec3],
    /// Changes of the multipliers of the bilateral rows [N s].
    pub(crate) lambda: &'a mut [f64],
    /// Changes of the impulses of the unilateral rows [N s].
    pub(crate) z: &'a mut [f64],
}

/// A unilateral row under the impulses at the start of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowState {
    /// The row along the normal that it rubs at; of other rows their own number.
    pub(crate) normal: usize,
    /// True if its impulse is 0 or more, however large.
    pub(crate) only_pushes: bool,
    /// True if its velocity stays while sets stay.
    pub(crate) is_active: bool,
    /// Impulse [N s].
    pub(crate) impulse: f64,
    /// Velocity above its target [m/s].
    pub(crate) excess: f64,
    /// Velocity per impulse of a compliant row [1/kg].
    pub(crate) compliance: f64,
}

impl RowState {
    /// All rows of a problem.
    pub(crate) fn all(rows: &UnilateralRows) -> Vec<Self> {
        let state = |row: usize| Self {
            normal: match rows.bounds[row] {
                Bound::Friction { normal, .. } => normal,
                Bound::Unilateral | Bound::Bilateral | Bound::Range { .. } => row,
            },
            only_pushes: rows.bounds[row] == Bound::Unilateral,
            is_active: share_of(rows, row) == Share::Active,
            impulse: rows.start[row],
            excess: rows.compliance[row] * rows.start[row] - rows.target[row],
            compliance: rows.compliance[row],
        };
        (0..rows.count()).map(state).collect()
    }
}

/// Behaviour of a unilateral row while sets stay.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Share {
    /// Its impulse stays.
    Still,
    /// Its velocity stays what it is.
    Active,
    /// Its impulse follows that of row `normal` by this factor.
    Sliding { normal: usize, factor: f64 },
}

impl MixedSolver {
    /// Changes of velocities and multipliers by impulses on the block rows [N s], column after column; the impulses of
    /// the unilateral rows are `problem.unilateral.start`, and active ones keep their velocities.
    ///
    /// # Errors
    /// [`MixedError::Singular`] where active rows contradict each other.
    ///
    /// # Panics
    /// When `u` is not as long as `impulses`, or the others are not those of as many columns.
    pub(crate) fn respond(
        &mut self,
        problem: &MixedProblem,
        impulses: &[Vec3],
        response: MixedResponse,
    ) -> Result<(), MixedError> {
        let MixedResponse { u, lambda, z } = response;
        self.prepare_response(problem)?;
        self.saddle_mut().respond_to(problem.kkt(), impulses, (&mut *u, &mut *lambda))?;
        z.fill(0.0);
        let rows = &problem.unilateral;
        let shares: Vec<Share> = (0..rows.count()).map(|row| share_of(rows, row)).collect();
        let active: Vec<usize> =
            (0..shares.len()).filter(|&row| shares[row] == Share::Active).collect();
        if active.is_empty() {
            return Ok(());
        }
        self.hold_active(problem, (&shares, &active), MixedResponse { u, lambda, z })
    }

    /// Changes of velocities and multipliers by a unit impulse on each row of `pushed`, with the friction that slides at
    /// it; all other impulses of unilateral rows stay.
    ///
    /// # Errors
    /// [`MixedError::Singular`].
    ///
    /// # Panics
    /// When `response` is not one of as many columns.
    pub(crate) fn respond_to_rows(
        &mut self,
        problem: &MixedProblem,
        pushed: &[usize],
        response: MixedResponse,
    ) -> Result<(), MixedError> {
        let MixedResponse { u, lambda, z } = response;
        self.prepare_response(problem)?;
        let rows = &problem.unilateral;
        let shares: Vec<Share> = (0..rows.count()).map(|row| share_of(rows, row)).collect();
        let pushes = pushes_of(rows, (&shares, pushed), problem.b.len());
        self.saddle_mut().respond_to(problem.kkt(), &pushes, (u, lambda))?;
        z.fill(0.0);
        for (&of, z) in pushed.iter().zip(z.chunks_exact_mut(shares.len().max(1))) {
            z[of] = 1.0;
            for (z, share) in z.iter_mut().zip(&shares) {
                if let Share::Sliding { normal, factor } = *share
                    && normal == of
                {
                    *z = factor;
                }
            }
        }
        Ok(())
    }

    /// Adds what the active rows push so that their velocities stay.
    fn hold_active(
        &mut self,
        problem: &MixedProblem,
        (shares, active): (&[Share], &[usize]),
        MixedResponse { u, lambda, z }: MixedResponse,
    ) -> Result<(), MixedError> {
        let (size, bilateral) = (problem.b.len(), problem.bilateral.target.len());
        let rows = &problem.unilateral;
        let pushes = pushes_of(rows, (shares, active), size);
        let mut by_u = vec![Vec3::zeros(); pushes.len()];
        let mut by_lambda = vec![0.0; bilateral * active.len()];
        let saddle = self.saddle_mut();
        saddle.respond_to(problem.kkt(), &pushes, (&mut by_u, &mut by_lambda))?;
        let factor = matrix_of(rows, active, (&by_u, size)).lu();
        for (column, u) in u.chunks_exact_mut(size).enumerate() {
            let impulses = hold_column(rows, active, (&factor, &by_u), u)?;
            let lambda = &mut lambda[column * bilateral..(column + 1) * bilateral];
            let z = &mut z[column * shares.len()..(column + 1) * shares.len()];
            for (row, share) in shares.iter().enumerate() {
                let found = |of: usize| active.binary_search(&of).map_or(0.0, |j| impulses[j]);
                z[row] = match *share {
                    Share::Still => 0.0,
                    Share::Active => found(row),
                    Share::Sliding { normal, factor } => factor * found(normal),
                };
            }
            for (j, impulse) in impulses.iter().enumerate() {
                let by = &by_lambda[j * bilateral..(j + 1) * bilateral];
                lambda.iter_mut().zip(by).for_each(|(lambda, by)| *lambda += by * impulse);
            }
        }
        Ok(())
    }
}

/// Impulses of the active rows by which velocities `u` keep theirs, added to `u`.
fn hold_column(
    rows: &UnilateralRows,
    active: &[usize],
    (factor, by_u): (&LU<f64, Dyn, Dyn>, &[Vec3]),
    u: &mut [Vec3],
) -> Result<DVector<f64>, MixedError> {
    let free = u.iter().map(|u| u.amax()).fold(0.0, f64::max);
    let mut impulses = DVector::zeros(active.len());
    for _ in 0..HOLDS {
        let left = DVector::from_fn(active.len(), |i, _| {
            let rate = rows.pattern.velocity(active[i], rows.values, u);
            -rate - rows.compliance[active[i]] * impulses[i]
        });
        let singular = || MixedError::Singular("active rows contradict each other".to_owned());
        let more = factor.solve(&left).ok_or_else(singular)?;
        for (impulse, by) in more.iter().zip(by_u.chunks_exact(u.len().max(1))) {
            u.iter_mut().zip(by).for_each(|(u, by)| *u += by * *impulse);
        }
        impulses += more;
    }
    let entries = u.iter_mut().flat_map(|u| u.iter_mut());
    entries.filter(|x| x.abs() < NOISE * free).for_each(|x| *x = 0.0);
    Ok(impulses)
}

/// Impulses on the block rows by a unit impulse on each active row, with the friction that follows it.
fn pushes_of(
    rows: &UnilateralRows,
    (shares, active): (&[Share], &[usize]),
    size: usize,
) -> Vec<Vec3> {
    let mut pushes = vec![Vec3::zeros(); size * active.len()];
    for (&row, push) in active.iter().zip(pushes.chunks_exact_mut(size)) {
        rows.push(row, 1.0, push);
        for (other, share) in shares.iter().enumerate() {
            if let Share::Sliding { normal, factor } = *share
                && normal == row
            {
                rows.push(other, factor, push);
            }
        }
    }
    pushes
}

/// Velocities of the active rows by a unit impulse on each, whose responses are `by_u`, with their compliances.
fn matrix_of(
    rows: &UnilateralRows,
    active: &[usize],
    (by_u, size): (&[Vec3], usize),
) -> DMatrix<f64> {
    let mut matrix = DMatrix::from_fn(active.len(), active.len(), |i, j| {
        rows.pattern.velocity(active[i], rows.values, &by_u[j * size..(j + 1) * size])
    });
    for (i, &row) in active.iter().enumerate() {
        matrix[(i, i)] += REGULARIZATION * matrix[(i, i)].abs() + rows.compliance[row];
    }
    matrix
}

/// Share of a row under the impulses at the start.
fn share_of(rows: &UnilateralRows, row: usize) -> Share {
    let z = rows.start[row];
    let [lower, upper] = rows.limits(row, rows.start);
    match rows.bounds[row] {
        Bound::Friction { normal, coefficient, .. } => {
            let limit = coefficient * rows.start[normal];
            match () {
                () if limit <= 0.0 => Share::Still,
                () if z.abs() < (1.0 - SLIDING) * limit => Share::Active,
                () => Share::Sliding { normal, factor: coefficient * z.signum() },
            }
        }
        Bound::Unilateral | Bound::Bilateral | Bound::Range { .. } => {
            match z > lower && z < upper {
                true => Share::Active,
                false => Share::Still,
            }
        }
    }
}
