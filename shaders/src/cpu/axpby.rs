//! Twin of wgsl/axpby.wgsl.

use super::Buffer;
use crate::layout::AxpbyParams;

/// y = a x + b y, over the first `count` scalars.
///
/// # Panics
/// When a vector is shorter than `count`.
pub fn axpby(params: &AxpbyParams, x: &[f32], y: &mut [f32]) {
    for i in 0..params.count as usize {
        y[i] = params.a * x[i] + params.b * y[i];
    }
}

pub(crate) fn twin(buffers: &mut [Buffer<'_>]) {
    match buffers {
        [Buffer::Uniform(params), Buffer::Floats(x), Buffer::Results(y)] => {
            axpby(&bytemuck::pod_read_unaligned(params), x, y);
        }
        _ => panic!("axpby takes params, x and y: {buffers:?}"),
    }
}
