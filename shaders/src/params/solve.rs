//! Parameters of the kernels of wgsl/solve.

use crate::layout::params;

params! { LAYOUTS:
    /// Parameters of the kernels over the vectors of conjugate gradients.
    SolveParams {
        /// Number of rows.
        row_count: u32,
        /// Number of workgroups that share them.
        group_count: u32,
        /// Number of partial sums that the kernel adds.
        partial_count: u32,
        /// Index of the first partial sum of r . r.
        rr: u32,
        /// Index of the first partial sum of r . z.
        rz: u32,
        /// Region of the right side of the preconditioner in `vectors`.
        r: u32,
        /// Region of its solution, or `u32::MAX` where it begins later.
        z: u32,
        /// Region of the direction of its smoother, or `u32::MAX` for none.
        d: u32,
        /// Place of its first coefficient.
        coefficient: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
        /// Fills 16 bytes.
        padding_2: u32,
    }
    /// Parameters of `solve_begin`.
    ToleranceParams {
        /// Number of partial sums of the residual.
        partial_count: u32,
        /// Share of the residual that is left when conjugate gradients stop [-].
        reduction: f32,
        /// The same where no further round is needed then [-].
        furthest: f32,
        /// Fills 16 bytes.
        padding: u32,
    }
    /// Parameters of kernels that multiply with one segment of a sliced matrix.
    ProductParams {
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
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
    }
}
