//! Twin of wgsl/multigrid/dense_panel.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::{PIVOT, flag};
use crate::params::DenseParams;

/// Inverts the block of the pivots, and leaves their columns and the panel.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn dense_panel<T: Real>(call: Call<'_, '_, T>) {
    let params: DenseParams = call.params();
    let [Buffer::Floats(dense), Buffer::FloatsMut(panel), Buffer::WordsMut(flags)] = call.buffers
    else {
        panic!("dense_panel takes dense, panel, flags");
    };
    let (size, pivot) = (params.size as usize, params.pivot as usize);
    let mut block: Vec<f32> =
        (0..WIDTH * WIDTH).map(|k| dense[(pivot + k / WIDTH) * size + pivot + k % WIDTH]).collect();
    if invert_block(&mut block) {
        flags[flag::INDEFINITE as usize] = 1;
    }
    for row in 0..size {
        let columns = &dense[row * size + pivot..row * size + pivot + WIDTH];
        for column in 0..WIDTH {
            let mut value = 0.0;
            if row >= pivot && row < pivot + WIDTH {
                value = block[(row - pivot) * WIDTH + column];
            } else {
                (0..WIDTH).for_each(|p| value -= columns[p] * block[p * WIDTH + column]);
            }
            panel[row * WIDTH + column] = value;
            panel[(size + row) * WIDTH + column] = columns[column];
        }
    }
}

const WIDTH: usize = PIVOT as usize;

/// True if a pivot was not positive; it is taken as 1.
fn invert_block(block: &mut [f32]) -> bool {
    let mut refused = false;
    for p in 0..WIDTH {
        let mut pivot = block[p * WIDTH + p];
        if pivot.is_nan() || pivot <= 0.0 {
            refused = true;
            pivot = 1.0;
        }
        let inverse = 1.0 / pivot;
        let before = block.to_vec();
        for entry in 0..WIDTH * WIDTH {
            let (row, column) = (entry / WIDTH, entry % WIDTH);
            block[entry] = if row == p && column == p {
                -inverse
            } else if row == p || column == p {
                before[entry] * inverse
            } else {
                let outer = before[row * WIDTH + p] * inverse;
                before[entry] - outer * before[p * WIDTH + column]
            };
        }
    }
    refused
}
