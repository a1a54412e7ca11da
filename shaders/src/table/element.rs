//! Kernels of wgsl/element: forces, tangents and assembly of elements, with the laws of wgsl/law.

use crate::kernel::{Access, Binding, Cost, Family, GROUP, Kernel, PARAMS, Scalar, Sizes, bind};
use crate::layout;
use crate::source::Precision;

/// Added to the number of an entry whose block is computed transposed (see `assemble.wgsl`).
pub const TRANSPOSED: u32 = 1 << 31;

/// Scalars of `table` before the gradients: constants of the law, padded.
pub const LAW_CONSTANTS: usize = layout::LAW_CONSTANTS as usize;

const TENSOR: &str = include_str!("../../wgsl/lib/tensor.wgsl");
const KINEMATICS: &str = include_str!("../../wgsl/lib/kinematics.wgsl");
const FIELD: &str = include_str!("../../wgsl/lib/field.wgsl");
const VOLUME_ENERGY: &str = include_str!("../../wgsl/lib/volume_energy.wgsl");
const VOLUME_POTENTIAL: &str = include_str!("../../wgsl/lib/volume_potential.wgsl");
const LOGARITHM: &str = include_str!("../../wgsl/lib/logarithm.wgsl");
const POINT_GRADIENT: &str = include_str!("../../wgsl/lib/point_gradient.wgsl");

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "element_volume",
        workgroup_size: GROUP,
        family: Family::LawReal,
        bindings: VOLUME_BINDINGS,
        cost: volume_cost,
        twin: None,
        imports: &[TENSOR, KINEMATICS, FIELD, VOLUME_POTENTIAL, VOLUME_ENERGY],
        body: include_str!("../../wgsl/element/element_volume.wgsl"),
    },
    Kernel {
        name: "corner_volumes",
        workgroup_size: GROUP,
        family: Family::LawReal,
        bindings: VOLUME_BINDINGS,
        cost: volume_cost,
        twin: None,
        imports: &[TENSOR, KINEMATICS, FIELD, VOLUME_POTENTIAL, VOLUME_ENERGY],
        body: include_str!("../../wgsl/element/corner_volumes.wgsl"),
    },
    Kernel {
        name: "node_pressures",
        workgroup_size: GROUP,
        family: Family::Element,
        bindings: NODE_BINDINGS,
        cost: nodes_cost,
        twin: None,
        imports: &[LOGARITHM, VOLUME_POTENTIAL],
        body: include_str!("../../wgsl/element/node_pressures.wgsl"),
    },
    Kernel {
        name: "node_slopes",
        workgroup_size: GROUP,
        family: Family::LawFloat,
        bindings: SLOPE_BINDINGS,
        cost: slopes_cost,
        twin: None,
        imports: &[TENSOR, POINT_GRADIENT],
        body: include_str!("../../wgsl/element/node_slopes.wgsl"),
    },
    Kernel {
        name: "assemble_nodes",
        workgroup_size: GROUP,
        family: Family::Element,
        bindings: NODAL_MATRIX_BINDINGS,
        cost: assemble_nodes_cost,
        twin: None,
        imports: &[],
        body: include_str!("../../wgsl/element/assemble_nodes.wgsl"),
    },
    Kernel {
        name: "element_points",
        workgroup_size: GROUP,
        family: Family::LawFloat,
        bindings: POINT_BINDINGS,
        cost: points_cost,
        twin: None,
        imports: &[TENSOR, KINEMATICS],
        body: include_str!("../../wgsl/element/element_points.wgsl"),
    },
    Kernel {
        name: "assemble",
        workgroup_size: GROUP,
        family: Family::LawFloat,
        bindings: ASSEMBLE_BINDINGS,
        cost: assemble_cost,
        twin: None,
        imports: &[TENSOR, POINT_GRADIENT],
        body: include_str!("../../wgsl/element/assemble.wgsl"),
    },
    Kernel {
        name: "element_stress",
        workgroup_size: GROUP,
        family: Family::LawReal,
        bindings: STRESS_BINDINGS,
        cost: stress_cost,
        twin: None,
        imports: &[TENSOR, KINEMATICS, FIELD],
        body: include_str!("../../wgsl/element/element_stress.wgsl"),
    },
    Kernel {
        name: "remember_stress",
        workgroup_size: GROUP,
        family: Family::LawReal,
        bindings: MEMORY_BINDINGS,
        cost: memory_cost,
        twin: None,
        imports: &[TENSOR, KINEMATICS],
        body: include_str!("../../wgsl/element/remember_stress.wgsl"),
    },
    Kernel {
        name: "element_forces",
        workgroup_size: GROUP,
        family: Family::Element,
        bindings: NODAL_BINDINGS,
        cost: forces_cost,
        twin: None,
        imports: &[],
        body: include_str!("../../wgsl/element/element_forces.wgsl"),
    },
];

