// Counts an iteration and ends them at the tolerance, or at the limit. Whether the tolerance was enough is for
// the residual computed anew to say.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/cg_check.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_check(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let rr = partial_sum(lane, params.partial_count);
    if lane != 0u || group.x + group.y != 0u || flags[FLAG_DONE] != 0u {
        return;
    }
    let made = flags[FLAG_ITERATIONS] + 1u;
    flags[FLAG_ITERATIONS] = made;
    scalars[SCALAR_RR] = rr;
    if !is_finite(rr) {
        flags[FLAG_DONE] = 1u;
        flags[FLAG_OUTCOME] = OUTCOME_INDEFINITE;
    } else if rr <= scalars[SCALAR_TOLERANCE_SQUARED] {
        flags[FLAG_DONE] = 1u;
    } else if made >= flags[FLAG_MAX_ITERATIONS] {
        flags[FLAG_DONE] = 1u;
        flags[FLAG_OUTCOME] = OUTCOME_LIMIT;
    }
}
