//! Linear systems solved elsewhere: another solver, of less precision, makes corrections, and the
//! residual in double precision decides.

use super::linear::LinearError;
use crate::Vec3;
use crate::linalg::{BlockMatrix, Corrector, CorrectorError, clear_fixed, norm};
use crate::system::StepStats;

/// Most corrections of one solve: each gains four digits at least, or the solver is of no use.
const MOST_CORRECTIONS: usize = 12;

/// A correction that leaves more than this part of the residual gains nothing any more.
const LEAST_GAIN: f64 = 0.5;

impl From<CorrectorError> for LinearError {
    fn from(error: CorrectorError) -> Self {
        match error {
            CorrectorError::Indefinite(detail) => Self::Singular(detail),
            CorrectorError::Device(detail) => Self::Device(detail),
        }
    }
}

/// Corrects `x` until |b - A x| <= tolerance |b - A x_fixed| over the free scalars, x_fixed being what
/// the fixed ones contribute. `residual` and `correction` are work vectors.
pub(super) fn solve_by_corrections(
    corrector: &mut dyn Corrector,
    (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
    (b, x): (&[Vec3], &mut [Vec3]),
    (residual, correction): (&mut [Vec3], &mut [Vec3]),
    tolerance: f64,
    stats: &mut StepStats,
) -> Result<(), LinearError> {
    for ((fixed_part, x), fixed) in correction.iter_mut().zip(x.iter()).zip(fixed) {
        *fixed_part = Vec3::from_fn(|axis, _| if fixed[axis] { x[axis] } else { 0.0 });
    }
    let scale = residual_norm((matrix, fixed), b, correction, residual);
    if scale == 0.0 {
        x.copy_from_slice(correction);
        return Ok(());
    }
    let (mut before, mut iterations) = (f64::INFINITY, 0);
    for _ in 0..=MOST_CORRECTIONS {
        let size = residual_norm((matrix, fixed), b, x, residual);
        stats.residual = size / scale;
        if stats.residual <= tolerance {
            return Ok(());
        }
        if size.is_nan() || size > LEAST_GAIN * before {
            break;
        }
        // The start is a guess, not a correction, and may be worse than nothing.
        before = if before == f64::INFINITY { f64::MAX } else { size };
        let made = corrector.correct(residual, correction, tolerance * scale / size)?;
        iterations += made;
        stats.cg_iterations += made;
        stats.corrections += 1;
        x.iter_mut().zip(correction.iter()).for_each(|(x, e)| *x += e);
    }
    Err(LinearError::NotConverged { iterations, residual: stats.residual, tolerance })
}

/// Sets `residual` to b - A x over the free scalars and returns its norm.
pub(super) fn residual_norm(
    (matrix, fixed): (&BlockMatrix, &[[bool; 3]]),
    b: &[Vec3],
    x: &[Vec3],
    residual: &mut [Vec3],
) -> f64 {
    matrix.mul(x, residual);
    residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    clear_fixed(residual, fixed);
    norm(residual)
}