const VOLUME_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("displacement", Access::Read, Scalar::Real),
    bind("field", Access::Read, Scalar::Real),
    bind("rows", Access::Read, Scalar::Word),
    bind("table", Access::Read, Scalar::Real),
    bind("geometry", Access::Update, Scalar::Real),
];

const NODE_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("corners", Access::Read, Scalar::Word),
    bind("nodes", Access::Read, Scalar::Real),
    bind("geometry", Access::Update, Scalar::Real),
    bind("weights", Access::Write, Scalar::Float),
];

const SLOPE_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("points", Access::Read, Scalar::Float),
    bind("table", Access::Read, Scalar::Float),
    bind("nodes", Access::Read, Scalar::Word),
    bind("offsets", Access::Read, Scalar::Word),
    bind("sources", Access::Read, Scalar::Word),
    bind("weights", Access::Read, Scalar::Float),
    bind("slopes", Access::Write, Scalar::Float),
];

const NODAL_MATRIX_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("slopes", Access::Read, Scalar::Float),
    bind("entries", Access::Read, Scalar::Word),
    bind("offsets", Access::Read, Scalar::Word),
    bind("sources", Access::Read, Scalar::Word),
    bind("factors", Access::Read, Scalar::Real),
    bind("blocks", Access::Update, Scalar::Float),
];

const POINT_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("displacement", Access::Read, Scalar::Real),
    bind("rows", Access::Read, Scalar::Word),
    bind("geometry", Access::Read, Scalar::Real),
    bind("table", Access::Read, Scalar::Real),
    bind("factors", Access::Read, Scalar::Real),
    bind("points", Access::Write, Scalar::Float),
];

const ASSEMBLE_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("points", Access::Read, Scalar::Float),
    bind("table", Access::Read, Scalar::Float),
    bind("entries", Access::Read, Scalar::Word),
    bind("offsets", Access::Read, Scalar::Word),
    bind("sources", Access::Read, Scalar::Word),
    bind("factors", Access::Read, Scalar::Real),
    bind("blocks", Access::Update, Scalar::Float),
];

const STRESS_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("displacement", Access::Read, Scalar::Real),
    bind("field", Access::Read, Scalar::Real),
    bind("rows", Access::Read, Scalar::Word),
    bind("geometry", Access::Read, Scalar::Real),
    bind("table", Access::Read, Scalar::Real),
    bind("factors", Access::Read, Scalar::Real),
    bind("stress", Access::Write, Scalar::Real),
    bind("status", Access::Atomic, Scalar::Word),
];

const MEMORY_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("displacement", Access::Read, Scalar::Real),
    bind("rows", Access::Read, Scalar::Word),
    bind("geometry", Access::Read, Scalar::Real),
    bind("table", Access::Read, Scalar::Real),
    bind("factors", Access::Read, Scalar::Real),
    bind("memory", Access::Update, Scalar::Real),
];

const NODAL_BINDINGS: &[Binding] = &[
    PARAMS,
    bind("stress", Access::Read, Scalar::Real),
    bind("table", Access::Read, Scalar::Real),
    bind("nodal", Access::Write, Scalar::Real),
];

/// Words and scalars of rest geometry: corners, and 10 scalars a point.
fn geometry_bytes(sizes: &Sizes, precision: Precision) -> u64 {
    sizes.elements * (4 * sizes.nodes + 10 * precision.real_bytes() * sizes.points)
}

