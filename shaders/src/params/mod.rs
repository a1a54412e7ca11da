//! The uniform structs of all kernels, one file a group. WGSL declares each of them too.

mod contact;
mod element;
mod multigrid;
mod rows;
mod solve;
mod step;

pub use contact::*;
pub use element::*;
pub use multigrid::*;
pub use rows::*;
pub use solve::*;
pub use step::*;

use crate::layout::StructLayout;

/// Layouts of all structs that cross to WGSL.
pub fn layouts() -> impl Iterator<Item = &'static StructLayout> {
    [
        rows::LAYOUTS,
        step::LAYOUTS,
        solve::LAYOUTS,
        multigrid::LAYOUTS,
        contact::LAYOUTS,
        element::LAYOUTS,
    ]
    .into_iter()
    .flatten()
}
