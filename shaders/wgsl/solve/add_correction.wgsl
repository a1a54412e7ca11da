// x += e and e = 0, where conjugate gradients have ended; a second call adds nothing.
//
// `both` holds e, then r. One invocation writes one row. Twin: src/cpu/solve/add_correction.rs.

@group(0) @binding(0) var<uniform> params: RowParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> both: array<real>;
@group(0) @binding(3) var<storage, read_write> x: array<real>;

struct RowParams {
    row_count: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn add_correction(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] == 0u || i >= params.row_count {
        return;
    }
    for (var k = 3u * i; k < 3u * i + 3u; k++) {
        x[k] += both[k];
        both[k] = 0.0;
    }
}
