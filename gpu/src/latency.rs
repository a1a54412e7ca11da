//! Times within a kernel that no bandwidth hides: a load whose place another load gives, and a sum over a workgroup. Most
//! kernels of a step are made of a few of both.

use sinew_shaders::kernel::{Access, Family, Kernel, Scalar};
use sinew_shaders::source::Precision;
use sinew_shaders::table::TRIPLE_SUM;

use crate::survey::{HEAD, MEASURED, PARAMS, bind, seconds_of};
use crate::{Gpu, GpuError};

/// Loads, or sums, of a call; one more call has none but the first.
const MANY: u32 = 17;

/// Workgroups: about one for each unit of a large device.
const GROUPS: u64 = 128;

/// Loads one after another: each gives the place of the next, a workgroup further.
static CHASE: Kernel = Kernel {
    name: "chase",
    bindings: &[PARAMS, bind("places", Access::Update, Scalar::Word)],
    body: "
@group(0) @binding(1) var<storage, read_write> places: array<u32>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn chase(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = group.x * WORKGROUP_SIZE + lane;
    var at = i;
    for (var k = 0u; k < params.row_count; k++) {
        at = (places[at] + at + WORKGROUP_SIZE) % arrayLength(&places);
    }
    // Never so: places are zero, and no array has as many.
    if at == 0xffffffffu {
        places[i] = at;
    }
}
",
    ..MEASURED
};

/// Sums of reals over a workgroup, one after another.
static ADD: Kernel = Kernel {
    name: "add",
    family: Family::Real,
    bindings: &[PARAMS, bind("sums", Access::Update, Scalar::Real)],
    imports: &[HEAD, TRIPLE_SUM],
    body: "
@group(0) @binding(1) var<storage, read_write> sums: array<real>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn add(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = group.x * WORKGROUP_SIZE + lane;
    var sum = vec3<real>(sums[i], 0.0, 0.0);
    for (var k = 0u; k < params.row_count; k++) {
        sum = 0.001 * triple_sum(sum, lane);
    }
    sums[i] = sum.x;
}
",
    ..MEASURED
};

/// Time of a load that waits for the one before, in what the caches near memory hold [s].
pub(crate) fn load(gpu: &Gpu) -> Result<f64, GpuError> {
    each(gpu, &CHASE, Precision::Single)
}

/// Time of a sum of three reals over a workgroup, in the precision of the device [s].
pub(crate) fn sum(gpu: &Gpu) -> Result<f64, GpuError> {
    each(gpu, &ADD, gpu.precision())
}

/// Time of one of [`MANY`], from a call of as many and one of one.
fn each(gpu: &Gpu, kernel: &'static Kernel, precision: Precision) -> Result<f64, GpuError> {
    let groups = if gpu.adapter().software { 1 } else { GROUPS };
    let [one, many] = [1, MANY].map(|count| seconds_of(gpu, kernel, (precision, groups), count));
    let (one, many) = (one?, many?);
    Ok((many - one).max(0.01 * many) / f64::from(MANY - 1))
}