/// Counts elements, nodes, points, rows that are touched, and as items the modes of an element and what is written of a point.
fn volume_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let (points, real) = (sizes.elements * sizes.points, precision.real_bytes());
    Cost {
        bytes: geometry_bytes(sizes, precision) + real * (6 * sizes.rows + sizes.items * points),
        // Two gradients 36 a node; four modes a point, their products and the logarithms some 160.
        flops: points * (36 * sizes.nodes + 160),
    }
}

/// Counts rows, the nodes of volumes, and contributions, the corners at them.
fn nodes_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let real = precision.real_bytes();
    Cost {
        // Two scalars of a corner are read and written.
        bytes: sizes.rows * (8 + 3 * real) + sizes.contributions * (4 + 4 * real),
        flops: 60 * sizes.rows + 2 * sizes.contributions,
    }
}

/// Counts entries, the pairs of nodes, contributions, the pairs of corners, elements, points and as items the words of a point.
fn slopes_cost(sizes: &Sizes, _: Precision) -> Cost {
    Cost {
        bytes: 4 * sizes.items * sizes.elements * sizes.points
            + 4 * sizes.contributions
            + sizes.entries * (8 + 16),
        // A gradient 15, its part 6.
        flops: 21 * sizes.contributions * sizes.points,
    }
}

/// Counts entries that are added to, contributions (pairs of slopes), and as items all slopes.
fn assemble_nodes_cost(sizes: &Sizes, _: Precision) -> Cost {
    Cost {
        bytes: 16 * sizes.items + 8 * sizes.contributions + sizes.entries * (2 * 36 + 8),
        flops: 27 * sizes.contributions,
    }
}

/// Counts elements, nodes, points, rows that are touched, and as items the words of a point.
fn points_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let points = sizes.elements * sizes.points;
    let rows = 3 * precision.real_bytes() * sizes.rows;
    Cost {
        bytes: geometry_bytes(sizes, precision) + rows + 4 * sizes.items * points,
        // Gradient 18 flops a node; a law, its products and a polar decomposition about 400.
        flops: points * (18 * sizes.nodes + 400),
    }
}

/// Counts entries that are added to, their contributions (pairs of corners), elements, points and as
/// items the words of a point.
fn assemble_cost(sizes: &Sizes, _: Precision) -> Cost {
    let points = 4 * sizes.items * sizes.elements * sizes.points;
    Cost {
        // An entry is read and written, its number and the start of its list read.
        bytes: points + 4 * sizes.contributions + sizes.entries * (2 * 36 + 8),
        // Two gradients 36, outer products and their sum 60.
        flops: 96 * sizes.contributions * sizes.points,
    }
}

/// Counts elements, nodes, points and rows that are touched.
fn stress_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let (points, real) = (sizes.elements * sizes.points, precision.real_bytes());
    Cost {
        bytes: geometry_bytes(sizes, precision) + real * (6 * sizes.rows + 9 * points),
        // Two gradients 36 a node; a law, its products and a polar decomposition about 600.
        flops: points * (36 * sizes.nodes + 600),
    }
}

/// Counts elements, nodes, points, rows that are touched, and as items the stresses that a point remembers.
fn memory_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let (points, real) = (sizes.elements * sizes.points, precision.real_bytes());
    Cost {
        // Stresses are read and written.
        bytes: geometry_bytes(sizes, precision)
            + real * (3 * sizes.rows + 12 * sizes.items * points),
        // Gradient 18 flops a node, a law some 300; five a number that is delayed.
        flops: points * (18 * sizes.nodes + 300 + 30 * sizes.items),
    }
}

/// Counts elements, nodes and points.
fn forces_cost(sizes: &Sizes, precision: Precision) -> Cost {
    let stress = 9 * sizes.points;
    Cost {
        bytes: precision.real_bytes() * sizes.elements * (stress + 3 * sizes.nodes),
        flops: 18 * sizes.elements * sizes.points * sizes.nodes,
    }
}
