// One sweep of a smoothing, over one segment: r_out = r_in - A v, next = c_old v + c_new D^-1 r_out,
// x = x + next.
//
// `parts` lanes compute one row, the first of them writes it; v is written by nobody.
// Twin: src/cpu/multigrid/smooth_sweep.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> structure: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<f32>;
@group(0) @binding(5) var<storage, read> coefficients: array<f32>;
@group(0) @binding(6) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_sweep(
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
    if lane >= rows_of_group() || local >= params.row_count {
        return;
    }
    let r = level_vector(params.r_in, i) - product;
    store(params.r_out, i, r);
    let step = coefficients[params.c_new] * inverse_product(BLOCK * params.matrix_rows, i, r);
    let next = coefficients[params.c_old] * vector_at(i) + step;
    store(params.next, i, next);
    store(params.x, i, level_vector(params.x, i) + next);
}
