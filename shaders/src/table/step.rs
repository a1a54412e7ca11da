//! Kernels of wgsl/step: all those of a step outside its solve. The state is displacement from rest
//! and velocity, one 3-vector a row.

use crate::cpu::{step as cpu, twin};
use crate::kernel::Scalar::{Float, Real, Word};
use crate::kernel::{Access, Binding, Cost, Family, GROUP, Kernel, PARAMS, Sizes, bind};
use crate::source::Precision;

/// Scalars a row of the buffer `loads`: mass [kg], drag [N s/m], force [N].
pub const LOAD_SCALARS: usize = 5;

const STEP: Binding = bind("step", Access::Read, Real);
const STRUCTURE: Binding = bind("structure", Access::Read, Word);

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    kernel(
        "external_loads",
        &[PARAMS, STEP, bind("fields", Access::Read, Real), bind("loads", Access::Update, Real)],
        |s, p| Cost {
            bytes: p.real_bytes() * 3 * s.rows * (s.items + 1),
            flops: 6 * s.rows * s.items,
        },
        (
            twin!(cpu::external_loads::external_loads),
            include_str!("../../wgsl/step/external_loads.wgsl"),
        ),
    ),
    kernel(
        "prescribe_velocities",
        &[
            PARAMS,
            STEP,
            bind("supports", Access::Read, Word),
            bind("displacements", Access::Read, Real),
            bind("d", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("x", Access::Write, Real),
        ],
        |s, p| Cost { bytes: (8 + 4 * p.real_bytes()) * s.items, flops: 6 * s.items },
        (
            twin!(cpu::prescribe_velocities::prescribe_velocities),
            include_str!("../../wgsl/step/prescribe_velocities.wgsl"),
        ),
    ),
    kernel(
        "prescribe_positions",
        &[
            PARAMS,
            STEP,
            bind("supports", Access::Read, Word),
            bind("displacements", Access::Read, Real),
            bind("d", Access::Write, Real),
        ],
        |s, p| Cost { bytes: (8 + 2 * p.real_bytes()) * s.items, flops: s.items },
        (
            twin!(cpu::prescribe_positions::prescribe_positions),
            include_str!("../../wgsl/step/prescribe_positions.wgsl"),
        ),
    ),
    kernel(
        "fixed_part",
        &[
            PARAMS,
            bind("fixed", Access::Read, Word),
            bind("x", Access::Read, Real),
            bind("y", Access::Write, Real),
        ],
        |s, p| Cost { bytes: (4 + 6 * p.real_bytes()) * s.rows, flops: 0 },
        (twin!(cpu::fixed_part::fixed_part), include_str!("../../wgsl/step/fixed_part.wgsl")),
    ),
    kernel(
        "shift_velocity",
        &[
            PARAMS,
            STEP,
            bind("x", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("v", Access::Write, Real),
        ],
        |s, p| Cost { bytes: 9 * p.real_bytes() * s.rows, flops: 6 * s.rows },
        (
            twin!(cpu::shift_velocity::shift_velocity),
            include_str!("../../wgsl/step/shift_velocity.wgsl"),
        ),
    ),
    kernel(
        "gather_rows",
        &[
            PARAMS,
            bind("corners", Access::Read, Word),
            bind("nodal", Access::Read, Real),
            bind("y", Access::Update, Real),
        ],
        |s, p| Cost {
            bytes: (4 + 3 * p.real_bytes()) * (s.rows + s.contributions),
            flops: 3 * s.contributions,
        },
        (twin!(cpu::gather_rows::gather_rows), include_str!("../../wgsl/step/gather_rows.wgsl")),
    ),
    kernel(
        "residual_rows",
        &[
            PARAMS,
            STEP,
            bind("fixed", Access::Read, Word),
            bind("loads", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("x", Access::Read, Real),
            bind("residual", Access::Update, Real),
            bind("partials", Access::Write, Real),
        ],
        |s, p| Cost { bytes: (4 + 17 * p.real_bytes()) * s.rows, flops: 30 * s.rows },
        (
            twin!(cpu::residual_rows::residual_rows),
            include_str!("../../wgsl/step/residual_rows.wgsl"),
        ),
    ),
    kernel(
        "left_stress",
        &[PARAMS, STEP, bind("memory", Access::Read, Real), bind("geometry", Access::Write, Real)],
        // Counts as items the stresses of all points, and points.
        |s, p| Cost { bytes: 6 * p.real_bytes() * (s.items + s.points), flops: 12 * s.items },
        (twin!(cpu::left_stress::left_stress), include_str!("../../wgsl/step/left_stress.wgsl")),
    ),
    kernel(
        "row_sums",
        &[PARAMS, STEP, bind("loads", Access::Read, Real), bind("diagonal", Access::Update, Float)],
        |s, p| Cost { bytes: (36 + 2 * p.real_bytes()) * s.rows, flops: 2 * s.rows },
        (twin!(cpu::row_sums::row_sums), include_str!("../../wgsl/step/row_sums.wgsl")),
    ),
    kernel(
        "gather_border",
        &[
            PARAMS,
            STRUCTURE,
            bind("d", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("motion", Access::Write, Real),
        ],
        |s, p| Cost { bytes: (4 + 12 * p.real_bytes()) * s.rows, flops: 0 },
        (
            twin!(cpu::gather_border::gather_border),
            include_str!("../../wgsl/step/gather_border.wgsl"),
        ),
    ),
    kernel(
        "border_residual",
        &[
            PARAMS,
            STRUCTURE,
            bind("impulses", Access::Read, Real),
            bind("blocks", Access::Read, Real),
            bind("v", Access::Read, Real),
            bind("residual", Access::Update, Real),
        ],
        |s, p| Cost {
            bytes: (8 + 9 * p.real_bytes()) * s.rows + (4 + 12 * p.real_bytes()) * s.entries,
            flops: 3 * s.rows + 18 * s.entries,
        },
        (
            twin!(cpu::border_residual::border_residual),
            include_str!("../../wgsl/step/border_residual.wgsl"),
        ),
    ),
    kernel(
        "border_sums",
        &[
            PARAMS,
            STRUCTURE,
            bind("blocks", Access::Read, Real),
            bind("diagonal", Access::Update, Float),
        ],
        |s, p| Cost {
            bytes: (8 + 72) * s.rows + 9 * p.real_bytes() * s.entries,
            flops: 9 * s.entries,
        },
        (twin!(cpu::border_sums::border_sums), include_str!("../../wgsl/step/border_sums.wgsl")),
    ),
    kernel(
        "border_matrix",
        &[
            PARAMS,
            bind("places", Access::Read, Word),
            bind("border", Access::Read, Real),
            bind("blocks", Access::Update, Float),
        ],
        |s, p| Cost { bytes: (8 + 72 + 9 * p.real_bytes()) * s.entries, flops: 9 * s.entries },
        (
            twin!(cpu::border_matrix::border_matrix),
            include_str!("../../wgsl/step/border_matrix.wgsl"),
        ),
    ),
    kernel(
        "explicit_velocity",
        &[
            PARAMS,
            bind("loads", Access::Read, Real),
            bind("residual", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("x", Access::Write, Real),
        ],
        |s, p| Cost { bytes: 10 * p.real_bytes() * s.rows, flops: 6 * s.rows },
        (
            twin!(cpu::explicit_velocity::explicit_velocity),
            include_str!("../../wgsl/step/explicit_velocity.wgsl"),
        ),
    ),
    kernel(
        "advance",
        &[
            PARAMS,
            STEP,
            bind("d", Access::Read, Real),
            bind("u", Access::Read, Real),
            bind("x", Access::Read, Real),
            bind("d_next", Access::Write, Real),
            bind("u_next", Access::Write, Real),
            bind("status", Access::Atomic, Word),
        ],
        |s, p| Cost { bytes: 15 * p.real_bytes() * s.rows, flops: 15 * s.rows },
        (twin!(cpu::advance::advance), include_str!("../../wgsl/step/advance.wgsl")),
    ),
];

const fn kernel(
    name: &'static str,
    bindings: &'static [Binding],
    cost: fn(&Sizes, Precision) -> Cost,
    (twin, body): (Option<crate::cpu::Twin>, &'static str),
) -> Kernel {
    let imports = &[include_str!("../../wgsl/lib/step_places.wgsl")];
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
