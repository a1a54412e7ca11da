//! Kernels of wgsl/solve: conjugate gradients, with vectors and scalars that are `real`.

use crate::cpu::{Twin, solve as cpu, twin};
use crate::kernel::Scalar::{Float, Real, Word};
use crate::kernel::{Access, Binding, Cost, Family, GROUP, Kernel, PARAMS, Sizes, bind};
use crate::source::Precision;

const FLAGS: Binding = bind("flags", Access::Read, Word);
const FLAGS_UPDATE: Binding = bind("flags", Access::Update, Word);
const SCALARS_UPDATE: Binding = bind("scalars", Access::Update, Real);
const PARTIALS: Binding = bind("partials", Access::Read, Real);
const PARTIALS_WRITE: Binding = bind("partials", Access::Write, Real);

/// Bindings of the kernels of one workgroup that decide something.
const DECIDE: &[Binding] = &[PARAMS, PARTIALS, FLAGS_UPDATE, SCALARS_UPDATE];

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    one_group(
        "solve_scale",
        &[PARAMS, PARTIALS, SCALARS_UPDATE],
        twin!(cpu::solve_scale::solve_scale),
        include_str!("../../wgsl/solve/solve_scale.wgsl"),
    ),
    one_group(
        "solve_begin",
        DECIDE,
        twin!(cpu::solve_begin::solve_begin),
        include_str!("../../wgsl/solve/solve_begin.wgsl"),
    ),
    starts(
        "cg_start",
        &[
            PARAMS,
            FLAGS,
            bind("residual", Access::Read, Real),
            bind("diagonal", Access::Read, Float),
            bind("coefficients", Access::Read, Float),
            bind("both", Access::Write, Real),
            bind("vectors", Access::Write, Float),
            PARTIALS_WRITE,
        ],
        |s, p| Cost { bytes: (72 + 9 * p.real_bytes()) * s.rows, flops: 33 * s.rows },
        (twin!(cpu::cg_start::cg_start), include_str!("../../wgsl/solve/cg_start.wgsl")),
    ),
    sums(
        "cg_rz",
        &[
            PARAMS,
            FLAGS,
            bind("both", Access::Read, Real),
            bind("vectors", Access::Read, Float),
            PARTIALS_WRITE,
        ],
        |s, p| Cost { bytes: (12 + 3 * p.real_bytes()) * s.rows, flops: 6 * s.rows },
        (twin!(cpu::cg_rz::cg_rz), include_str!("../../wgsl/solve/cg_rz.wgsl")),
    ),
    sums(
        "cg_direction",
        &[
            PARAMS,
            PARTIALS,
            bind("vectors", Access::Read, Float),
            FLAGS_UPDATE,
            SCALARS_UPDATE,
            bind("both", Access::Update, Real),
        ],
        |s, p| Cost { bytes: (12 + 6 * p.real_bytes()) * s.rows, flops: 6 * s.rows },
        (
            twin!(cpu::cg_direction::cg_direction),
            include_str!("../../wgsl/solve/cg_direction.wgsl"),
        ),
    ),
    CG_PRODUCT,
    starts(
        "cg_update",
        &[
            PARAMS,
            bind("steps", Access::Read, Real),
            bind("diagonal", Access::Read, Float),
            bind("coefficients", Access::Read, Float),
            FLAGS_UPDATE,
            SCALARS_UPDATE,
            bind("both", Access::Update, Real),
            bind("vectors", Access::Write, Float),
            bind("partials", Access::Update, Real),
        ],
        |s, p| Cost { bytes: (72 + 18 * p.real_bytes()) * s.rows, flops: 45 * s.rows },
        (twin!(cpu::cg_update::cg_update), include_str!("../../wgsl/solve/cg_update.wgsl")),
    ),
    rows(
        "add_correction",
        &[PARAMS, FLAGS, bind("both", Access::Update, Real), bind("x", Access::Update, Real)],
        |s, p| Cost { bytes: 12 * p.real_bytes() * s.rows, flops: 3 * s.rows },
        (
            twin!(cpu::add_correction::add_correction),
            include_str!("../../wgsl/solve/add_correction.wgsl"),
        ),
    ),
];

