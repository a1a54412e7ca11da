//! The blocks of a level on one side of its diagonal, in the order in which they are read.

use std::ops::Range;

use rayon::prelude::*;

use super::lanes::{self, Lanes};
use crate::BlockMatrix;
use crate::block_matrix::BLOCK;
use crate::vector::CHUNK;

/// Scalars that a product reads past the last block: a column is read as four lanes.
const PADDING: usize = 3;

/// Block rows in the order of the sweeps, each in rising order of its columns and cut in two at
/// where the chunk of the row begins (below the diagonal) or ends (above it).
#[derive(Default)]
pub(super) struct Triangle {
    /// Index of the first block of each row; one more at the end.
    starts: Vec<u32>,
    /// Index in each row of the first block from the cut column on.
    cuts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f32>,
    /// The slot of the matrix that each block is a copy of.
    sources: Vec<u32>,
}

impl Triangle {
    /// One without rows.
    pub(super) fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds a row of columns and slots, cut at a column.
    pub(super) fn add_row(&mut self, blocks: &[(u32, u32)], cut: u32) {
        let start = self.columns.len();
        self.cuts.push((start + blocks.partition_point(|block| block.0 < cut)) as u32);
        self.columns.extend(blocks.iter().map(|block| block.0));
        self.sources.extend(blocks.iter().map(|block| block.1));
        self.starts.push(self.columns.len() as u32);
        self.values.resize(BLOCK * self.columns.len() + PADDING, 0.0);
    }

    /// Takes the values of `matrix` times `scale`.
    pub(super) fn update(&mut self, matrix: &BlockMatrix, scale: f64) {
        let all = matrix.values().as_chunks::<BLOCK>().0;
        let chunks = (self.values.par_chunks_mut(BLOCK * CHUNK), self.sources.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(values, sources)| {
            for (own, &source) in values.as_chunks_mut::<BLOCK>().0.iter_mut().zip(sources) {
                *own = all[source as usize].map(|value| (value * scale) as f32);
            }
        });
    }

    /// The blocks of a row.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> Range<u32> {
        self.starts[row]..self.starts[row + 1]
    }

    /// The blocks of a row before its cut, and those after it.
    #[inline(always)]
    pub(super) fn parts(&self, row: usize) -> (Range<u32>, Range<u32>) {
        let cut = self.cuts[row];
        (self.starts[row]..cut, cut..self.starts[row + 1])
    }

    /// The product of `blocks` with `v`, which starts at the column `shift`. The fourth lane means
    /// nothing.
    #[inline(always)]
    pub(super) fn product(&self, blocks: Range<u32>, v: &[Lanes], shift: usize) -> Lanes {
        let blocks = blocks.start as usize..blocks.end as usize;
        let values = &self.values[BLOCK * blocks.start..BLOCK * blocks.end + PADDING];
        let mut sum = lanes::ZERO;
        for (&column, start) in self.columns[blocks].iter().zip((0..).step_by(BLOCK)) {
            let block = &values[start..start + BLOCK + PADDING];
            sum += lanes::product_of_block(block, v[column as usize - shift]);
        }
        sum
    }

    /// The same from the last block to the first, for sweeps that go backward: memory is read ahead
    /// only where it is read in one direction.
    #[inline(always)]
    pub(super) fn product_backward(&self, blocks: Range<u32>, v: &[Lanes], shift: usize) -> Lanes {
        let blocks = blocks.start as usize..blocks.end as usize;
        let values = &self.values[BLOCK * blocks.start..BLOCK * blocks.end + PADDING];
        let mut sum = lanes::ZERO;
        for (k, &column) in self.columns[blocks].iter().enumerate().rev() {
            let block = &values[BLOCK * k..BLOCK * k + BLOCK + PADDING];
            sum += lanes::product_of_block(block, v[column as usize - shift]);
        }
        sum
    }
}
