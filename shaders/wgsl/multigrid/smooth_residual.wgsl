// r_out = r_in - A v, over one segment.
//
// `parts` lanes compute one row, the first of them writes it; v is written by nobody.
// Twin: src/cpu/multigrid/smooth_residual.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> structure: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<f32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_residual(
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
    if lane < rows_of_group() && local < params.row_count {
        store(params.r_out, i, level_vector(params.r_in, i) - product);
    }
}
