//! The one list of kernels: name, bindings, traffic and arithmetic of each. One file a group.

mod contact;
mod dense;
mod element;
mod multigrid;
mod solve;
mod step;

pub use element::{LAW_CONSTANTS, TRANSPOSED};
pub use step::LOAD_SCALARS;

use crate::kernel::Kernel;

/// WGSL of `triple_sum(value, lane)`, the sum of three reals over a workgroup.
pub const TRIPLE_SUM: &str = include_str!("../../wgsl/lib/reduce_triple.wgsl");

/// Workgroups in one dimension of a dispatch, as WebGPU limits them.
pub const MAX_GROUPS_PER_DIMENSION: u32 = 65_535;

/// The grid that has at least `groups` workgroups; `None` when that is more than WebGPU can
/// dispatch. Kernels number their groups row by row and leave those past the end of their data idle.
pub fn grid(groups: u64) -> Option<[u32; 3]> {
    grid_within(groups, MAX_GROUPS_PER_DIMENSION)
}

/// The same with at most `width` workgroups in a row.
pub fn grid_within(groups: u64, width: u32) -> Option<[u32; 3]> {
    let width = groups.clamp(1, u64::from(width));
    let height = groups.div_ceil(width).max(1);
    let fits = height <= u64::from(MAX_GROUPS_PER_DIMENSION);
    fits.then_some([width as u32, height as u32, 1])
}

/// All kernels.
pub fn kernels() -> impl Iterator<Item = &'static Kernel> {
    [
        step::KERNELS,
        solve::KERNELS,
        multigrid::KERNELS,
        dense::KERNELS,
        contact::KERNELS,
        element::KERNELS,
    ]
    .into_iter()
    .flatten()
}

/// The kernel of this name.
pub fn kernel(name: &str) -> Option<&'static Kernel> {
    kernels().find(|kernel| kernel.name == name)
}
