//! Twin of wgsl/multigrid/modes_fine.wgsl.

use crate::cpu::level::sum;
use crate::cpu::modes::Maker;
use crate::cpu::sliced::vector;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::ROTATION;
use crate::params::TransferParams;

/// The prolongator of the finest level, at the current positions.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn modes_fine<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(maps),
        Buffer::Words(fixed),
        Buffer::Floats(rest),
        Buffer::Reals(displacement),
        Buffer::FloatsMut(modes),
        Buffer::FloatsMut(rigid),
    ] = call.buffers
    else {
        panic!("modes_fine takes maps, fixed, rest, displacement, modes, rigid");
    };
    let aggregate_count = params.aggregate_count as usize;
    let mut maker = Maker { maps, aggregate_count, modes, rigid };
    let point_of = |i: usize| sum(vector(rest, 3 * i), vector(displacement, 3 * i).map(T::to_f32));
    let motions_of = |i: usize| {
        let mut m = [[0.0; 3]; 6];
        let first = if fixed[i] & ROTATION != 0 { 3 } else { 0 };
        (0..3).for_each(|a| m[first + a][a] = (1 - (fixed[i] >> a & 1)) as f32);
        m
    };
    (0..aggregate_count).for_each(|aggregate| maker.make(aggregate, point_of, motions_of));
}
