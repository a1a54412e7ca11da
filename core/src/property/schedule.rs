//! Schedules as lists of numbers.

use crate::property::{Put, Refusal};
use crate::state::Schedule;

/// Takes what a list says: one factor, or times [s] and factors in turn.
pub(crate) fn put_schedule(schedule: &mut Schedule, list: &[f64]) -> Put {
    let must = "it must be one factor, or times and factors in turn";
    *schedule = Schedule::from_list(list).ok_or(Refusal::Value(must))?;
    Ok(())
}
