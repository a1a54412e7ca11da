//! The one list of kernels: what each is called, binds, moves and computes.

use crate::cpu::{self, Buffer};
use crate::layout::{DOT_ITEMS, WORKGROUP_SIZE, dot_partial_count};

/// What a kernel does with a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A few parameters, the same for all invocations.
    Uniform,
    /// Read only.
    Read,
    /// Written, never read (`read_write` in WGSL, which has no write-only buffers).
    Write,
    /// Read and written.
    Update,
}

/// The sizes that decide how much a call moves and computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Scalars in a vector.
    pub scalars: u64,
    /// Rows of 3 x 3 blocks.
    pub block_rows: u64,
    /// Blocks beside the diagonal.
    pub blocks: u64,
}

/// One binding of a kernel; its place in the list is its number in WGSL.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Name of the variable in WGSL.
    pub name: &'static str,
    /// What the kernel does with it.
    pub access: Access,
    /// Size of the buffer [bytes].
    pub bytes: fn(&Sizes) -> u64,
}

/// One kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Name: that of its files and of its entry point.
    pub name: &'static str,
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Bindings of group 0, in order.
    pub bindings: &'static [Binding],
    /// Workgroups that a call needs.
    pub workgroups: fn(&Sizes) -> u64,
    /// Floating-point operations of a call.
    pub flops: fn(&Sizes) -> u64,
    /// The same algorithm on the CPU, on buffers in the order of the bindings.
    pub twin: fn(&mut [Buffer<'_>]),
    /// The file, without the injected constants.
    body: &'static str,
}

impl Kernel {
    /// The complete WGSL text: the constants of [`crate::layout`], then the file.
    pub fn source(&self) -> String {
        format!(
            "const WORKGROUP_SIZE: u32 = {WORKGROUP_SIZE}u;\nconst DOT_ITEMS: u32 = {DOT_ITEMS}u;\n\n{}",
            self.body
        )
    }

    /// Bytes that a call has to move between memory and processor, each operand once: the floor
    /// that its time is measured against.
    pub fn bytes(&self, sizes: &Sizes) -> u64 {
        let moved = |binding: &Binding| match binding.access {
            Access::Uniform | Access::Read | Access::Write => (binding.bytes)(sizes),
            Access::Update => 2 * (binding.bytes)(sizes),
        };
        self.bindings.iter().map(moved).sum()
    }

    /// The grid of workgroups of a call; `None` when it is more than WebGPU can dispatch. Kernels
    /// number their groups row by row and leave those past the end of their data idle.
    pub fn grid(&self, sizes: &Sizes) -> Option<[u32; 3]> {
        let groups = (self.workgroups)(sizes);
        let width = groups.clamp(1, MAX_GROUPS_PER_DIMENSION);
        let height = groups.div_ceil(width);
        (height <= MAX_GROUPS_PER_DIMENSION).then_some([width as u32, height as u32, 1])
    }
}

/// Workgroups in one dimension of a dispatch, as WebGPU limits them.
const MAX_GROUPS_PER_DIMENSION: u64 = 65_535;

/// All kernels.
pub const KERNELS: [Kernel; 3] = [AXPBY, DOT_PARTIAL, BLOCK_SPMV];

/// The kernel of this name.
pub fn kernel(name: &str) -> Option<&'static Kernel> {
    const TABLE: &[Kernel] = &KERNELS;
    TABLE.iter().find(|kernel| kernel.name == name)
}

const fn bind(name: &'static str, access: Access, bytes: fn(&Sizes) -> u64) -> Binding {
    Binding { name, access, bytes }
}

/// Bytes of an f32 or u32.
const WORD: u64 = 4;

const AXPBY: Kernel = Kernel {
    name: "axpby",
    workgroup_size: WORKGROUP_SIZE,
    bindings: &[
        bind("params", Access::Uniform, |_| 16),
        bind("x", Access::Read, |s| WORD * s.scalars),
        bind("y", Access::Update, |s| WORD * s.scalars),
    ],
    workgroups: |s| s.scalars.div_ceil(WORKGROUP_SIZE as u64),
    flops: |s| 3 * s.scalars,
    twin: cpu::axpby::twin,
    body: include_str!("../wgsl/axpby.wgsl"),
};

const DOT_PARTIAL: Kernel = Kernel {
    name: "dot_partial",
    workgroup_size: WORKGROUP_SIZE,
    bindings: &[
        bind("params", Access::Uniform, |_| 16),
        bind("x", Access::Read, |s| WORD * s.scalars),
        bind("y", Access::Read, |s| WORD * s.scalars),
        bind("partial", Access::Write, |s| WORD * dot_partial_count(s.scalars)),
    ],
    workgroups: |s| dot_partial_count(s.scalars),
    flops: |s| 2 * s.scalars,
    twin: cpu::dot_partial::twin,
    body: include_str!("../wgsl/dot_partial.wgsl"),
};

const BLOCK_SPMV: Kernel = Kernel {
    name: "block_spmv",
    workgroup_size: WORKGROUP_SIZE,
    bindings: &[
        bind("params", Access::Uniform, |_| 16),
        bind("offsets", Access::Read, |s| WORD * (s.block_rows + 1)),
        bind("columns", Access::Read, |s| WORD * s.blocks),
        bind("blocks", Access::Read, |s| 9 * WORD * s.blocks),
        bind("row_sums", Access::Read, |s| 9 * WORD * s.block_rows),
        bind("x", Access::Read, |s| 3 * WORD * s.block_rows),
        bind("y", Access::Write, |s| 3 * WORD * s.block_rows),
    ],
    workgroups: |s| s.block_rows.div_ceil(WORKGROUP_SIZE as u64),
    // Three differences, nine products and nine sums a block; nine and six for D_i x_i.
    flops: |s| 21 * s.blocks + 15 * s.block_rows,
    twin: cpu::block_spmv::twin,
    body: include_str!("../wgsl/block_spmv.wgsl"),
};
