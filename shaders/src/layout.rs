//! The structs that cross to WGSL and the constants injected into it. A test compares every offset
//! below with the one that naga computes from the WGSL struct of the same name.

use std::mem::{offset_of, size_of};

use bytemuck::{Pod, Zeroable};

/// Invocations of a workgroup, in every kernel: 256 is the most that WebGPU grants everywhere, and
/// what `dot_partial` can add pairwise in eight rounds. A power of two.
pub const WORKGROUP_SIZE: u32 = 256;

/// Products that an invocation of `dot_partial` adds before the workgroup joins them: enough that
/// the partial sums of a million scalars are few (489).
pub const DOT_ITEMS: u32 = 8;

/// Parameters of `axpby`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct AxpbyParams {
    /// Factor of x.
    pub a: f32,
    /// Factor of the old y.
    pub b: f32,
    /// Number of scalars.
    pub count: u32,
    /// Fills 16 bytes.
    pub padding: u32,
}

/// Parameters of `dot_partial`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct DotParams {
    /// Number of scalars.
    pub count: u32,
    /// Number of partial sums, [`dot_partial_count`] of `count`.
    pub partial_count: u32,
    /// Fills 16 bytes.
    pub padding_0: u32,
    /// Fills 16 bytes.
    pub padding_1: u32,
}

/// Parameters of `block_spmv`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct SpmvParams {
    /// Number of block rows.
    pub row_count: u32,
    /// Fills 16 bytes.
    pub padding_0: u32,
    /// Fills 16 bytes.
    pub padding_1: u32,
    /// Fills 16 bytes.
    pub padding_2: u32,
}

/// How many partial sums `dot_partial` leaves for vectors of `count` scalars.
pub fn dot_partial_count(count: u64) -> u64 {
    count.div_ceil(u64::from(WORKGROUP_SIZE * DOT_ITEMS))
}

/// Name, members with their offsets, and size [bytes] of a struct that WGSL declares too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Name of the struct, in Rust and in WGSL.
    pub name: &'static str,
    /// Name and offset [bytes] of each member, in order.
    pub members: &'static [(&'static str, usize)],
    /// Size [bytes].
    pub size: usize,
}

macro_rules! layout {
    ($name:ident { $($member:ident),+ }) => {
        StructLayout {
            name: stringify!($name),
            members: &[$((stringify!($member), offset_of!($name, $member))),+],
            size: size_of::<$name>(),
        }
    };
}

/// Every struct that crosses to WGSL.
pub const LAYOUTS: [StructLayout; 3] = [
    layout!(AxpbyParams { a, b, count, padding }),
    layout!(DotParams { count, partial_count, padding_0, padding_1 }),
    layout!(SpmvParams { row_count, padding_0, padding_1, padding_2 }),
];
