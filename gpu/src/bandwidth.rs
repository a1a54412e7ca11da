//! Memory bandwidth of a device by a kernel that copies: the scale for the times of kernels. Copies of the driver's own
//! are no measure: an H200 makes them at a fifth of the speed.

use sinew_shaders::kernel::{Access, Family, Kernel, Scalar};
use sinew_shaders::layout::WORKGROUP_SIZE;
use sinew_shaders::program::Program;
use sinew_shaders::source::Precision;

use crate::survey::{MEASURED, PARAMS, add_measured, bind, seconds_a_call};
use crate::{Gpu, GpuError};

/// Larger than the caches of any device: 256 MiB on hardware. Software adapters have the CPU's caches,
/// and little speed.
const BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 64 << 20;

/// Numbers that an invocation copies, one beside those of its neighbours each time.
const EACH: u64 = 8;

static STREAM: Kernel = Kernel {
    name: "stream",
    family: Family::Float,
    bindings: &[
        PARAMS,
        bind("source", Access::Read, Scalar::Float),
        bind("target", Access::Write, Scalar::Float),
    ],
    body: "
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn stream(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let at = (group.y * groups.x + group.x) * 8u * WORKGROUP_SIZE + lane;
    if at >= params.row_count {
        return;
    }
    let next = WORKGROUP_SIZE;
    let low = vec4<f32>(source[at], source[at + next], source[at + 2u * next], source[at + 3u * next]);
    let far = at + 4u * next;
    let high = vec4<f32>(source[far], source[far + next], source[far + 2u * next], source[far + 3u * next]);
    result[at] = low.x;
    result[at + next] = low.y;
    result[at + 2u * next] = low.z;
    result[at + 3u * next] = low.w;
    result[far] = high.x;
    result[far + next] = high.y;
    result[far + 2u * next] = high.z;
    result[far + 3u * next] = high.w;
}
",
    ..MEASURED
};

/// Bytes read and written in a second by the copy of a buffer [bytes/s].
pub(crate) fn measure(gpu: &Gpu) -> Result<f64, GpuError> {
    let wanted = if gpu.adapter().software { SOFTWARE_BYTES } else { BYTES };
    let groups = wanted.min(gpu.max_binding()) / (4 * EACH * u64::from(WORKGROUP_SIZE));
    let count = groups * EACH * u64::from(WORKGROUP_SIZE);
    let mut program = Program::new(Precision::Single);
    let source = program.add_zeros("the source of a copy", Scalar::Float, count as usize);
    let target = program.add_zeros("the target of a copy", Scalar::Float, count as usize);
    let work = (vec![source, target], groups);
    let list = add_measured(&mut program, &STREAM, count as u32, work);
    Ok(8.0 * count as f64 / seconds_a_call(gpu, program, list)?)
}
