//! Twin of wgsl/lib/galerkin.wgsl: pieces of the Galerkin product. A 3 x 3 matrix is nine scalars, row
//! by row.

use super::modes::mode;
use crate::matrix::block_place;

/// A 3 x 3 matrix.
pub(crate) type Mat = [f32; 9];

/// The columns `first`, `first + 1`, `first + 2` of row `i` of the prolongator.
pub(crate) fn columns(modes: &[f32], i: usize, first: usize) -> Mat {
    std::array::from_fn(|k| mode(modes, i, first + k % 3)[k / 3])
}

/// a b.
pub(crate) fn times(a: &Mat, b: &Mat) -> Mat {
    std::array::from_fn(|k| (0..3).fold(0.0, |sum, m| sum + a[3 * (k / 3) + m] * b[3 * m + k % 3]))
}

/// The transpose.
pub(crate) fn transpose(a: &Mat) -> Mat {
    std::array::from_fn(|k| a[3 * (k % 3) + k / 3])
}

/// a += b.
pub(crate) fn accumulate(a: &mut Mat, b: &Mat) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

/// Stores a block, or adds it to what another segment left.
pub(crate) fn put_block(blocks: &mut [f32], entry: usize, block: &Mat, add: bool) {
    for (k, &value) in block.iter().enumerate() {
        let at = &mut blocks[block_place(entry, k)];
        *at = if add { value + *at } else { value };
    }
}
