//! Twin of wgsl/multigrid/dense_update.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::PIVOT;
use crate::params::DenseParams;

/// A_ij - P_i . C_j outside the rows and columns of the pivots, P inside them.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn dense_update<T: Real>(call: Call<'_, '_, T>) {
    let params: DenseParams = call.params();
    let [Buffer::Floats(panel), Buffer::FloatsMut(dense)] = call.buffers else {
        panic!("dense_update takes panel, dense");
    };
    let (size, pivot, width) = (params.size as usize, params.pivot as usize, PIVOT as usize);
    let is_pivot = |scalar: usize| scalar >= pivot && scalar < pivot + width;
    for (i, j) in (0..size).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let value = if is_pivot(j) {
            panel[i * width + j - pivot]
        } else if is_pivot(i) {
            panel[j * width + i - pivot]
        } else {
            let product = (0..width)
                .fold(0.0, |sum, p| sum + panel[i * width + p] * panel[(size + j) * width + p]);
            dense[i * size + j] - product
        };
        dense[i * size + j] = value;
        dense[j * size + i] = value;
    }
}
