//! Twin of wgsl/solve/cg_rz.wgsl.

use crate::cpu::rows::sums_of_groups;
use crate::cpu::sliced::{dot, vector};
use crate::cpu::{Buffer, Call, Real};
use crate::layout::flag;
use crate::params::SolveParams;

/// Partial sums of r . z.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn cg_rz<T: Real>(call: Call<'_, '_, T>) {
    let params: SolveParams = call.params();
    let [
        Buffer::Words(flags),
        Buffer::Reals(both),
        Buffer::Floats(vectors),
        Buffer::RealsMut(partials),
    ] = call.buffers
    else {
        panic!("cg_rz takes flags, both, vectors, partials");
    };
    if flags[flag::DONE as usize] != 0 {
        return;
    }
    let n = params.row_count as usize;
    let sums = sums_of_groups(&params, |i| {
        let z = vector(vectors, params.z as usize + 3 * i).map(|z| T::of(f64::from(z)));
        [dot(vector(both, 3 * (n + i)), z), T::default()]
    });
    for (group, [rz, _]) in sums.iter().enumerate() {
        partials[params.rz as usize + group] = *rz;
    }
}
