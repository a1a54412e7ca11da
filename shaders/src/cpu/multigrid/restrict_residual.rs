//! Twin of wgsl/multigrid/restrict_residual.wgsl.

use crate::cpu::level::{load, scaled, store};
use crate::cpu::modes::{mode, range_of};
use crate::cpu::reduce::team_sum;
use crate::cpu::sliced::{dot, inverse_product, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::{TEAM, flag};
use crate::params::TransferParams;

/// The right side of the next level, P^T r, and where a smoothing from it begins.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn restrict_residual<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(maps),
        Buffer::Floats(modes),
        Buffer::Floats(fine),
        Buffer::Floats(diagonal),
        Buffer::Floats(coefficients),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("restrict_residual takes flags, maps, modes, fine, diagonal, coefficients, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let count = params.aggregate_count as usize;
    for aggregate in 0..count {
        let sums = team_sum(range_of(maps, aggregate), TEAM as usize, |k| {
            let i = maps[count + 1 + k] as usize;
            let r = load(fine, params.r, i);
            std::array::from_fn::<_, 6, _>(|c| dot(mode(modes, i, c), r))
        });
        for half in 0..2 {
            let (i, r) = (2 * aggregate + half, vector(&sums, 3 * half));
            store(vectors, params.coarse_r, i, r);
            if params.coarse_d != u32::MAX {
                let c = coefficients[params.coefficient as usize];
                let v = scaled(c, inverse_product(&diagonal[18 * count..], i, r));
                store(vectors, params.coarse_d, i, v);
                store(vectors, params.coarse_x, i, v);
            }
        }
    }
}