/// Reads the matrix, each vector once, and writes one.
const CG_PRODUCT: Kernel = Kernel {
    name: "cg_product",
    workgroup_size: GROUP,
    family: Family::Real,
    bindings: &[
        PARAMS,
        FLAGS,
        bind("structure", Access::Read, Word),
        bind("blocks", Access::Read, Float),
        bind("diagonal", Access::Read, Float),
        bind("rest", Access::Read, Real),
        bind("both", Access::Update, Real),
        PARTIALS_WRITE,
    ],
    cost: |s, p| Cost {
        bytes: 40 * s.entries + (40 + 9 * p.real_bytes()) * s.rows,
        flops: 21 * s.entries + 36 * s.rows,
    },
    twin: twin!(cpu::cg_product::cg_product),
    imports: &[
        include_str!("../../wgsl/lib/product_params.wgsl"),
        include_str!("../../wgsl/lib/blocks.wgsl"),
        include_str!("../../wgsl/lib/sliced.wgsl"),
        super::TRIPLE_SUM,
    ],
    body: include_str!("../../wgsl/solve/cg_product.wgsl"),
};

/// A kernel over rows.
const fn rows(
    name: &'static str,
    bindings: &'static [Binding],
    cost: fn(&Sizes, Precision) -> Cost,
    (twin, body): (Option<Twin>, &'static str),
) -> Kernel {
    let imports = &[include_str!("../../wgsl/lib/solve_params.wgsl")];
    Kernel {
        name,
        workgroup_size: GROUP,
        family: Family::Real,
        bindings,
        cost,
        twin,
        imports,
        body,
    }
}

/// A kernel over rows whose workgroups leave or add partial sums.
const fn sums(
    name: &'static str,
    bindings: &'static [Binding],
    cost: fn(&Sizes, Precision) -> Cost,
    text: (Option<Twin>, &'static str),
) -> Kernel {
    let mut kernel = rows(name, bindings, cost, text);
    kernel.imports = &[
        include_str!("../../wgsl/lib/solve_params.wgsl"),
        super::TRIPLE_SUM,
        include_str!("../../wgsl/lib/finite.wgsl"),
    ];
    kernel
}

/// The same, with the start of the preconditioner.
const fn starts(
    name: &'static str,
    bindings: &'static [Binding],
    cost: fn(&Sizes, Precision) -> Cost,
    text: (Option<Twin>, &'static str),
) -> Kernel {
    let mut kernel = rows(name, bindings, cost, text);
    kernel.imports = &[
        include_str!("../../wgsl/lib/solve_params.wgsl"),
        super::TRIPLE_SUM,
        include_str!("../../wgsl/lib/finite.wgsl"),
        include_str!("../../wgsl/lib/sliced_inverse.wgsl"),
        include_str!("../../wgsl/lib/precondition.wgsl"),
    ];
    kernel
}

/// A kernel of one workgroup that adds `items` partial sums.
const fn one_group(
    name: &'static str,
    bindings: &'static [Binding],
    twin: Option<Twin>,
    body: &'static str,
) -> Kernel {
    let imports = &[
        include_str!("../../wgsl/lib/solve_params.wgsl"),
        include_str!("../../wgsl/lib/reduce.wgsl"),
        include_str!("../../wgsl/lib/reduce_partials.wgsl"),
        include_str!("../../wgsl/lib/finite.wgsl"),
    ];
    let cost: fn(&Sizes, Precision) -> Cost =
        |s, p| Cost { bytes: p.real_bytes() * s.items, flops: s.items };
    Kernel {
        name,
        workgroup_size: GROUP,
        family: Family::Real,
        bindings,
        cost,
        twin,
        imports,
        body,
    }
}
