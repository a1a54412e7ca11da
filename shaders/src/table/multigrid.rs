//! Kernels of wgsl/multigrid: the preconditioners, in f32, but for the dense matrix. In the costs `rows` and `entries`
//! are those of the level, `items` the rows of the next (of packed blocks: words a block).

use super::{Access, Cost, Family, GROUP, GalerkinParams, Kernel, PARAMS, SmoothParams, bind};
use crate::cpu::sliced::{Blocks, Sliced};
use crate::cpu::{multigrid as cpu, twin};
use crate::program::Scalar::{Float, Real, Word};

/// Structure, blocks and diagonal of a segment.
type Parts<'a> = (&'a [u32], &'a [f32], &'a [f32]);

/// Structure, packed blocks and diagonal of a segment.
type PackedParts<'a> = (&'a [u32], &'a [u32], &'a [f32]);

impl SmoothParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, packed, diagonal): PackedParts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: self.parts as usize,
            shift: self.shift,
            structure,
            blocks: Blocks::Packed(packed, self.words),
            diagonal,
        }
    }
}

impl GalerkinParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, blocks, diagonal): Parts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: 1,
            shift: self.shift,
            structure,
            blocks: Blocks::Floats(blocks),
            diagonal,
        }
    }
}

/// Pieces of the kernels that sweep.
const SWEEP: &[&str] = &[
    include_str!("../../wgsl/lib/smooth_params.wgsl"),
    include_str!("../../wgsl/lib/sliced_level.wgsl"),
    include_str!("../../wgsl/lib/sliced_inverse.wgsl"),
    include_str!("../../wgsl/lib/level_store.wgsl"),
    include_str!("../../wgsl/lib/packed.wgsl"),
    include_str!("../../wgsl/lib/sliced.wgsl"),
];

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "invert_diagonal",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("blocks", Access::Read, Float),
            bind("diagonal", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: 36 * s.entries + 76 * s.rows,
            flops: 9 * s.entries + 60 * s.rows,
        },
        twin: twin!(cpu::invert_diagonal::invert_diagonal),
        imports: &[include_str!("../../wgsl/lib/product_params.wgsl")],
        body: include_str!("../../wgsl/multigrid/invert_diagonal.wgsl"),
    },
    Kernel {
        name: "pack",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("blocks", Access::Read, Float),
            bind("packed", Access::Write, Word),
        ],
        cost: |s, _| Cost { bytes: (36 + 4 * s.items) * s.entries, flops: 9 * s.entries },
        twin: twin!(cpu::pack::pack),
        imports: &[],
        body: include_str!("../../wgsl/multigrid/pack.wgsl"),
    },
    Kernel {
        name: "smooth_sweep",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("structure", Access::Read, Word),
            bind("packed", Access::Read, Word),
            bind("diagonal", Access::Read, Float),
            bind("coefficients", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: (4 + 4 * s.items) * s.entries + 144 * s.rows,
            flops: 21 * s.entries + 54 * s.rows,
        },
        twin: twin!(cpu::smooth_sweep::smooth_sweep),
        imports: SWEEP,
        body: include_str!("../../wgsl/multigrid/smooth_sweep.wgsl"),
    },
    Kernel {
        name: "smooth_last",
        workgroup_size: GROUP,
        family: Family::Real,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("structure", Access::Read, Word),
            bind("packed", Access::Read, Word),
            bind("diagonal", Access::Read, Float),
            bind("coefficients", Access::Read, Float),
            bind("both", Access::Read, Real),
            bind("vectors", Access::Update, Float),
            bind("partials", Access::Write, Real),
        ],
        cost: |s, p| Cost {
            bytes: (4 + 4 * s.items) * s.entries + (120 + 3 * p.real_bytes()) * s.rows,
            flops: 21 * s.entries + 60 * s.rows,
        },
        twin: twin!(cpu::smooth_last::smooth_last),
        imports: &[
            include_str!("../../wgsl/lib/smooth_params.wgsl"),
            include_str!("../../wgsl/lib/sliced_level.wgsl"),
            include_str!("../../wgsl/lib/sliced_inverse.wgsl"),
            include_str!("../../wgsl/lib/level_store.wgsl"),
            include_str!("../../wgsl/lib/packed.wgsl"),
            include_str!("../../wgsl/lib/sliced.wgsl"),
            include_str!("../../wgsl/lib/reduce_triple.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/smooth_last.wgsl"),
    },
    Kernel {
        name: "smooth_residual",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("structure", Access::Read, Word),
            bind("packed", Access::Read, Word),
            bind("diagonal", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: (4 + 4 * s.items) * s.entries + 72 * s.rows,
            flops: 21 * s.entries + 21 * s.rows,
        },
        twin: twin!(cpu::smooth_residual::smooth_residual),
        imports: &[
            include_str!("../../wgsl/lib/smooth_params.wgsl"),
            include_str!("../../wgsl/lib/sliced_level.wgsl"),
            include_str!("../../wgsl/lib/level_store.wgsl"),
            include_str!("../../wgsl/lib/packed.wgsl"),
            include_str!("../../wgsl/lib/sliced.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/smooth_residual.wgsl"),
    },
    Kernel {
        name: "restrict_residual",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("maps", Access::Read, Word),
            bind("modes", Access::Read, Float),
            bind("fine", Access::Read, Float),
            bind("diagonal", Access::Read, Float),
            bind("coefficients", Access::Read, Float),
            bind("vectors", Access::Write, Float),
        ],
        cost: |s, _| Cost { bytes: 88 * s.rows + 120 * s.items, flops: 36 * s.rows + 36 * s.items },
        twin: twin!(cpu::restrict_residual::restrict_residual),
        imports: &[
            include_str!("../../wgsl/lib/transfer_params.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
            include_str!("../../wgsl/lib/sliced_inverse.wgsl"),
            include_str!("../../wgsl/lib/level_store.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/restrict_residual.wgsl"),
    },
    Kernel {
        name: "prolong",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("maps", Access::Read, Word),
            bind("modes", Access::Read, Float),
            bind("coarse", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        cost: |s, _| Cost { bytes: 112 * s.rows + 24 * s.items, flops: 42 * s.rows },
        twin: twin!(cpu::prolong::prolong),
        imports: &[
            include_str!("../../wgsl/lib/transfer_params.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
            include_str!("../../wgsl/lib/level_store.wgsl"),
            include_str!("../../wgsl/lib/correct.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/prolong.wgsl"),
    },
    Kernel {
        name: "prolong_dense",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("maps", Access::Read, Word),
            bind("modes", Access::Read, Float),
            bind("dense", Access::Read, Float),
            bind("coarse", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        // The dense matrix once, though every group reads it.
        cost: |s, _| Cost {
            bytes: 112 * s.rows + 24 * s.items + 36 * s.items * s.items,
            flops: 42 * s.rows + 18 * s.items * s.items,
        },
        twin: twin!(cpu::prolong_dense::prolong_dense),
        imports: &[
            include_str!("../../wgsl/lib/transfer_params.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
            include_str!("../../wgsl/lib/level_store.wgsl"),
            include_str!("../../wgsl/lib/correct.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/prolong_dense.wgsl"),
    },
    Kernel {
        name: "modes_fine",
        workgroup_size: GROUP,
        family: Family::Real,
        bindings: &[
            PARAMS,
            bind("maps", Access::Read, Word),
            bind("fixed", Access::Read, Word),
            bind("rest", Access::Read, Float),
            bind("displacement", Access::Read, Real),
            bind("modes", Access::Update, Float),
            bind("rigid", Access::Write, Float),
        ],
        cost: |s, p| Cost {
            bytes: (92 + 3 * p.real_bytes()) * s.rows + 156 * s.items,
            flops: 600 * s.rows,
        },
        twin: twin!(cpu::modes_fine::modes_fine),
        imports: &[
            include_str!("../../wgsl/lib/transfer_params.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
            include_str!("../../wgsl/lib/orthonormalize.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/modes_fine.wgsl"),
    },
    Kernel {
        name: "modes_coarse",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("maps", Access::Read, Word),
            bind("above", Access::Read, Float),
            bind("modes", Access::Update, Float),
            bind("rigid", Access::Write, Float),
        ],
        cost: |s, _| Cost { bytes: 156 * s.rows + 156 * s.items, flops: 600 * s.rows },
        twin: twin!(cpu::modes_coarse::modes_coarse),
        imports: &[
            include_str!("../../wgsl/lib/transfer_params.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
            include_str!("../../wgsl/lib/orthonormalize.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/modes_coarse.wgsl"),
    },
    Kernel {
        name: "galerkin_diagonal",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("blocks", Access::Read, Float),
            bind("diagonal", Access::Read, Float),
            bind("maps", Access::Read, Word),
            bind("modes", Access::Read, Float),
            bind("rigid", Access::Read, Float),
            bind("coarse_diagonal", Access::Update, Float),
            bind("coarse_blocks", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: 40 * s.entries + 112 * s.rows + 144 * s.items,
            flops: 126 * s.entries + 270 * s.rows,
        },
        twin: twin!(cpu::galerkin_diagonal::galerkin_diagonal),
        imports: &[
            include_str!("../../wgsl/lib/galerkin.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/galerkin_diagonal.wgsl"),
    },
    Kernel {
        name: "galerkin_coupling",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("blocks", Access::Read, Float),
            bind("lists", Access::Read, Word),
            bind("modes", Access::Read, Float),
            bind("coarse_blocks", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: 48 * s.contributions + 288 * s.items,
            flops: 324 * s.contributions,
        },
        twin: twin!(cpu::galerkin_coupling::galerkin_coupling),
        imports: &[
            include_str!("../../wgsl/lib/galerkin.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
            include_str!("../../wgsl/lib/modes.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/galerkin_coupling.wgsl"),
    },
    Kernel {
        name: "noise",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[PARAMS, bind("vectors", Access::Write, Float)],
        cost: |s, _| Cost { bytes: 12 * s.rows, flops: 6 * s.rows },
        twin: twin!(cpu::noise::noise),
        imports: &[],
        body: include_str!("../../wgsl/multigrid/noise.wgsl"),
    },
    Kernel {
        name: "power_step",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("packed", Access::Read, Word),
            bind("diagonal", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: (4 + 4 * s.items) * s.entries + 96 * s.rows,
            flops: 21 * s.entries + 36 * s.rows,
        },
        twin: twin!(cpu::power_step::power_step),
        imports: SWEEP,
        body: include_str!("../../wgsl/multigrid/power_step.wgsl"),
    },
    Kernel {
        name: "power_quotient",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("packed", Access::Read, Word),
            bind("diagonal", Access::Read, Float),
            bind("vectors", Access::Read, Float),
            bind("partials", Access::Write, Float),
        ],
        cost: |s, _| Cost {
            bytes: (4 + 4 * s.items) * s.entries + 84 * s.rows,
            flops: 21 * s.entries + 45 * s.rows,
        },
        twin: twin!(cpu::power_quotient::power_quotient),
        imports: &[
            include_str!("../../wgsl/lib/smooth_params.wgsl"),
            include_str!("../../wgsl/lib/sliced_level.wgsl"),
            include_str!("../../wgsl/lib/sliced_inverse.wgsl"),
            include_str!("../../wgsl/lib/packed.wgsl"),
            include_str!("../../wgsl/lib/sliced.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/power_quotient.wgsl"),
    },
    Kernel {
        name: "chebyshev",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("partials", Access::Read, Float),
            bind("coefficients", Access::Write, Float),
        ],
        cost: |s, _| Cost { bytes: 8 * s.items, flops: 2 * s.items },
        twin: twin!(cpu::chebyshev::chebyshev),
        imports: &[include_str!("../../wgsl/lib/reduce.wgsl")],
        body: include_str!("../../wgsl/multigrid/chebyshev.wgsl"),
    },
];
