// beta, the share of the old direction in the new: the ratio of two r . z, 0 in the first iteration
// (HestenesStiefel1952; with residuals computed anew on the way, Vorst2000).
// A product that is not positive says that the preconditioner is not.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/cg_beta.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_beta(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let rz = partial_sum(lane, params.partial_count);
    if lane != 0u || group.x + group.y != 0u || flags[FLAG_DONE] != 0u {
        return;
    }
    if !is_positive(rz) {
        flags[FLAG_DONE] = 1u;
        flags[FLAG_OUTCOME] = OUTCOME_INDEFINITE;
        return;
    }
    scalars[SCALAR_BETA] = 0.0;
    if flags[FLAG_FIRST] != 1u {
        scalars[SCALAR_BETA] = rz / scalars[SCALAR_RZ];
    }
    scalars[SCALAR_RZ] = rz;
    flags[FLAG_FIRST] = 0u;
}
