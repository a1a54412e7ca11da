//! The Galerkin product P^T A P, one 6 x 6 block for each coupled pair of aggregates: a gather in
//! fixed order over lists that are made once.

use super::aggregation::NONE;
use super::modes::{Block6, Modes};
use crate::Vec3;
use crate::block_matrix::BLOCK;
use crate::{BlockMatrix, BlockPattern};

/// Sum of Q_i^T A_ij Q_j over the contributions of a pair, which are grouped by row i.
pub(super) fn galerkin_block(
    fine: &BlockMatrix,
    (place, modes): (&[[u32; 2]], &[Modes]),
    contributions: &[[u32; 2]],
) -> Block6 {
    let columns = fine.pattern().columns();
    let mut sum = [[0.0; 6]; 6];
    for row in contributions.chunk_by(|a, b| a[0] == b[0]) {
        let mut product = [Vec3::zeros(); 6];
        for &[_, slot] in row {
            let a = fine.block(slot as usize);
            let q = &modes[place[columns[slot as usize] as usize][1] as usize];
            for c in 0..6 {
                product[c] += a * q[c];
            }
        }
        let q = &modes[row[0][0] as usize];
        for c in 0..6 {
            for k in 0..6 {
                sum[c][k] += q[k].dot(&product[c]);
            }
        }
    }
    sum
}

/// Removes what rounding left of asymmetry.
pub(super) fn symmetrize(block: &mut Block6) {
    for c in 0..6 {
        for k in 0..c {
            let mean = 0.5 * (block[c][k] + block[k][c]);
            block[c][k] = mean;
            block[k][c] = mean;
        }
    }
}

/// The 3 x 3 block of a pair that a source names, column by column.
pub(super) fn half_block(pair: &Block6, source: u32) -> [f64; BLOCK] {
    let (row, column) = (3 * (source as usize >> 1 & 1), 3 * (source as usize & 1));
    let entry = |r: usize, c: usize| match source & 4 {
        0 => pair[column + c][row + r],
        _ => pair[row + r][column + c],
    };
    std::array::from_fn(|k| entry(k % 3, k / 3))
}

/// The lists behind a Galerkin product.
pub(super) struct Products {
    /// First and second aggregate, first <= second, in rising order.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Index of the first contribution of each pair.
    pub(super) offsets: Vec<u32>,
    /// Member index of the row, slot of the fine block.
    pub(super) contributions: Vec<[u32; 2]>,
}

impl Products {
    pub(super) fn new(
        pattern: &BlockPattern,
        place: &[[u32; 2]],
        (starts, members): (&[u32], &[u32]),
    ) -> Self {
        let mut products = Self { pairs: Vec::new(), offsets: vec![0], contributions: Vec::new() };
        let mut list: Vec<[u32; 3]> = Vec::new();
        for (first, range) in starts.windows(2).enumerate() {
            list.clear();
            for member in range[0]..range[1] {
                for slot in pattern.row(members[member as usize] as usize) {
                    let second = place[pattern.columns()[slot] as usize][0];
                    if second != NONE && second >= first as u32 {
                        list.push([second, member, slot as u32]);
                    }
                }
            }
            list.sort_unstable();
            for pair in list.chunk_by(|a, b| a[0] == b[0]) {
                products.pairs.push([first as u32, pair[0][0]]);
                products.contributions.extend(pair.iter().map(|c| [c[1], c[2]]));
                products.offsets.push(products.contributions.len() as u32);
            }
        }
        products
    }

    /// The graph of the aggregates.
    pub(super) fn graph(&self, count: usize) -> BlockPattern {
        BlockPattern::from_cliques(count, |visit| self.pairs.iter().for_each(|p| visit(p)))
    }

    /// Two block rows an aggregate, and where each of its blocks comes from.
    pub(super) fn coarse_pattern(&self, graph: &BlockPattern) -> (BlockPattern, Vec<u32>) {
        let coarse = BlockPattern::from_cliques(2 * graph.size(), |visit| {
            self.pairs.iter().for_each(|&[a, b]| {
                visit(&[2 * a, 2 * a + 1, 2 * b, 2 * b + 1]);
            });
        });
        let mut sources = Vec::with_capacity(coarse.block_count());
        for row in 0..coarse.size() as u32 {
            for &column in &coarse.columns()[coarse.row(row as usize)] {
                let (own, other) = (row / 2, column / 2);
                let pair = self.pairs.binary_search(&[own.min(other), own.max(other)]);
                let pair = pair.expect("coupled aggregates are a pair") as u32;
                let transposed = if own > other { 4 } else { 0 };
                sources.push(8 * pair + transposed + 2 * (row % 2) + column % 2);
            }
        }
        (coarse, sources)
    }
}
