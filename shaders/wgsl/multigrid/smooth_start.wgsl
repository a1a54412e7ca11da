// A smoothing from zero begins: v = c D^-1 r and x = v.
//
// One invocation writes one row. Twin: src/cpu/multigrid/smooth_start.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> diagonal: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients: array<f32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_start(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u || i >= params.matrix_rows {
        return;
    }
    let r = level_vector(params.r_in, i);
    let v = coefficients[params.c_new] * inverse_product(BLOCK * params.matrix_rows, i, r);
    store(params.v, i, v);
    store(params.x, i, v);
}
