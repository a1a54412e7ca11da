//! Checks of lists and schedules that several kinds have.

use crate::Vec3;
use crate::property::{Problem, Range};
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
