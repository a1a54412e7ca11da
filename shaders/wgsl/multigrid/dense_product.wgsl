// x = A^-1 r on the coarsest level, where `dense` is minus the inverse.
//
// A team of SLICE lanes sums over one row of scalars, its first lane writes.
// Twin: src/cpu/multigrid/dense_product.rs.

alias num = f32;

@group(0) @binding(0) var<uniform> params: DenseParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> dense: array<f32>;
@group(0) @binding(3) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn dense_product(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let scalar = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / SLICE;
    var sum = 0.0;
    if scalar < 3u * params.row_count {
        for (var k = lane % SLICE; k < 3u * params.row_count; k += SLICE) {
            sum -= dense[scalar * params.size + k] * vectors[params.r + k];
        }
    }
    sum = team_sum(sum, lane, SLICE);
    if lane % SLICE == 0u && scalar < 3u * params.row_count {
        vectors[params.x + scalar] = sum;
    }
}
