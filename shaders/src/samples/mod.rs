//! A small call of every kernel, with numbers of no symmetry, on which a device and the twin must
//! agree, and a wrong kernel must not.

mod contact;
mod element;
mod element_nodes;
mod element_shape;
mod matrix;
mod multigrid;
mod sample;
mod solve;
mod step;

pub use sample::{Sample, noise};

/// All samples.
pub fn samples() -> impl Iterator<Item = Sample> {
    [
        element::samples(),
        element_nodes::samples(),
        step::samples(),
        solve::samples(),
        multigrid::samples(),
        contact::samples(),
    ]
    .into_iter()
    .flatten()
}
