//! Pattern of constraint rows: the block rows that each touches, as compressed rows, whose values
//! (a 3-vector an entry) the caller keeps.

use super::KktError;
use crate::Vec3;

/// Sparsity of a constraint matrix G. Row i of G is the list `entries(i)` of (block row, 3-vector):
/// its velocity is the sum of c_k . u\[row_k\]. Entries stand in any order; a block row listed twice
/// counts with the sum of its vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstraintPattern {
    offsets: Vec<u32>,
    blocks: Vec<u32>,
}

impl ConstraintPattern {
    /// From row starts (`offsets`, one more than there are constraint rows) and the block rows of all
    /// entries, each below `size`.
    ///
    /// # Errors
    /// [`KktError::Offsets`], [`KktError::BlockRow`].
    pub fn new(offsets: Vec<u32>, blocks: Vec<u32>, size: usize) -> Result<Self, KktError> {
        let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let ends = (offsets.first(), offsets.last());
        if !rising || ends != (Some(&0), Some(&(blocks.len() as u32))) {
            return Err(KktError::Offsets { entries: blocks.len() });
        }
        let pattern = Self { offsets, blocks };
        for row in 0..pattern.count() {
            let blocks = &pattern.blocks[pattern.entries(row)];
            if let Some(&block) = blocks.iter().find(|&&block| block as usize >= size) {
                return Err(KktError::BlockRow { row, block, size });
            }
        }
        Ok(pattern)
    }

    /// From one list of block rows, each below `size`, for every constraint row.
    ///
    /// # Errors
    /// [`KktError::BlockRow`].
    pub fn from_lists<L: AsRef<[u32]>>(lists: &[L], size: usize) -> Result<Self, KktError> {
        let (mut offsets, mut blocks) = (vec![0], Vec::new());
        for list in lists {
            blocks.extend_from_slice(list.as_ref());
            offsets.push(blocks.len() as u32);
        }
        Self::new(offsets, blocks, size)
    }

    /// Takes all rows away; the memory stays.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.blocks.clear();
    }

    /// Adds an entry to the row that [`Self::end_row`] will end.
    pub fn push_entry(&mut self, block: u32) {
        self.blocks.push(block);
    }

    /// Ends a row of the entries since the last one.
    pub fn end_row(&mut self) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.offsets.push(self.blocks.len() as u32);
    }

    /// Takes the last row away.
    pub fn pop_row(&mut self) {
        self.offsets.pop();
        self.blocks.truncate(self.offsets.last().map_or(0, |&end| end as usize));
    }

    /// Velocity of row `row`: the sum of its vectors `values` times the velocities `u` of their block rows.
    ///
    /// # Panics
    /// When an array is too short.
    pub fn velocity(&self, row: usize, values: &[Vec3], u: &[Vec3]) -> f64 {
        self.row_velocity(row, values, u).0
    }

    /// Number of constraint rows.
    pub fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Number of entries of all rows.
    pub fn entry_count(&self) -> usize {
        self.blocks.len()
    }

    /// Entries of constraint row `row`.
    #[inline(always)]
    pub fn entries(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// Block row of every entry.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Row starts.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Row `row` of G u, and the sum of the magnitudes of its terms.
    #[inline(always)]
    pub(super) fn row_velocity(&self, row: usize, values: &[Vec3], u: &[Vec3]) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for entry in self.entries(row) {
            let term = values[entry].dot(&u[self.blocks[entry] as usize]);
            sums = (sums.0 + term, sums.1 + term.abs());
        }
        sums
    }

    /// `velocities = G u`, with the vectors `values` of the entries.
    ///
    /// # Panics
    /// When an array is too short.
    pub fn mul(&self, values: &[Vec3], u: &[Vec3], velocities: &mut [f64]) {
        for (row, velocity) in velocities.iter_mut().enumerate() {
            *velocity = self.row_velocity(row, values, u).0;
        }
    }

    /// `b += G^T impulses`.
    ///
    /// # Panics
    /// When an array is too short.
    pub fn add_transposed(&self, values: &[Vec3], impulses: &[f64], b: &mut [Vec3]) {
        for (row, &impulse) in impulses.iter().enumerate() {
            for entry in self.entries(row) {
                b[self.blocks[entry] as usize] += values[entry] * impulse;
            }
        }
    }

    /// The constraint rows that touch each of `size` block rows, rising, as compressed rows.
    pub(super) fn transposed(&self, size: usize) -> (Vec<u32>, Vec<u32>) {
        let mut offsets = vec![0u32; size + 1];
        self.for_each_distinct(|_, entry| offsets[self.blocks[entry] as usize + 1] += 1);
        for i in 0..size {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut rows = vec![0; offsets[size] as usize];
        self.for_each_distinct(|row, entry| {
            let place = &mut next[self.blocks[entry] as usize];
            rows[*place as usize] = row as u32;
            *place += 1;
        });
        (offsets, rows)
    }

    /// For every entry, the first one of its row with the same block row.
    pub(super) fn first_entries(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.blocks.len());
        for row in 0..self.count() {
            let entries = self.entries(row);
            let blocks = &self.blocks[entries.clone()];
            first.extend(blocks.iter().map(|block| {
                let place = blocks.iter().position(|b| b == block).expect("it is in the list");
                (entries.start + place) as u32
            }));
        }
        first
    }

    /// Calls `visit` with (row, entry) for the first entry of each block row of a row.
    fn for_each_distinct(&self, mut visit: impl FnMut(usize, usize)) {
        let first = self.first_entries();
        for row in 0..self.count() {
            self.entries(row).filter(|&e| first[e] as usize == e).for_each(|e| visit(row, e));
        }
    }
}
