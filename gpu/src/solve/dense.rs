//! The coarsest level, inverted as a dense matrix in f32.

use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::{DENSE_TILE, PIVOT, SLICE, WORKGROUP_SIZE};
use sinew_shaders::params::DenseParams;
use sinew_shaders::program::{BufferId, Command, Program};

use super::level::{Matrix, countable};
use crate::GpuError;

/// Buffers of the dense matrix.
pub(super) struct Dense {
    size: usize,
    dense: BufferId,
    panel: BufferId,
    fixed: BufferId,
    flags: BufferId,
}

impl Dense {
    /// For a matrix of `rows` block rows with these fixed bits.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when its scalars cannot be numbered.
    pub(super) fn new(
        program: &mut Program,
        rows: usize,
        (fixed, flags): (BufferId, BufferId),
    ) -> Result<Self, GpuError> {
        let size = (3 * rows).next_multiple_of(PIVOT as usize);
        countable("the coarsest matrix", (size * size) as u64)?;
        Ok(Self {
            size,
            dense: program.add_zeros("coarsest matrix", Scalar::Float, size * size),
            panel: program.add_zeros("panel", Scalar::Float, 2 * PIVOT as usize * size),
            fixed,
            flags,
        })
    }

    fn params(&self, matrix: &Matrix) -> DenseParams {
        DenseParams {
            size: self.size as u32,
            row_count: matrix.rows as u32,
            shift: matrix.shift,
            matrix_rows: matrix.rows as u32,
            ..DenseParams::default()
        }
    }

    /// Takes the matrix and inverts it.
    pub(super) fn refresh(&self, program: &Program, matrix: &Matrix) -> Vec<Command> {
        let mut commands = vec![Command::Clear(self.dense)];
        for part in &matrix.parts {
            let params = DenseParams {
                row_count: part.row_count,
                first_row: part.first_row,
                slice_count: part.slice_count,
                ..self.params(matrix)
            };
            let bindings =
                [part.structure, part.blocks, matrix.diagonal, self.fixed, self.dense, self.flags];
            // One a row of scalars, and for what fills up the last pivots.
            let invocations = 3 * part.row_count as usize + PIVOT as usize;
            let work = (invocations, matrix.work(part).1);
            commands.push(program.call("dense_fill", &params, &bindings, work));
        }
        let tiles = self.size.div_ceil(DENSE_TILE as usize);
        let group = WORKGROUP_SIZE as usize;
        let sizes = Sizes { items: self.size as u64, ..Sizes::default() };
        for pivot in (0..self.size as u32).step_by(PIVOT as usize) {
            let params = DenseParams { pivot, ..self.params(matrix) };
            let bindings = [self.dense, self.panel, self.flags];
            commands.push(program.call("dense_panel", &params, &bindings, (tiles * group, sizes)));
            let work = (tiles * (tiles + 1) / 2 * group, sizes);
            commands.push(program.call("dense_update", &params, &[self.panel, self.dense], work));
        }
        commands
    }

    /// The inverse and its rows of scalars, where a workgroup can compute a whole solution.
    pub(super) fn of_a_group(&self, matrix: &Matrix) -> Option<(BufferId, usize)> {
        (3 * matrix.rows <= WORKGROUP_SIZE as usize).then_some((self.dense, self.size))
    }

    /// Solves from region `r` to region `x` of `vectors`.
    pub(super) fn solve(
        &self,
        program: &Program,
        matrix: &Matrix,
        (vectors, r, x): (BufferId, u32, u32),
    ) -> Command {
        let params = DenseParams { r, x, ..self.params(matrix) };
        let sizes = Sizes { rows: matrix.rows as u64, ..Sizes::default() };
        let work = (3 * matrix.rows * SLICE as usize, sizes);
        program.call("dense_product", &params, &[self.flags, self.dense, vectors], work)
    }
}
