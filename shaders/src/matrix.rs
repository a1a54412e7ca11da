//! The format of a block matrix on the device: slices of [`SLICE`] rows, each as wide as its longest
//! row, so that neighbouring invocations read neighbouring words (SELL, Kreutzer et al. 2014), and
//! the difference form (docs/howto/gpu.md).
//!
//! y_i = G_i x_i + sum over j != i of K_ij (x_j - s x_i). With s = 1 G_i is the sum of block row i:
//! mass and supports, but no stiffness, so that rounding K to f32 leaves it blind to translations. With
//! s = 0 G_i is the diagonal block; coarse levels, whose unknowns are no displacements, have that.
//!
//! A matrix may be cut into segments of consecutive rows, each with buffers of its own, where one
//! buffer would be larger than a binding may be.
//!
//! * `structure`, u32: `slice_count + 1` starts of slices, in columns of SLICE blocks; then the fixed
//!   bits (1, 2, 4 for x, y, z) of the SLICE * slice_count rows; then the block column of every entry.
//!   Entry p = SLICE * k + lane is block k of its slice's row `lane`; padding has the column of its
//!   own row and a zero block.
//! * `blocks`, f32: scalar 3 r + c of entry p at (BLOCK * (p / SLICE) + 3 r + c) * SLICE + p % SLICE.
//! * `packed`, u32, the blocks for what only smooths: word w of entry p at (W * (p / SLICE) + w) * SLICE + p % SLICE. With
//!   W = BLOCK words they are those of `blocks`; with W = HALVES word w has the scalars 2 w and 2 w + 1 in 16 bits, the first
//!   in the lower half, and the upper half of the last word is that of their common factor in f32.
//! * `diagonal`, f32, over all rows of the matrix: 9 scalars G_i a row, row-major, then 9 a row of the
//!   inverse diagonal block, zero in fixed rows and columns.

use crate::layout::{BLOCK, SLICE};

/// Consecutive rows of a sliced matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First row, a multiple of SLICE.
    pub first_row: usize,
    /// Number of rows; the last slice may be partly empty.
    pub row_count: usize,
    /// Starts of the slices in columns of SLICE blocks, one more than there are slices.
    pub slices: Vec<u32>,
    /// Fixed bits of every row of every slice.
    pub fixed: Vec<u32>,
    /// Block column of every entry.
    pub columns: Vec<u32>,
}

impl Segment {
    /// The segment of rows `first_row..first_row + row_count` of the pattern whose row i couples to
    /// the rows that `neighbours(i)` lists without i itself, in the order of entries.
    ///
    /// # Panics
    /// When `first_row` is not a multiple of SLICE, or the segment has 2^32 entries or more.
    pub fn new<'a>(
        first_row: usize,
        row_count: usize,
        neighbours: impl Fn(usize) -> &'a [u32],
        fixed: impl Fn(usize) -> u32,
    ) -> Self {
        let width = SLICE as usize;
        assert_eq!(first_row % width, 0, "segments start with a slice");
        let slice_count = row_count.div_ceil(width);
        let (mut slices, mut bits, mut columns) = (vec![0u32], Vec::new(), Vec::new());
        for slice in 0..slice_count {
            let rows = (0..width).map(|lane| slice * width + lane);
            let row = |local: usize| (local < row_count).then_some(first_row + local);
            let longest = rows.clone().filter_map(row).map(|r| neighbours(r).len()).max();
            let longest = longest.unwrap_or(0);
            for k in 0..longest {
                columns.extend(rows.clone().map(|local| match row(local) {
                    Some(r) => neighbours(r).get(k).copied().unwrap_or(r as u32),
                    None => first_row as u32,
                }));
            }
            bits.extend(rows.map(|local| row(local).map_or(7, &fixed)));
            let end = columns.len() / width;
            slices.push(u32::try_from(end).expect("fewer than 2^32 entries"));
        }
        Self { first_row, row_count, slices, fixed: bits, columns }
    }

    /// Number of entries, padding included.
    pub fn entry_count(&self) -> usize {
        self.columns.len()
    }

    /// Number of slices.
    pub fn slice_count(&self) -> usize {
        self.slices.len() - 1
    }

    /// Entry of block `k` of row `row`, counted over the whole matrix.
    pub fn entry(&self, row: usize, k: usize) -> usize {
        let (slice, lane) =
            ((row - self.first_row) / SLICE as usize, (row - self.first_row) % SLICE as usize);
        (self.slices[slice] as usize + k) * SLICE as usize + lane
    }

    /// The words of the buffer `structure`.
    pub fn structure(&self) -> Vec<u32> {
        [&self.slices[..], &self.fixed[..], &self.columns[..]].concat()
    }

    /// Scalars of the buffer `blocks`.
    pub fn block_scalars(&self) -> usize {
        BLOCK as usize * self.entry_count()
    }
}

/// Index of scalar `component` (3 row + column) of entry `entry` in `blocks`.
#[inline]
pub fn block_place(entry: usize, component: usize) -> usize {
    let width = SLICE as usize;
    (BLOCK as usize * (entry / width) + component) * width + entry % width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_side_by_side_and_padding_points_at_its_own_row() {
        let lists: Vec<Vec<u32>> =
            (0..40u32).map(|i| (0..i % 3).map(|k| (i + k + 1) % 40).collect()).collect();
        let segment = Segment::new(32, 8, |i| &lists[i], |i| u32::from(i == 35));
        assert_eq!(segment.slices, [0, 2]);
        for row in 32..40 {
            for k in 0..2 {
                let column = segment.columns[segment.entry(row, k)];
                assert_eq!(column, lists[row].get(k).copied().unwrap_or(row as u32), "{row}, {k}");
            }
        }
        assert_eq!(segment.fixed[3], 1);
        assert_eq!(segment.fixed[8..], [7; 24], "rows that are not there");
        let structure = segment.structure();
        assert_eq!(structure.len(), 2 + 32 + 64);
        assert_eq!(structure[2 + 32 + segment.entry(39, 0)], segment.columns[segment.entry(39, 0)]);
    }

    #[test]
    fn blocks_of_a_slice_are_read_scalar_by_scalar() {
        assert_eq!(block_place(0, 0), 0);
        assert_eq!(block_place(1, 0), 1);
        assert_eq!(block_place(0, 1), 32);
        assert_eq!(block_place(33, 2), (9 + 2) * 32 + 1);
    }
}
