//! Kernels of wgsl/multigrid that work on the coarsest matrix, which is dense. In the costs `rows` and `entries` are
//! those of the level, `items` the scalars of the matrix, padding included.

use crate::cpu::{multigrid as cpu, twin};
use crate::kernel::Scalar::{Float, Word};
use crate::kernel::{Access, Cost, Family, GROUP, Kernel, PARAMS, bind};

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "dense_fill",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("structure", Access::Read, Word),
            bind("blocks", Access::Read, Float),
            bind("diagonal", Access::Read, Float),
            bind("fixed", Access::Read, Word),
            bind("dense", Access::Write, Float),
            bind("flags", Access::Write, Word),
        ],
        cost: |s, _| Cost { bytes: 76 * s.entries + 72 * s.rows, flops: 18 * s.entries },
        twin: twin!(cpu::dense_fill::dense_fill),
        imports: &[include_str!("../../wgsl/lib/dense_params.wgsl")],
        body: include_str!("../../wgsl/multigrid/dense_fill.wgsl"),
    },
    Kernel {
        name: "dense_panel",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("dense", Access::Read, Float),
            bind("panel", Access::Write, Float),
            bind("flags", Access::Write, Word),
        ],
        cost: |s, _| Cost { bytes: 384 * s.items, flops: 2048 * s.items },
        twin: twin!(cpu::dense_panel::dense_panel),
        imports: &[include_str!("../../wgsl/lib/dense_params.wgsl")],
        body: include_str!("../../wgsl/multigrid/dense_panel.wgsl"),
    },
    Kernel {
        name: "dense_update",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("panel", Access::Read, Float),
            bind("dense", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: 6 * s.items * s.items + 256 * s.items,
            flops: 32 * s.items * s.items,
        },
        twin: twin!(cpu::dense_update::dense_update),
        imports: &[include_str!("../../wgsl/lib/dense_params.wgsl")],
        body: include_str!("../../wgsl/multigrid/dense_update.wgsl"),
    },
    Kernel {
        name: "dense_product",
        workgroup_size: GROUP,
        family: Family::Float,
        bindings: &[
            PARAMS,
            bind("flags", Access::Read, Word),
            bind("dense", Access::Read, Float),
            bind("vectors", Access::Update, Float),
        ],
        cost: |s, _| Cost {
            bytes: 36 * s.rows * s.rows + 24 * s.rows,
            flops: 18 * s.rows * s.rows,
        },
        twin: twin!(cpu::dense_product::dense_product),
        imports: &[
            include_str!("../../wgsl/lib/dense_params.wgsl"),
            include_str!("../../wgsl/lib/reduce.wgsl"),
        ],
        body: include_str!("../../wgsl/multigrid/dense_product.wgsl"),
    },
];
