//! Parameters of the kernels of wgsl/step.

use crate::layout::params;

params! { LAYOUTS:
    /// Parameters of the kernels over rows of a step.
    StepParams {
        /// Number of rows.
        row_count: u32,
        /// Number of load fields (`external_loads`); 1 to add (`gather_rows`); else 0.
        field_count: u32,
        /// Place in `step` of the first factor of a load.
        first_factor: u32,
        /// Fills 16 bytes.
        padding: u32,
    }
    /// Of `left_stress`.
    LeftParams {
        /// Number of quadrature points.
        point_count: u32,
        /// Stresses that each of them remembers.
        stress_count: u32,
        /// Place of the first scalar that is written in `geometry`.
        first_left: u32,
        /// Place of the first weight in `step`.
        weight_place: u32,
    }
    /// Parameters of the kernels over the border of tissue.
    BorderParams {
        /// Number of rows of the border.
        row_count: u32,
        /// Number of blocks (`border_matrix`); else 0.
        entry_count: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
    }
    /// Parameters of the kernels over fixed scalars.
    SupportParams {
        /// Number of fixed scalars.
        support_count: u32,
        /// Place in `step` of the first factor of a schedule.
        first_factor: u32,
        /// Fills 16 bytes.
        padding_0: u32,
        /// Fills 16 bytes.
        padding_1: u32,
    }
}
