// d = factor P y and x += d, y the solution of the next level.
//
// One invocation writes one row; those of no aggregate have d = 0. Twin: src/cpu/multigrid/prolong.rs.

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> maps: array<u32>;
@group(0) @binding(3) var<storage, read> modes: array<f32>;
@group(0) @binding(4) var<storage, read> coarse: array<f32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<f32>;

fn coarse_row(i: u32) -> vec3<f32> {
    let at = params.coarse_x + 3u * i;
    return vec3<f32>(coarse[at], coarse[at + 1u], coarse[at + 2u]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u || i >= params.row_count {
        return;
    }
    correct(i);
}
