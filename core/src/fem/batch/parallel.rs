//! Work on all elements of a batch, in parallel. A batch is compiled for each kind of element and law; these functions
//! are compiled once.

use rayon::prelude::*;

use super::{ElementReport, ElementTotals};
use crate::force::Fault;

/// Elements of a partial sum, at least: long enough that a task outweighs its scheduling.
const CHUNK: usize = 1024;
/// Partial sums, at most: they need no memory of their own.
const CHUNKS: usize = 64;
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
    let chunk = CHUNK.max(count.div_ceil(CHUNKS));
    let range = |k: usize| k * chunk..count.min((k + 1) * chunk);
    let mut parts = [ElementTotals::default(); CHUNKS];
    let used = &mut parts[..count.div_ceil(chunk)];
    used.par_iter_mut().enumerate().for_each(|(k, part)| {
        *part = range(k).map(totals).fold(ElementTotals::default(), add);
    });
    used.iter().copied().fold(ElementTotals::default(), add)
}

/// Fault of the first of elements 0 to `count` that has one.
pub(super) fn check(
    count: usize,
    fault: &(dyn Fn(usize) -> Option<Fault> + Sync),
) -> Result<(), Fault> {
    let elements = (0..count).into_par_iter().with_min_len(CHECKED_AT_ONCE);
    elements.find_map_first(fault).map_or(Ok(()), Err)
}
