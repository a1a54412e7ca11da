// next = D^-1 A v / 2, over one segment: a step of the power method, halved so that many steps stay in
// range.
//
// `parts` lanes compute one row, the first of them writes it; v is written by nobody.
// Twin: src/cpu/multigrid/power_step.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> packed: array<u32>;
@group(0) @binding(3) var<storage, read> diagonal: array<f32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn power_step(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let local = row_of(group.y * groups.x + group.x, lane);
    let i = params.first_row + local;
    let product = sliced_row(local, lane);
    if lane < rows_of_group() && local < params.row_count {
        store(params.next, i, 0.5 * inverse_product(BLOCK * params.matrix_rows, i, product));
    }
}
