//! Parameters of the kernels of wgsl/element.

use crate::layout::params;

params! { LAYOUTS:
    /// Of `element_volume` and `corner_volumes`.
    VolumeParams {
        /// Elements of the call.
        element_count: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
        /// Unused.
        extra_2: u32,
    }
    /// Of `element_points`.
    PointParams {
        /// Elements of the call.
        element_count: u32,
        /// Place of the activation of their fibres in `factors`.
        activation_place: u32,
        /// Place of the factor of the stiffness in `factors`.
        product_place: u32,
        /// Place of the factor of the part in it that pressures and stresses of earlier steps have.
        left_product_place: u32,
        /// Place of the factor of the resistance of volumes to change.
        volume_product_place: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
        /// Unused.
        extra_2: u32,
    }
    /// Of `node_pressures`.
    NodeParams {
        /// Nodes around which volumes count.
        node_count: u32,
        /// Place of the first corner in `geometry`.
        first_corner: u32,
        /// Scalars from a change of volume to its rate there.
        rate_stride: u32,
        /// Unused.
        extra_0: u32,
    }
    /// Of `node_slopes`.
    SlopeParams {
        /// Pairs of a node and one beside it.
        slope_count: u32,
        /// Unused.
        extra_0: u32,
        /// Unused.
        extra_1: u32,
        /// Unused.
        extra_2: u32,
    }
    /// Of `assemble` and `assemble_nodes`.
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
        /// Place of the factor of forces by pressures, and by stresses that are left of earlier steps, in `factors`.
        left_force_place: u32,
        /// Place of the factor of their part in the product K v.
        left_product_place: u32,
        /// Place of the factor of the resistance of volumes to change.
        volume_product_place: u32,
    }
    /// Of `remember_stress`.
    MemoryParams {
        /// Elements of the call.
        element_count: u32,
        /// Place of the activation of their fibres in `factors`.
        activation_place: u32,
        /// Stresses that a point remembers.
        stress_count: u32,
        /// Place of the first weight in `factors`.
        weight_place: u32,
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
