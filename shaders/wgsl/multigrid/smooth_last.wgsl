// The last sweep of a cycle, over one segment of the finest level: x += c_old v + c_new D^-1 (r_in - A v), and partial
// sums of r . x with the r of conjugate gradients.
//
// `parts` lanes compute one row, the first of them writes it; v is written by nobody. Lane 0 writes the sum of its
// group, at a place that the row decides. `both` holds e, then r. Twin: src/cpu/multigrid/smooth_last.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> structure: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<f32>;
@group(0) @binding(5) var<storage, read> coefficients: array<f32>;
@group(0) @binding(6) var<storage, read> both: array<real>;
@group(0) @binding(7) var<storage, read_write> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> partials: array<real>;

// Writes x of row i and returns r . x.
fn end_row(i: u32, product: vec3<f32>) -> real {
    let r = level_vector(params.r_in, i) - product;
    let step = coefficients[params.c_new] * inverse_product(BLOCK * params.matrix_rows, i, r);
    let x = level_vector(params.x, i) + (coefficients[params.c_old] * vector_at(i) + step);
    store(params.x, i, x);
    let at = 3u * (params.matrix_rows + i);
    return dot(vec3<real>(both[at], both[at + 1u], both[at + 2u]), vec3<real>(x));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_last(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let local = row_of(group.y * groups.x + group.x, lane);
    let i = params.first_row + local;
    let product = sliced_row(local, lane);
    var rx = real(0.0);
    if lane < rows_of_group() && local < params.row_count {
        rx = end_row(i, product);
    }
    let sum = triple_sum(vec3<real>(rx, 0.0, 0.0), lane);
    if lane == 0u && local < params.row_count {
        partials[params.rz + i / rows_of_group()] = sum.x;
    }
}
