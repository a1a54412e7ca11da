//! Rows in the order of the workgroups that share them, and twin of wgsl/lib/precondition.wgsl.

use crate::cpu::Real;
use crate::cpu::level::{scaled, store};
use crate::cpu::reduce::{LANES, group_sum, terms};
use crate::cpu::sliced::{dot, inverse_product};
use crate::params::SolveParams;

/// Sums over the rows of each of `group_count` workgroups, whose lanes take every `group_count`-th row of theirs.
pub(crate) fn sums_of_groups<T: Real>(
    params: &SolveParams,
    mut term: impl FnMut(usize) -> [T; 2],
) -> Vec<[T; 2]> {
    let (n, groups) = (params.row_count as usize, params.group_count as usize);
    let of_group = |group: usize| {
        let mut lanes = [terms(), terms()];
        for first in (group * LANES..n).step_by(groups * LANES) {
            for i in first..n.min(first + LANES) {
                let terms = term(i);
                (0..2).for_each(|k| lanes[k][i % LANES] += terms[k]);
            }
        }
        lanes.map(group_sum)
    };
    (0..groups).map(of_group).collect()
}

/// Partial sums of r . r, and those of r . z where no other kernel leaves them.
pub(crate) fn write_sums<T: Real>(params: &SolveParams, sums: &[[T; 2]], partials: &mut [T]) {
    for (group, [rr, rz]) in sums.iter().enumerate() {
        partials[params.rr as usize + group] = *rr;
        if params.d == u32::MAX {
            partials[params.rz as usize + group] = *rz;
        }
    }
}

/// Sum of `count` partial sums that stand `stride` apart from `first` on.
pub(crate) fn sum_apart<T: Real>(
    partials: &[T],
    (first, stride, count): (usize, usize, usize),
) -> T {
    let mut lanes = terms();
    for k in 0..count {
        lanes[k % LANES] += partials[first + stride * k];
    }
    group_sum(lanes)
}

/// r in f32 and z = c D^-1 r at row i; returns r . z.
pub(crate) fn precondition<T: Real>(
    params: &SolveParams,
    (diagonal, coefficients): (&[f32], &[f32]),
    (i, r): (usize, [T; 3]),
    vectors: &mut [f32],
) -> T {
    let rounded = r.map(T::to_f32);
    store(vectors, params.r, i, rounded);
    if params.z == u32::MAX {
        return T::default();
    }
    let inverse = &diagonal[9 * params.row_count as usize..];
    let z = inverse_product(inverse, i, rounded);
    let z = scaled(coefficients[params.coefficient as usize], z);
    store(vectors, params.z, i, z);
    if params.d != u32::MAX {
        store(vectors, params.d, i, z);
    }
    dot(r, z.map(|z| T::of(f64::from(z))))
}
