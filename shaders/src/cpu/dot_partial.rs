//! Twin of wgsl/dot_partial.wgsl.

use super::Buffer;
use crate::layout::{DOT_ITEMS, DotParams, WORKGROUP_SIZE};

/// Writes one partial sum of x . y a workgroup; their sum in order (in f64) is the dot product.
///
/// # Panics
/// When a vector is shorter than `count`, or `partial` than `partial_count`.
pub fn dot_partial(params: &DotParams, x: &[f32], y: &[f32], partial: &mut [f32]) {
    let width = WORKGROUP_SIZE as usize;
    for g in 0..params.partial_count as usize {
        let mut lanes = [0.0_f32; WORKGROUP_SIZE as usize];
        for lane in 0..width {
            let start = g * width * DOT_ITEMS as usize + lane;
            let mut sum = 0.0;
            for k in 0..DOT_ITEMS as usize {
                let i = start + k * width;
                if i < params.count as usize {
                    sum += x[i] * y[i];
                }
            }
            lanes[lane] = sum;
        }
        let mut stride = width / 2;
        while stride > 0 {
            for lane in 0..stride {
                lanes[lane] += lanes[lane + stride];
            }
            stride /= 2;
        }
        partial[g] = lanes[0];
    }
}

pub(crate) fn twin(buffers: &mut [Buffer<'_>]) {
    match buffers {
        [
            Buffer::Uniform(params),
            Buffer::Floats(x),
            Buffer::Floats(y),
            Buffer::Results(partial),
        ] => {
            dot_partial(&bytemuck::pod_read_unaligned(params), x, y, partial);
        }
        _ => panic!("dot_partial takes params, x, y and partial: {buffers:?}"),
    }
}
