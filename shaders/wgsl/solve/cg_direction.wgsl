// p = z + beta p. The old p is not read where beta is 0, since it may be anything.
//
// One invocation writes one row. Twin: src/cpu/solve/cg_direction.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> scalars: array<real>;
@group(0) @binding(3) var<storage, read> vectors: array<f32>;
@group(0) @binding(4) var<storage, read_write> p: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_direction(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u || i >= params.row_count {
        return;
    }
    let beta = scalars[SCALAR_BETA];
    for (var k = 3u * i; k < 3u * i + 3u; k++) {
        var next = real(vectors[params.z + k]);
        if beta != 0.0 {
            next += beta * p[k];
        }
        p[k] = next;
    }
}
