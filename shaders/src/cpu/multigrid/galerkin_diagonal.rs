//! Twin of wgsl/multigrid/galerkin_diagonal.wgsl.

use crate::cpu::galerkin::{accumulate, columns, put_block, times, transpose};
use crate::cpu::modes::range_of;
use crate::cpu::reduce::team_sum;
use crate::cpu::sliced::Sliced;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::TEAM;
use crate::params::GalerkinParams;

/// Diagonal blocks of P^T A P, and the two entries between the rows of one aggregate.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn galerkin_diagonal<T: Real>(call: Call<'_, '_, T>) {
    let params: GalerkinParams = call.params();
    let [
        Buffer::Words(structure),
        Buffer::Floats(blocks),
        Buffer::Floats(diagonal),
        Buffer::Words(maps),
        Buffer::Floats(modes),
        Buffer::Floats(rigid),
        Buffer::FloatsMut(coarse_diagonal),
        Buffer::FloatsMut(coarse_blocks),
    ] = call.buffers
    else {
        panic!(
            "galerkin_diagonal takes structure, blocks, diagonal, maps, modes, rigid, coarse_diagonal, coarse_blocks"
        );
    };
    let segment = params.sliced((structure, blocks, diagonal));
    let count = params.aggregate_count as usize;
    for aggregate in 0..count {
        let sums = team_sum(range_of(maps, aggregate), TEAM as usize, |k| {
            let i = maps[count + 1 + k] as usize;
            let inside = |j: usize| maps[params.of_row as usize + j] as usize == aggregate;
            if i < segment.first_row || i >= segment.first_row + segment.row_count {
                return [0.0; 27];
            }
            row_term(&segment, modes, i, inside)
        });
        let part = |k: usize| std::array::from_fn::<f32, 9, _>(|c| sums[9 * k + c]);
        let add = params.add != 0;
        for (half, block) in [part(0), part(2)].iter().enumerate() {
            let is_none = |axis: usize| rigid[40 * aggregate + 7 * (3 * half + axis)] == 0.0;
            put_diagonal(&mut coarse_diagonal[9 * (2 * aggregate + half)..], block, add, is_none);
        }
        let base = maps[params.bases as usize + aggregate] as usize;
        put_block(coarse_blocks, base, &part(1), add);
        put_block(coarse_blocks, base + 1, &transpose(&part(1)), add);
    }
}

/// Blocks between translations, between these and rotations, and between rotations, of row i.
fn row_term(
    segment: &Sliced<'_>,
    modes: &[f32],
    i: usize,
    inside: impl Fn(usize) -> bool,
) -> [f32; 27] {
    let (t, w) = (columns(modes, i, 0), columns(modes, i, 3));
    let g = segment.diagonal(i);
    let (mut at, mut aw) = (times(&g, &t), times(&g, &w));
    for entry in segment.entries(i - segment.first_row) {
        let (j, block) = (segment.column(entry), segment.block(entry));
        let (mut dt, mut dw) = (t.map(|x| x * -segment.shift), w.map(|x| x * -segment.shift));
        if inside(j) {
            accumulate(&mut dt, &columns(modes, j, 0));
            accumulate(&mut dw, &columns(modes, j, 3));
        }
        accumulate(&mut at, &times(&block, &dt));
        accumulate(&mut aw, &times(&block, &dw));
    }
    let (t, w) = (transpose(&t), transpose(&w));
    let parts = [times(&t, &at), times(&t, &aw), times(&w, &aw)];
    std::array::from_fn(|k| parts[k / 9][k % 9])
}

/// The symmetric part of a diagonal block, added or put; put, it has a 1 more for each motion that is none.
fn put_diagonal(at: &mut [f32], block: &[f32; 9], add: bool, is_none: impl Fn(usize) -> bool) {
    let turned = transpose(block);
    for k in 0..9 {
        let mut value = 0.5 * (block[k] + turned[k]);
        if add {
            value += at[k];
        } else if k % 4 == 0 && is_none(k / 4) {
            value += 1.0;
        }
        at[k] = value;
    }
}
