// Fixed scalars in (-1, 1) without symmetry, into region `extra_0` of `vectors`: hashes of their
// places (PCG, O'Neill 2014).
//
// One invocation writes one row. Twin: src/cpu/multigrid/noise.rs.

@group(0) @binding(0) var<uniform> params: RowParams;
@group(0) @binding(1) var<storage, read_write> vectors: array<f32>;

struct RowParams {
    row_count: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn noise(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    for (var k = 3u * i; k < 3u * i + 3u; k++) {
        let state = k * 747796405u + 2891336453u;
        let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
        let bits = ((word >> 22u) ^ word) >> 8u;
        vectors[params.extra_0 + k] = f32(bits) / 8388608.0 - 1.0;
    }
}
