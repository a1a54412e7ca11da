//! Twin of wgsl/lib/correct.wgsl: rows corrected by the solution of the next level.

use super::level::{load, scaled, store, sum};
use super::modes::mode;
use crate::params::TransferParams;

/// d = factor P y and x += d over all rows, `coarse_row(i)` being row i of y.
pub(crate) fn correct(
    params: &TransferParams,
    (maps, modes): (&[u32], &[f32]),
    coarse_row: impl Fn(usize) -> [f32; 3],
    vectors: &mut [f32],
) {
    for i in 0..params.row_count as usize {
        let aggregate = maps[params.of_row as usize + i];
        let mut d = [0.0; 3];
        if aggregate != u32::MAX {
            let (t, w) =
                (coarse_row(2 * aggregate as usize), coarse_row(2 * aggregate as usize + 1));
            for c in 0..3 {
                d = sum(d, scaled(t[c], mode(modes, i, c)));
            }
            for c in 0..3 {
                d = sum(d, scaled(w[c], mode(modes, i, c + 3)));
            }
            d = scaled(params.factor, d);
            let x = sum(load(vectors, params.x, i), d);
            store(vectors, params.x, i, x);
        }
        store(vectors, params.d, i, d);
    }
}
