//! The kernels in Rust, f32, statement by statement: what a device must compute, up to its
//! contraction of products and sums. For tests and for bisecting; the fast CPU path is elsewhere.

pub mod axpby;
pub mod block_spmv;
pub mod dot_partial;

/// A buffer as a twin sees it, in the order of the kernel's bindings.
#[derive(Debug)]
pub enum Buffer<'a> {
    /// The parameter struct, as bytes.
    Uniform(&'a [u8]),
    /// Indices, read.
    Words(&'a [u32]),
    /// Scalars, read.
    Floats(&'a [f32]),
    /// Scalars, written.
    Results(&'a mut [f32]),
}
