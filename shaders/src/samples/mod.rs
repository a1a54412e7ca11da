//! A small program for every kernel, on which a device and the twin must agree. One file a group.

use crate::program::Program;
use crate::source::Precision;

/// One call of a kernel on generic numbers that exercise every branch of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// The program: exactly one list of one dispatch, of this kernel.
    pub program: fn(Precision) -> Program,
    /// Largest difference in f32, relative to the largest entry of a written buffer [-].
    pub tolerance: f64,
}

/// All samples.
pub fn samples() -> Vec<Sample> {
    Vec::new()
}
