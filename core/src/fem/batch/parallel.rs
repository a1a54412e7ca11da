//! Work on all elements of a batch, in parallel. A batch is compiled for each kind of element and law; these functions
//! are compiled once.

use rayon::prelude::*;

use super::{ElementReport, ElementTotals};
use crate::force::Fault;

/// Elements of a partial sum: long enough that a task outweighs its scheduling.
const CHUNK: usize = 1024;
/// Elements that a task checks at least: some 50 us of work.
const CHECKED_AT_ONCE: usize = 256;

/// Reports of elements 0 to `count`, in their order.
pub(super) fn reports(
    count: usize,
    report: &(dyn Fn(usize) -> ElementReport + Sync),
) -> Vec<ElementReport> {
    (0..count).into_par_iter().map(report).collect()
}

/// Sum of the totals of elements 0 to `count`: over ranges of fixed length, then of these in order, so that it does not
/// depend on the number of threads.
pub(super) fn sum(count: usize, totals: &(dyn Fn(usize) -> ElementTotals + Sync)) -> ElementTotals {
    let add = |mut sum: ElementTotals, part: ElementTotals| {
        sum.volume += part.volume;
        sum.energy += part.energy;
        sum
    };
    let range = |k: usize| k * CHUNK..count.min((k + 1) * CHUNK);
    let parts: Vec<ElementTotals> = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|k| range(k).map(totals).fold(ElementTotals::default(), add))
        .collect();
    parts.into_iter().fold(ElementTotals::default(), add)
}

/// Fault of the first of elements 0 to `count` that has one.
pub(super) fn check(
    count: usize,
    fault: &(dyn Fn(usize) -> Option<Fault> + Sync),
) -> Result<(), Fault> {
    let elements = (0..count).into_par_iter().with_min_len(CHECKED_AT_ONCE);
    elements.find_map_first(fault).map_or(Ok(()), Err)
}
