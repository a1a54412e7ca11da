// Partial sums of r . z, where the preconditioner has not left them.
//
// One invocation reads every group_count-th row of its lane; lane 0 writes the sum of its group.
// `both` holds e, then r. Twin: src/cpu/solve/cg_rz.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> both: array<real>;
@group(0) @binding(3) var<storage, read> vectors: array<f32>;
@group(0) @binding(4) var<storage, read_write> partials: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_rz(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let own = group.y * groups.x + group.x;
    var product = real(0.0);
    let end = select(0u, params.row_count, own < params.group_count);
    for (var i = own * WORKGROUP_SIZE + lane; i < end; i += params.group_count * WORKGROUP_SIZE) {
        let at = 3u * (params.row_count + i);
        let z = vec3<f32>(vectors[params.z + 3u * i], vectors[params.z + 3u * i + 1u], vectors[params.z + 3u * i + 2u]);
        product += dot(vec3<real>(both[at], both[at + 1u], both[at + 2u]), vec3<real>(z));
    }
    let sum = triple_sum(vec3<real>(product, 0.0, 0.0), lane);
    if lane == 0u && own < params.group_count {
        partials[params.rz + own] = sum.x;
    }
}
