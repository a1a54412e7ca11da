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
    let count = 3u * params.row_count;
    let row = scalar * params.size;
    var sum = 0.0;
    if scalar < count {
        // Four at a time, so that as many loads are under way, then those that are left.
        var k = lane % SLICE;
        var four = vec4<f32>(0.0, 0.0, 0.0, 0.0);
        for (; k + 3u * SLICE < count; k += 4u * SLICE) {
            let at = params.r + k;
            let r = vec4<f32>(vectors[at], vectors[at + SLICE], vectors[at + 2u * SLICE], vectors[at + 3u * SLICE]);
            let from_row = row + k;
            four += r * vec4<f32>(
                dense[from_row], dense[from_row + SLICE], dense[from_row + 2u * SLICE], dense[from_row + 3u * SLICE],
            );
        }
        sum = -((four.x + four.y) + (four.z + four.w));
        for (; k < count; k += SLICE) {
            sum -= dense[row + k] * vectors[params.r + k];
        }
    }
    sum = team_sum(sum, lane, SLICE);
    if lane % SLICE == 0u && scalar < count {
        vectors[params.x + scalar] = sum;
    }
}
