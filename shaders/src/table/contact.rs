//! Kernels of wgsl/contact: candidates for contact between surfaces, in trees of boxes. In the costs `elements` are the
//! boxes of the level, `items` the queries, `contributions` the boxes and `points` the pairs that a walk looks at, as many
//! as it must.

use crate::cpu::{Twin, contact as cpu, twin};
use crate::kernel::Scalar::{Float, Word};
use crate::kernel::{Access, Binding, Cost, Family, GROUP, Kernel, PARAMS, Sizes, bind};
use crate::source::Precision;

const REACH: Binding = bind("reach", Access::Read, Float);
const WAYS: Binding = bind("ways", Access::Read, Float);
const CORNERS: Binding = bind("corners", Access::Read, Word);
const BOXES: Binding = bind("boxes", Access::Read, Float);
const QUERIES: Binding = bind("queries", Access::Read, Word);

const CANDIDATE_PARAMS: &str = include_str!("../../wgsl/lib/candidate_params.wgsl");
const BOUNDS: &str = include_str!("../../wgsl/lib/boxes.wgsl");
const OF_VERTICES: &str = include_str!("../../wgsl/lib/ways.wgsl");
const LOAD: &str = include_str!("../../wgsl/lib/box_load.wgsl");
const STORE: &str = include_str!("../../wgsl/lib/box_store.wgsl");
const TREE: &str = include_str!("../../wgsl/lib/box_tree.wgsl");
const OF_FEATURES: &str = include_str!("../../wgsl/lib/queries.wgsl");
const FOOT: &str = include_str!("../../wgsl/lib/foot.wgsl");
const SLABS: &str = include_str!("../../wgsl/lib/slabs.wgsl");
const SUM: &str = include_str!("../../wgsl/lib/running_sum.wgsl");

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[
    kernel(
        ("feature_boxes", twin!(cpu::feature_boxes::feature_boxes)),
        &[PARAMS, REACH, WAYS, CORNERS, bind("boxes", Access::Write, Float)],
        |s, _| Cost { bytes: 36 * s.elements + 24 * s.rows, flops: 15 * s.elements },
        &[BOUNDS, OF_VERTICES, STORE],
        include_str!("../../wgsl/contact/feature_boxes.wgsl"),
    ),
    kernel(
        ("refit_boxes", twin!(cpu::refit_boxes::refit_boxes)),
        &[PARAMS, bind("boxes", Access::Update, Float)],
        |s, _| Cost { bytes: 9 * 24 * s.elements, flops: 0 },
        &[BOUNDS, LOAD, STORE],
        include_str!("../../wgsl/contact/refit_boxes.wgsl"),
    ),
    kernel(
        ("count_candidates", twin!(cpu::count_candidates::count_candidates)),
        &[
            PARAMS,
            REACH,
            WAYS,
            CORNERS,
            BOXES,
            QUERIES,
            bind("places", Access::Write, Word),
            bind("totals", Access::Write, Word),
        ],
        |s, _| Cost { bytes: 76 * s.items + 24 * s.contributions, flops: 12 * s.items },
        &[BOUNDS, OF_VERTICES, LOAD, CANDIDATE_PARAMS, TREE, OF_FEATURES, SLABS, SUM],
        include_str!("../../wgsl/contact/count_candidates.wgsl"),
    ),
    kernel(
        ("place_candidates", twin!(cpu::place_candidates::place_candidates)),
        &[PARAMS, bind("totals", Access::Update, Word), bind("pairs", Access::Write, Word)],
        |s, _| Cost { bytes: s.items.div_ceil(32), flops: 0 },
        &[CANDIDATE_PARAMS, SUM],
        include_str!("../../wgsl/contact/place_candidates.wgsl"),
    ),
    kernel(
        ("list_candidates", twin!(cpu::list_candidates::list_candidates)),
        &[
            PARAMS,
            REACH,
            WAYS,
            CORNERS,
            BOXES,
            QUERIES,
            bind("places", Access::Read, Word),
            bind("totals", Access::Read, Word),
            bind("pairs", Access::Write, Word),
        ],
        |s, _| Cost { bytes: 8 * s.items, flops: 0 },
        &[BOUNDS, OF_VERTICES, LOAD, CANDIDATE_PARAMS, TREE, OF_FEATURES],
        include_str!("../../wgsl/contact/list_candidates.wgsl"),
    ),
    kernel(
        ("near_points", twin!(cpu::near_points::near_points)),
        &[
            PARAMS,
            REACH,
            WAYS,
            CORNERS,
            BOXES,
            bind("points", Access::Read, Float),
            bind("kept", Access::Write, Word),
        ],
        |s, _| Cost { bytes: 20 * s.items + 24 * s.contributions, flops: 0 },
        &[BOUNDS, OF_VERTICES, LOAD, CANDIDATE_PARAMS, TREE, SLABS, FOOT],
        include_str!("../../wgsl/contact/near_points.wgsl"),
    ),
];

const fn kernel(
    (name, twin): (&'static str, Option<Twin>),
    bindings: &'static [Binding],
    cost: fn(&Sizes, Precision) -> Cost,
    imports: &'static [&'static str],
    body: &'static str,
) -> Kernel {
    Kernel {
        name,
        workgroup_size: GROUP,
        family: Family::Float,
        bindings,
        cost,
        twin,
        imports,
        body,
    }
}
