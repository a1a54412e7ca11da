// The start of conjugate gradients: r = residual, e = 0, and r in f32 for the preconditioner.
// After their end e = 0, so that what an abandoned solve left is not added to the next.
//
// One invocation writes one row. Twin: src/cpu/solve/cg_start.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> residual: array<real>;
@group(0) @binding(3) var<storage, read_write> r: array<real>;
@group(0) @binding(4) var<storage, read_write> e: array<real>;
@group(0) @binding(5) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_start(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    let done = flags[FLAG_DONE] != 0u;
    if i >= params.row_count || !(done || flags[FLAG_FIRST] != 0u) {
        return;
    }
    for (var k = 3u * i; k < 3u * i + 3u; k++) {
        e[k] = 0.0;
        if !done {
            r[k] = residual[k];
            vectors[params.r + k] = f32(residual[k]);
        }
    }
}
