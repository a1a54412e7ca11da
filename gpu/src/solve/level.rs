//! The matrix of one level in its buffers, and the calls that multiply with it.

use sinew_shaders::kernel::Sizes;
use sinew_shaders::layout::{BLOCK, MOST_PARTS, WORKGROUP_SIZE};
use sinew_shaders::matrix::Segment;
use sinew_shaders::params::{ProductParams, SmoothParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};

use crate::GpuError;

/// Rows of a matrix whose products keep a large device busy with one lane a row; those with fewer share
/// each row among up to [`MOST_PARTS`] lanes. An H100 holds 270,000 lanes. Not yet measured.
const BUSY: usize = 131_072;

/// A segment in its buffers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) structure: BufferId,
    pub(super) blocks: BufferId,
    pub(super) first_row: u32,
    pub(super) row_count: u32,
    pub(super) slice_count: u32,
    pub(super) entries: u64,
}

/// A matrix in its buffers.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) parts: Vec<Part>,
    /// G of the rows, then inverses.
    pub(super) diagonal: BufferId,
    pub(super) rows: usize,
    /// s of the difference form.
    pub(super) shift: f32,
}

impl Matrix {
    /// Takes one more segment.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when its scalars cannot be numbered.
    pub(super) fn push(
        &mut self,
        program: &mut Program,
        segment: &Segment,
        blocks: BufferId,
    ) -> Result<(), GpuError> {
        countable("the blocks of a matrix", u64::from(BLOCK) * segment.entry_count() as u64)?;
        let structure = Data::Words(segment.structure());
        self.parts.push(Part {
            structure: program.add_data("structure of a matrix", structure),
            blocks,
            first_row: segment.first_row as u32,
            row_count: segment.row_count as u32,
            slice_count: segment.slice_count() as u32,
            entries: segment.entry_count() as u64,
        });
        Ok(())
    }

    /// Lanes that share a row.
    pub(super) fn lanes(&self) -> usize {
        let mut lanes = 1;
        while lanes < MOST_PARTS && lanes * self.rows < BUSY {
            lanes *= 2;
        }
        lanes
    }

    /// Workgroups that multiply, and so partial sums.
    pub(super) fn group_count(&self) -> usize {
        self.rows.div_ceil(WORKGROUP_SIZE as usize / self.lanes())
    }

    /// Invocations and sizes of a product with one segment.
    pub(super) fn work(&self, part: &Part) -> (usize, Sizes) {
        let rows = WORKGROUP_SIZE as usize / self.lanes();
        let groups = (part.row_count as usize).div_ceil(rows);
        let sizes =
            Sizes { rows: part.row_count.into(), entries: part.entries, ..Sizes::default() };
        (groups * WORKGROUP_SIZE as usize, sizes)
    }

    /// Parameters of a product with one segment.
    pub(super) fn product_params(&self, part: &Part) -> ProductParams {
        ProductParams {
            first_row: part.first_row,
            row_count: part.row_count,
            slice_count: part.slice_count,
            parts: self.lanes() as u32,
            shift: self.shift,
            matrix_rows: self.rows as u32,
            ..ProductParams::default()
        }
    }

    /// The same for the kernels of a smoother, without regions.
    pub(super) fn smooth_params(&self, part: &Part) -> SmoothParams {
        SmoothParams {
            first_row: part.first_row,
            row_count: part.row_count,
            slice_count: part.slice_count,
            parts: self.lanes() as u32,
            shift: self.shift,
            matrix_rows: self.rows as u32,
            ..SmoothParams::default()
        }
    }

    /// Renews the inverse diagonal blocks.
    pub(super) fn invert_diagonal(&self, program: &Program) -> Vec<Command> {
        let invert = |part: &Part| {
            let bindings = [part.structure, part.blocks, self.diagonal];
            let sizes = self.work(part).1;
            let work = (part.row_count as usize, sizes);
            program.call("invert_diagonal", &self.product_params(part), &bindings, work)
        };
        self.parts.iter().map(invert).collect()
    }
}

/// Checks that `count` words can be numbered by u32.
pub(super) fn countable(what: &str, count: u64) -> Result<(), GpuError> {
    let limit = 4 * (u64::from(u32::MAX) + 1);
    if 4 * count < limit {
        return Ok(());
    }
    Err(GpuError::TooLarge { what: what.to_owned(), bytes: 4 * count, limit })
}
