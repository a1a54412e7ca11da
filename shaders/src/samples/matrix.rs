//! Parts of the samples of the solve: a segment of a matrix in the sliced format, vectors, flags.

use bytemuck::Pod;

use super::sample::noise;
use crate::cpu::{Buffer, Call};
use crate::kernel::Sizes;
use crate::layout::{HALVES, flag};
use crate::matrix::Segment;
use crate::params::PackParams;
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;

/// Rows of the segment: one workgroup and a part of another.
pub(super) const ROWS: usize = 261;

/// First row of the segment.
pub(super) const FIRST: usize = 256;

/// Rows of the matrix, some of them after the segment.
pub(super) const TOTAL: usize = FIRST + ROWS + 60;

/// A program in the making, whose buffers are filled from a counter of seeds.
pub(super) struct Maker {
    pub(super) program: Program,
    seed: u64,
}

/// A segment of a matrix in its buffers.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) structure: BufferId,
    pub(super) blocks: BufferId,
    /// The same in 16 bits.
    pub(super) halves: BufferId,
    /// The same as they are, as words.
    pub(super) words: BufferId,
    /// G and inverses of all rows.
    pub(super) diagonal: BufferId,
    pub(super) first_row: u32,
    pub(super) slice_count: u32,
    pub(super) entries: usize,
}

impl Maker {
    pub(super) fn new(precision: Precision) -> Self {
        Self { program: Program::new(precision), seed: 0 }
    }

    pub(super) fn noise(&mut self, count: usize) -> Vec<f64> {
        self.seed += 1;
        noise(count, self.seed)
    }

    pub(super) fn reals(&mut self, name: &str, count: usize) -> BufferId {
        let values = self.noise(count);
        self.program.add_data(name, Data::Reals(values))
    }

    pub(super) fn floats(&mut self, name: &str, count: usize) -> BufferId {
        let values = self.noise(count).iter().map(|&x| x as f32).collect();
        self.program.add_data(name, Data::Floats(values))
    }

    pub(super) fn words(&mut self, name: &str, words: Vec<u32>) -> BufferId {
        self.program.add_data(name, Data::Words(words))
    }

    /// Flags that are 0 but for these.
    pub(super) fn flags(&mut self, set: &[(u32, u32)]) -> BufferId {
        let mut flags = vec![0; flag::COUNT as usize];
        set.iter().for_each(|&(place, value)| flags[place as usize] = value);
        self.words("flags", flags)
    }

    /// Rows FIRST .. FIRST + ROWS of a matrix of TOTAL rows, with all combinations of fixed scalars and
    /// positive diagonal blocks.
    pub(super) fn matrix(&mut self) -> Matrix {
        self.segment(FIRST)
    }

    /// ROWS rows from `first` on.
    pub(super) fn segment(&mut self, first: usize) -> Matrix {
        let lists: Vec<Vec<u32>> = (0..TOTAL).map(neighbours).collect();
        let segment = Segment::new(first, ROWS, |i| &lists[i], |i| (i / 3 % 8) as u32);
        let mut blocks = self.noise(segment.block_scalars());
        for (entry, &column) in segment.columns.iter().enumerate() {
            let (slice, lane) = (entry / 32, entry % 32);
            let own = first + 32 * slice_of(&segment, slice) + lane;
            if column as usize == own || own >= first + ROWS {
                (0..9).for_each(|c| blocks[crate::matrix::block_place(entry, c)] = 0.0);
            }
        }
        let halves = halved(&blocks);
        let words = blocks.iter().map(|&x| (x as f32).to_bits()).collect();
        let mut diagonal = self.noise(18 * TOTAL);
        for g in diagonal[..9 * TOTAL].chunks_mut(9) {
            (0..3).for_each(|a| g[4 * a] += 20.0);
        }
        let floats = |v: Vec<f64>| Data::Floats(v.iter().map(|&x| x as f32).collect());
        Matrix {
            structure: self.words("structure", segment.structure()),
            halves: self.words("halves", halves),
            words: self.words("words", words),
            blocks: self.program.add_data("blocks", floats(blocks)),
            diagonal: self.program.add_data("diagonal", floats(diagonal)),
            first_row: first as u32,
            slice_count: segment.slice_count() as u32,
            entries: segment.entry_count(),
        }
    }

    pub(super) fn finish(
        mut self,
        kernel: &str,
        params: &impl Pod,
        bindings: &[BufferId],
        invocations: usize,
    ) -> Program {
        let sizes = Sizes { rows: ROWS as u64, items: ROWS as u64, ..Sizes::default() };
        let call = self.program.call(kernel, params, bindings, (invocations, sizes));
        self.program.add_list(vec![call]);
        self.program
    }
}

/// Blocks in 16 bits, by the twin of the kernel.
fn halved(blocks: &[f64]) -> Vec<u32> {
    let entries = blocks.len() / 9;
    let blocks: Vec<f32> = blocks.iter().map(|&x| x as f32).collect();
    let mut halves = vec![0; 5 * entries];
    let params = PackParams { entry_count: entries as u32, words: HALVES, ..PackParams::default() };
    let buffers = &mut [Buffer::Floats(&blocks), Buffer::WordsMut(&mut halves)];
    let params = bytemuck::bytes_of(&params);
    crate::cpu::multigrid::pack::pack::<f32>(Call { params, groups: 1, buffers });
    halves
}

/// Slice that a column of entries belongs to.
fn slice_of(segment: &Segment, column: usize) -> usize {
    segment.slices.partition_point(|&start| start as usize <= column) - 1
}

/// Two to eleven rows, near and far, rising.
fn neighbours(i: usize) -> Vec<u32> {
    let steps = [1, 3, 7, 20, 51, 2, 90, 33, 140, 11, 64];
    let mut list: Vec<u32> =
        steps[..2 + i * 5 % 10].iter().map(|s| ((i + s) % TOTAL) as u32).collect();
    list.sort_unstable();
    list
}
