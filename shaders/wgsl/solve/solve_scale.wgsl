// SCALE: the square root of the sum of `partials`, the norm of the right side that free scalars see.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/solve_scale.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> scalars: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn solve_scale(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let scale = sqrt(partial_sum(lane, params.partial_count));
    if lane == 0u && group.x + group.y == 0u {
        scalars[SCALAR_SCALE] = scale;
    }
}
