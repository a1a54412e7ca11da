// e += alpha p, r -= alpha ap, r in f32 for the preconditioner, and partial sums of r . r.
//
// One invocation writes one row; lane 0 writes the sum of its group. Twin: src/cpu/solve/cg_update.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> scalars: array<real>;
@group(0) @binding(3) var<storage, read> p: array<real>;
@group(0) @binding(4) var<storage, read> ap: array<real>;
@group(0) @binding(5) var<storage, read_write> e: array<real>;
@group(0) @binding(6) var<storage, read_write> r: array<real>;
@group(0) @binding(7) var<storage, read_write> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> partials: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let alpha = scalars[SCALAR_ALPHA];
    var product = real(0.0);
    if i < params.row_count {
        for (var k = 3u * i; k < 3u * i + 3u; k++) {
            e[k] += alpha * p[k];
            let next = r[k] - alpha * ap[k];
            r[k] = next;
            vectors[params.r + k] = f32(next);
            product += next * next;
        }
    }
    let sum = team_sum(product, lane, WORKGROUP_SIZE);
    if lane == 0u && i < params.row_count {
        partials[i / WORKGROUP_SIZE] = sum;
    }
}
