//! A square matrix of 3 x 3 blocks on a [`BlockPattern`].

use std::sync::Arc;

use rayon::prelude::*;

use super::BlockPattern;
use super::vector::CHUNK;
use crate::{Mat3, Vec3};

/// Scalars of a block.
pub const BLOCK: usize = 9;

/// Values on a pattern: 9 scalars a block, column by column.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<f64>,
}

impl BlockMatrix {
    /// The zero matrix on `pattern`.
    pub fn zeros(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![0.0; BLOCK * pattern.block_count()];
        Self { pattern, values }
    }

    /// Pattern of the blocks that are stored.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// All scalars, 9 a slot, column by column.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All scalars, to be written.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The block in a slot.
    #[inline(always)]
    pub fn block(&self, slot: usize) -> Mat3 {
        Mat3::from_column_slice(&self.values[BLOCK * slot..BLOCK * slot + BLOCK])
    }

    /// `y = A x`, rows in parallel.
    ///
    /// # Panics
    /// When the lengths of `x` and `y` are not the number of block rows.
    pub fn mul(&self, x: &[Vec3], y: &mut [Vec3]) {
        assert_eq!([x.len(), y.len()], [self.pattern.size(); 2]);
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = self.row_product(chunk * CHUNK + i, x);
            }
        });
    }

    /// The same for the rows that have a scalar which is not fixed; zero for the others.
    ///
    /// # Panics
    /// When the lengths of `x`, `y` and `fixed` are not the number of block rows.
    pub fn mul_free(&self, x: &[Vec3], fixed: &[[bool; 3]], y: &mut [Vec3]) {
        assert_eq!([x.len(), y.len(), fixed.len()], [self.pattern.size(); 3]);
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (i, y) in y.iter_mut().enumerate() {
                let row = chunk * CHUNK + i;
                *y = match fixed[row] {
                    [true, true, true] => Vec3::zeros(),
                    _ => self.row_product(row, x),
                };
            }
        });
    }

    /// Norm of |A| |x| over the scalars that are not fixed, entry by entry: times the relative
    /// rounding error of a number it bounds the rounding of a sum A x.
    ///
    /// # Panics
    /// When the lengths of `x` and `fixed` are not the number of block rows.
    pub fn absolute_product_norm(&self, x: &[Vec3], fixed: &[[bool; 3]]) -> f64 {
        assert_eq!([x.len(), fixed.len()], [self.pattern.size(); 2]);
        let mut squares = 0.0;
        for (row, fixed) in fixed.iter().enumerate() {
            let mut sum = Vec3::zeros();
            for slot in self.pattern.row(row) {
                let column = self.pattern.columns()[slot] as usize;
                sum += self.block(slot).abs() * x[column].abs();
            }
            squares += (0..3).filter(|&a| !fixed[a]).map(|a| sum[a] * sum[a]).sum::<f64>();
        }
        squares.sqrt()
    }

    /// Row `i` of `A x`.
    #[inline(always)]
    fn row_product(&self, i: usize, x: &[Vec3]) -> Vec3 {
        let slots = self.pattern.row(i);
        let columns = &self.pattern.columns()[slots.clone()];
        let blocks = self.values[BLOCK * slots.start..BLOCK * slots.end].as_chunks::<BLOCK>().0;
        let mut y = [0.0; 3];
        for (&column, b) in columns.iter().zip(blocks) {
            let x = &x[column as usize];
            for r in 0..3 {
                y[r] += b[r] * x[0] + b[r + 3] * x[1] + b[r + 6] * x[2];
            }
        }
        Vec3::from(y)
    }
}

/// Adds `block` to the 9 scalars of a slot.
#[inline(always)]
pub fn add_block(values: &mut [f64], slot: usize, block: &Mat3) {
    let target = &mut values[BLOCK * slot..BLOCK * slot + BLOCK];
    for (t, b) in target.iter_mut().zip(block.as_slice()) {
        *t += b;
    }
}
