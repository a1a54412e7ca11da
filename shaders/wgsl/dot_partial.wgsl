// Dot product of x and y, one partial sum a workgroup, in an order that the sizes alone decide.
//
// Each invocation adds DOT_ITEMS products, WORKGROUP_SIZE apart, then the workgroup adds its lanes
// pairwise in shared memory and lane 0 writes partial[group]. Only lane 0 of a group writes, to a
// place of its own; barriers stand between the writes and reads of the lanes. Groups beyond the
// last partial sum (the grid may be larger) write nothing. Twin: src/cpu/dot_partial.rs.

struct DotParams {
    count: u32,
    partial_count: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<uniform> params: DotParams;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> partial: array<f32>;

var<workgroup> lanes: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn dot_partial(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let g = group.y * groups.x + group.x;
    let start = g * WORKGROUP_SIZE * DOT_ITEMS + lane;
    var sum = 0.0;
    for (var k = 0u; k < DOT_ITEMS; k++) {
        let i = start + k * WORKGROUP_SIZE;
        if i < params.count {
            sum += x[i] * y[i];
        }
    }
    lanes[lane] = sum;
    workgroupBarrier();
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
        if lane < stride {
            lanes[lane] += lanes[lane + stride];
        }
        workgroupBarrier();
    }
    if lane == 0u && g < params.partial_count {
        partial[g] = lanes[0];
    }
}
