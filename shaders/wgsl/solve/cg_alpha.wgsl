// alpha, the length of a step: r . z over the curvature p . ap. One that is not positive says that
// the matrix is not.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/cg_alpha.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_alpha(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let curvature = partial_sum(lane, params.partial_count);
    if lane != 0u || group.x + group.y != 0u || flags[FLAG_DONE] != 0u {
        return;
    }
    if is_positive(curvature) {
        scalars[SCALAR_ALPHA] = scalars[SCALAR_RZ] / curvature;
    } else {
        flags[FLAG_DONE] = 1u;
        flags[FLAG_OUTCOME] = OUTCOME_INDEFINITE;
    }
}
