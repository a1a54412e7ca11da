// The start of conjugate gradients: r = residual, e = 0, the preconditioner begins, and partial sums of r . r and
// r . z. After their end e = 0, so that what an abandoned solve left is not added to the next.
//
// One invocation writes every group_count-th row of its lane; lane 0 writes the sums of its group.
// `both` holds e, then r. Twin: src/cpu/solve/cg_start.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> residual: array<real>;
@group(0) @binding(3) var<storage, read> diagonal: array<f32>;
@group(0) @binding(4) var<storage, read> coefficients: array<f32>;
@group(0) @binding(5) var<storage, read_write> both: array<real>;
@group(0) @binding(6) var<storage, read_write> vectors: array<f32>;
@group(0) @binding(7) var<storage, read_write> partials: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_start(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own = group.y * groups.x + group.x;
    let done = flags[FLAG_DONE] != 0u;
    if !done && flags[FLAG_FIRST] == 0u {
        return;
    }
    var sums = vec3<real>(0.0, 0.0, 0.0);
    let end = select(0u, params.row_count, own < params.group_count);
    for (var i = own * WORKGROUP_SIZE + lane; i < end; i += params.group_count * WORKGROUP_SIZE) {
        let at = 3u * (params.row_count + i);
        for (var k = 3u * i; k < 3u * i + 3u; k++) {
            both[k] = 0.0;
        }
        if !done {
            let r = vec3<real>(residual[3u * i], residual[3u * i + 1u], residual[3u * i + 2u]);
            both[at] = r.x;
            both[at + 1u] = r.y;
            both[at + 2u] = r.z;
            sums += vec3<real>(dot(r, r), precondition(i, r), 0.0);
        }
    }
    sums = triple_sum(sums, lane);
    if lane == 0u && own < params.group_count && !done {
        partials[params.rr + own] = sums.x;
        if params.d == NONE {
            partials[params.rz + own] = sums.y;
        }
    }
}
