//! Twin of wgsl/multigrid/galerkin_coupling.wgsl.

use crate::cpu::galerkin::{Mat, columns, put_block, times, transpose};
use crate::cpu::reduce::team_sum;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::PAIR_TEAM;
use crate::params::GalerkinParams;

/// Blocks of P^T A P between two aggregates, and their transposes.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn galerkin_coupling<T: Real>(call: Call<'_, '_, T>) {
    let params: GalerkinParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Floats(blocks),
        Buffer::Words(lists),
        Buffer::Floats(modes),
        Buffer::FloatsMut(coarse_blocks),
    ] = call.buffers
    else {
        panic!("galerkin_coupling takes structure, blocks, lists, modes, coarse_blocks");
    };
    let segment = params.sliced((structure, blocks, &[]));
    let count = params.pair_count as usize;
    for pair in 0..count {
        let range = lists[pair] as usize..lists[pair + 1] as usize;
        let sums = team_sum(range, PAIR_TEAM as usize, |k| {
            let at = 3 * count + 1 + 2 * k;
            let (i, entry) = (lists[at] as usize, lists[at + 1] as usize);
            let (j, block) = (segment.column(entry), segment.block(entry));
            let to = [0, 3].map(|first| times(&block, &columns(modes, j, first)));
            let from = [0, 3].map(|first| transpose(&columns(modes, i, first)));
            let parts: [Mat; 4] = std::array::from_fn(|k| times(&from[k / 2], &to[k % 2]));
            std::array::from_fn::<f32, 36, _>(|k| parts[k / 9][k % 9])
        });
        let bases = [lists[count + 1 + 2 * pair], lists[count + 2 + 2 * pair]].map(|b| b as usize);
        for part in 0..4 {
            let block: Mat = std::array::from_fn(|c| sums[9 * part + c]);
            let (half, other) = (part / 2, part % 2);
            let (entry, mirrored) = (half + 32 * other, other + 32 * half);
            put_block(coarse_blocks, bases[0] + entry, &block, params.add != 0);
            put_block(coarse_blocks, bases[1] + mirrored, &transpose(&block), params.add != 0);
        }
    }
}
