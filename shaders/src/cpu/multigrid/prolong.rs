//! Twin of wgsl/multigrid/prolong.wgsl.

use crate::cpu::level::{load, scaled, store, sum};
use crate::cpu::modes::mode;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::table::TransferParams;

/// d = factor P y and x += d.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn prolong<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Words(maps),
        Buffer::Floats(modes),
        Buffer::Floats(coarse),
        Buffer::FloatsMut(vectors),
    ] = call.buffers
    else {
        panic!("prolong takes flags, maps, modes, coarse, vectors");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }

    let coarse_row = |i: usize| {
        let y = load(coarse, params.coarse_x, i);
        match params.coarse_second {
            u32::MAX => y,
            second => sum(y, load(coarse, second, i)),
        }
    };
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
