// Partial sums of r . z.
//
// One invocation reads one row; lane 0 writes the sum of its group. Twin: src/cpu/solve/cg_rz.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> r: array<real>;
@group(0) @binding(3) var<storage, read> vectors: array<f32>;
@group(0) @binding(4) var<storage, read_write> partials: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_rz(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u {
        return;
    }
    var product = real(0.0);
    if i < params.row_count {
        let z = vec3<f32>(vectors[params.z + 3u * i], vectors[params.z + 3u * i + 1u], vectors[params.z + 3u * i + 2u]);
        product = dot(vec3<real>(r[3u * i], r[3u * i + 1u], r[3u * i + 2u]), vec3<real>(z));
    }
    let sum = team_sum(product, lane, WORKGROUP_SIZE);
    if lane == 0u && i < params.row_count {
        partials[i / WORKGROUP_SIZE] = sum;
    }
}
