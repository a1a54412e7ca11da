//! Checks of lists and schedules that several kinds have.

use crate::Vec3;
use crate::property::{Problem, Range, Refusal};
use crate::state::Schedule;

/// Finite values at finite times that do not fall.
pub(crate) fn check_schedule(schedule: &Schedule) -> Result<(), Problem> {
    let refused = |what, value, must| Err(Problem::Entry { what, value, must });
    let table = match schedule {
        Schedule::Constant(value) if !value.is_finite() => {
            return refused("value", *value, "finite");
        }
        Schedule::Constant(_) => return Ok(()),
        Schedule::Table(table) => table,
    };
    let mut before = f64::NEG_INFINITY;
    for &[time, value] in table {
        if !time.is_finite() || time < before {
            return refused("time", time, "finite and not below the one before it");
        }
        if !value.is_finite() {
            return refused("value", value, "finite");
        }
        before = time;
    }
    Ok(())
}

/// The index that a number is: whole, from 0 on.
pub(crate) fn read_index(x: f64) -> Option<u32> {
    let whole = x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x);
    whole.then_some(x as u32)
}

/// The indices that numbers are.
pub(crate) fn read_indices(list: &[f64]) -> Result<Vec<u32>, Refusal> {
    let refused = Refusal::Value("it must be whole numbers from 0 on");
    list.iter().map(|&x| read_index(x).ok_or(refused)).collect()
}

/// Indices below `count`.
pub(crate) fn check_indices(indices: &[u32], count: usize) -> Result<(), Problem> {
    match indices.iter().find(|&&i| i as usize >= count) {
        None => Ok(()),
        Some(i) => Err(Problem::Missing(format!("number {i} of {count}"))),
    }
}

/// No entry, one for all, or one for each of `count`; all of them finite.
pub(crate) fn check_vectors(vectors: &[Vec3], count: usize) -> Result<(), Problem> {
    let given = vectors.len();
    if given > 1 && given != count {
        return Err(Problem::Length { given, expected: count });
    }
    let mut numbers = vectors.iter().flatten();
    match numbers.find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(Problem::OutOfRange { value, range: Range::FINITE }),
    }
}

/// Least sine of the angle between fibres and sheets: below it the direction across is rounding.
const LEAST_ANGLE: f64 = 1e-6;

/// True for a sheet that lies along its fibres; fibres without a direction are along x.
pub(super) fn is_along(fibre: Option<Vec3>, sheet: Option<Vec3>) -> bool {
    let Some(sheet) = sheet else { return false };
    let across = fibre.unwrap_or_else(Vec3::x).normalize().cross(&sheet.normalize());
    across.norm() < LEAST_ANGLE
}
