//! Parameters of the kernels of wgsl/contact.

use crate::layout::params;

params! { LAYOUTS:
    /// Parameters of the kernels over one level of the trees.
    TreeParams {
        /// Boxes to compute.
        count: u32,
        /// Number of the first of them.
        first: u32,
        /// Number of the first box of the level below.
        below: u32,
        /// Fills 16 bytes.
        padding: u32,
    }
    /// Parameters of the kernels over queries.
    CandidateParams {
        /// Vertices and edges that candidates are looked for.
        query_count: u32,
        /// Workgroups that share them.
        group_count: u32,
        /// Levels above the leaves.
        level_count: u32,
        /// Roots of all trees.
        root_count: u32,
        /// Boxes of all levels.
        box_count: u32,
        /// 1 where vertices may be behind faces: those of another surface.
        has_inside: u32,
        /// Pairs that the list has room for.
        capacity: u32,
        /// Fills 16 bytes.
        padding: u32,
    }
}
