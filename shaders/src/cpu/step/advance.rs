//! Twin of wgsl/step/advance.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::{place, status};
use crate::params::StepParams;

/// Beyond this a motion is not finite.
const LARGEST: f64 = 1e30;

/// d + h ((1 - w) u + w x), and x; the lowest row that is not finite goes into `status`.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn advance<T: Real>(call: Call<'_, '_, T>) {
    let params: StepParams = call.params();
    let [
        Buffer::Reals(step),
        Buffer::Reals(d),
        Buffer::Reals(u),
        Buffer::Reals(x),
        Buffer::RealsMut(d_next),
        Buffer::RealsMut(u_next),
        Buffer::WordsMut(flags),
    ] = call.buffers
    else {
        panic!("advance takes step, d, u, x, d_next, u_next, status");
    };
    let (h, w) = (step[place::H as usize], step[place::END_WEIGHT as usize]);
    for i in 0..params.row_count as usize {
        let mut good = true;
        for at in 3 * i..3 * i + 3 {
            let moved = d[at] + h * ((T::of(1.0) - w) * u[at] + w * x[at]);
            d_next[at] = moved;
            u_next[at] = x[at];
            good = good && moved.to_f64().abs() <= LARGEST && x[at].to_f64().abs() <= LARGEST;
        }
        if !good {
            let lowest = &mut flags[status::NOT_FINITE as usize];
            *lowest = (*lowest).min(i as u32);
        }
    }
}
