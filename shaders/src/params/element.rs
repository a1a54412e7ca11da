//! Parameters of the kernels of wgsl/element.

use crate::layout::params;

params! { LAYOUTS:
    /// Of `element_points`.
    PointParams {
        /// Elements of the call.
        element_count: u32,
        /// Place of the activation of their fibres in `factors`.
        activation_place: u32,
        /// Unused.
        extra_1: u32,
        /// Unused.
        extra_2: u32,
    }
    /// Of `assemble`.
    AssembleParams {
        /// Entries of the matrix that are added to.
        entry_count: u32,
        /// Place of the factor of the stiffness in `factors`.
        factor_place: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
    }
    /// Of `element_stress`.
    StressParams {
        /// Elements of the call.
        element_count: u32,
        /// Number of the first of them among all elements of the model.
        first_element: u32,
        /// Place of the factor of the forces in `factors`.
        force_place: u32,
        /// Place of the factor of the product K v in `factors`.
        product_place: u32,
        /// Place of the activation of their fibres in `factors`.
        activation_place: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
        /// Unused.
        extra_2: u32,
    }
    /// Of `element_forces`.
    NodalParams {
        /// Elements of the call.
        element_count: u32,
        /// Number of their first corner in `nodal`.
        first_nodal: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
    }
}
