//! Parameters of kernels over rows.

use crate::layout::params;

params! { LAYOUTS:
    /// Rows that a kernel over rows works on.
    RowParams {
        /// Number of rows.
        row_count: u32,
        /// Meaning stands in the kernel; 0 where it has none.
        extra_0: u32,
        /// Meaning stands in the kernel; 0 where it has none.
        extra_1: u32,
        /// Meaning stands in the kernel; 0 where it has none.
        extra_2: u32,
    }
}
