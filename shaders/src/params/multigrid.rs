//! Parameters of the kernels of wgsl/multigrid.

use crate::layout::params;

params! { LAYOUTS:
    /// Parameters of the kernels that multiply on one level. Regions are places in `vectors` where a
    /// vector of the level begins.
    SmoothParams {
        /// First row of the segment.
        first_row: u32,
        /// Number of its rows.
        row_count: u32,
        /// Number of its slices.
        slice_count: u32,
        /// Lanes that share a row: 1, 2, 4 or 8.
        parts: u32,
        /// s of the difference form.
        shift: f32,
        /// Rows of the whole matrix, after whose G the inverses begin in `diagonal`.
        matrix_rows: u32,
        /// Region of the residual before.
        r_in: u32,
        /// Region of the residual after.
        r_out: u32,
        /// Region of the direction that is multiplied.
        v: u32,
        /// Region of the next direction.
        next: u32,
        /// Region of the solution.
        x: u32,
        /// Place of the coefficient of the old direction.
        c_old: u32,
        /// Place of the coefficient of the residual.
        c_new: u32,
        /// Index of the first partial sum of r . x (`smooth_last`).
        rz: u32,
        /// Words of a packed block: HALVES, or BLOCK where it is as it was.
        words: u32,
        /// Fills 16 bytes.
        padding: u32,
    }
    /// Parameters of `pack`.
    PackParams {
        /// Number of blocks.
        entry_count: u32,
        /// Words of a packed block: HALVES, or BLOCK where it is as it was.
        words: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
    }
    /// Parameters of the kernels between two levels; regions as in [`SmoothParams`].
    TransferParams {
        /// Number of aggregates.
        aggregate_count: u32,
        /// Rows of the level.
        row_count: u32,
        /// Index of the first aggregate of its rows in `maps`.
        of_row: u32,
        /// Region of its residual.
        r: u32,
        /// Region of the latest change.
        d: u32,
        /// Region of its solution.
        x: u32,
        /// Region of the right side of the next level.
        coarse_r: u32,
        /// Region of the direction there, or `u32::MAX` for no smoothing.
        coarse_d: u32,
        /// Region of the solution there.
        coarse_x: u32,
        /// Place of the first coefficient of the smoother there.
        coefficient: u32,
        /// Factor of a correction [-].
        factor: f32,
        /// Rows of scalars of the dense matrix of the next level (`prolong_dense`).
        size: u32,
    }
    /// Parameters of the Galerkin product with one segment.
    GalerkinParams {
        /// First row of the segment.
        first_row: u32,
        /// Number of its rows.
        row_count: u32,
        /// Number of its slices.
        slice_count: u32,
        /// s of the difference form.
        shift: f32,
        /// Number of aggregates.
        aggregate_count: u32,
        /// Index of the first aggregate of the rows in `maps`.
        of_row: u32,
        /// Index of the first entry (2a, 2a + 1) of the coarse matrix in `maps`.
        bases: u32,
        /// Number of coupled pairs of aggregates.
        pair_count: u32,
        /// 1 when the sums are added to those of another segment.
        add: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
        /// Fills 16 bytes.
        padding_2: u32,
    }
    /// Parameters of `chebyshev`.
    ChebyshevParams {
        /// Number of pairs of partial sums.
        partial_count: u32,
        /// Place of the first coefficient.
        place: u32,
        /// Factor of the eigenvalue [-].
        safety: f32,
        /// Largest eigenvalue over the smallest that is smoothed [-].
        range: f32,
    }
    /// Parameters of the kernels of the coarsest level.
    DenseParams {
        /// Rows of scalars of the dense matrix, a multiple of PIVOT.
        size: u32,
        /// Rows of the segment (`dense_fill`), or of the matrix.
        row_count: u32,
        /// First of the pivots.
        pivot: u32,
        /// First row of the segment.
        first_row: u32,
        /// Number of its slices.
        slice_count: u32,
        /// s of the difference form.
        shift: f32,
        /// Region of the right side.
        r: u32,
        /// Region of the solution.
        x: u32,
        /// Rows of the whole matrix.
        matrix_rows: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
        /// Fills 16 bytes.
        padding_2: u32,
    }
}
