//! Twin of wgsl/lib/reduce.wgsl and reduce_partials.wgsl: sums in the order of the trees.

use super::Real;
use crate::layout::WORKGROUP_SIZE;

/// Lanes of a workgroup.
pub(crate) const LANES: usize = WORKGROUP_SIZE as usize;

/// A term for each lane; zeros to begin with.
pub(crate) fn terms<T: Real>() -> [T; LANES] {
    [T::default(); LANES]
}

/// The sum over every team of `width` lanes, at its first lane.
pub(crate) fn team_sums<T: Real>(lanes: &mut [T; LANES], width: usize) {
    let mut stride = width / 2;
    while stride > 0 {
        for lane in (0..LANES).filter(|lane| lane % width < stride) {
            let other = lanes[lane + stride];
            lanes[lane] += other;
        }
        stride /= 2;
    }
}

/// The sum over a workgroup.
pub(crate) fn group_sum<T: Real>(mut lanes: [T; LANES]) -> T {
    team_sums(&mut lanes, LANES);
    lanes[0]
}

/// The sum of `partials` by one workgroup.
pub(crate) fn partial_sum<T: Real>(partials: &[T]) -> T {
    let mut lanes = terms();
    for (k, &term) in partials.iter().enumerate() {
        lanes[k % LANES] += term;
    }
    group_sum(lanes)
}

/// Neither infinite nor not a number, as an f32.
pub(crate) fn is_finite<T: Real>(x: T) -> bool {
    x.to_f32().is_finite()
}

/// Finite and above zero.
pub(crate) fn is_positive<T: Real>(x: T) -> bool {
    is_finite(x) && x > T::default()
}

/// The sum of `term` over a range by a team of `team` lanes: each takes every `team`-th, a tree adds
/// what they have.
pub(crate) fn team_sum<const N: usize>(
    range: std::ops::Range<usize>,
    team: usize,
    mut term: impl FnMut(usize) -> [f32; N],
) -> [f32; N] {
    let mut lanes = [[0.0; N]; 32];
    for (k, index) in range.enumerate() {
        add(&mut lanes[k % team], &term(index));
    }
    let mut stride = team / 2;
    while stride > 0 {
        for lane in 0..stride {
            let other = lanes[lane + stride];
            add(&mut lanes[lane], &other);
        }
        stride /= 2;
    }
    lanes[0]
}

fn add<const N: usize>(sum: &mut [f32; N], term: &[f32; N]) {
    sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += term);
}
