// Product of a 3 x 3 block matrix with a vector in difference form:
// y_i = D_i x_i + sum over j != i of K_ij (x_j - x_i), D_i the sum of block row i.
//
// Rounding K to f32 breaks its translation invariance and with it every f32 solve; in this form a
// translation gives D_i x_i exactly, and D_i is summed in f64 before it is rounded.
// One invocation computes one block row: it gathers x and writes y_i alone.
// Blocks are row-major, 9 scalars each. Twin: src/cpu/block_spmv.rs.

struct SpmvParams {
    row_count: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

@group(0) @binding(0) var<uniform> params: SpmvParams;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> columns: array<u32>;
@group(0) @binding(3) var<storage, read> blocks: array<f32>;
@group(0) @binding(4) var<storage, read> row_sums: array<f32>;
@group(0) @binding(5) var<storage, read> x: array<f32>;
@group(0) @binding(6) var<storage, read_write> y: array<f32>;

fn vector(i: u32) -> vec3<f32> {
    return vec3<f32>(x[3u * i], x[3u * i + 1u], x[3u * i + 2u]);
}

fn block_times(b: u32, v: vec3<f32>) -> vec3<f32> {
    let k = 9u * b;
    return vec3<f32>(
        blocks[k] * v.x + blocks[k + 1u] * v.y + blocks[k + 2u] * v.z,
        blocks[k + 3u] * v.x + blocks[k + 4u] * v.y + blocks[k + 5u] * v.z,
        blocks[k + 6u] * v.x + blocks[k + 7u] * v.y + blocks[k + 8u] * v.z,
    );
}

fn row_sum_times(i: u32, v: vec3<f32>) -> vec3<f32> {
    let k = 9u * i;
    return vec3<f32>(
        row_sums[k] * v.x + row_sums[k + 1u] * v.y + row_sums[k + 2u] * v.z,
        row_sums[k + 3u] * v.x + row_sums[k + 4u] * v.y + row_sums[k + 5u] * v.z,
        row_sums[k + 6u] * v.x + row_sums[k + 7u] * v.y + row_sums[k + 8u] * v.z,
    );
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn block_spmv(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let xi = vector(i);
    var yi = row_sum_times(i, xi);
    for (var b = offsets[i]; b < offsets[i + 1u]; b++) {
        yi += block_times(b, vector(columns[b]) - xi);
    }
    y[3u * i] = yi.x;
    y[3u * i + 1u] = yi.y;
    y[3u * i + 2u] = yi.z;
}
