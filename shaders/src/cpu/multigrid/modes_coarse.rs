//! Twin of wgsl/multigrid/modes_coarse.wgsl.

use crate::cpu::modes::Maker;
use crate::cpu::sliced::vector;
use crate::cpu::{Buffer, Call, Real};
use crate::params::TransferParams;

/// The prolongator of a coarse level, from what rigid motions are on its rows.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn modes_coarse<T: Real>(call: Call<'_, '_, T>) {
    let params: TransferParams = call.params();
    let [
        Buffer::Words(maps),
        Buffer::Floats(above),
        Buffer::FloatsMut(modes),
        Buffer::FloatsMut(rigid),
    ] = call.buffers
    else {
        panic!("modes_coarse takes maps, above, modes, rigid");
    };
    let aggregate_count = params.aggregate_count as usize;
    let mut maker = Maker { maps, aggregate_count, modes, rigid };
    let point_of = |i: usize| vector(above, 40 * (i / 2) + 36);
    let motions_of = |i: usize| {
        std::array::from_fn(|column| vector(above, 40 * (i / 2) + 6 * column + 3 * (i % 2)))
    };
    (0..aggregate_count).for_each(|aggregate| maker.make(aggregate, point_of, motions_of));
}
