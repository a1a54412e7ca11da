// p = z + beta p. beta, the share of the old direction, is the ratio of two r . z, 0 in the first iteration
// (HestenesStiefel1952; with residuals computed anew on the way, Vorst2000). The old p is not read where beta is 0,
// since it may be anything. An r . z that is not positive says that the preconditioner is not: FLAG_SKIP is then 2,
// and 1 after the end.
//
// Every group adds all partial sums, in one order, so that all have the same beta. One invocation writes every
// group_count-th row of its lane; lane 0 of the first group writes what the kernels after it read.
// `both` holds p, then its product. Twin: src/cpu/solve/cg_direction.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;
@group(0) @binding(4) var<storage, read_write> scalars: array<real>;
@group(0) @binding(5) var<storage, read_write> both: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_direction(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own = group.y * groups.x + group.x;
    let done = flags[FLAG_DONE] != 0u;
    var sums = vec3<real>(0.0, 0.0, 0.0);
    if !done {
        for (var k = lane; k < params.partial_count; k += WORKGROUP_SIZE) {
            sums.x += partials[params.rz + k];
        }
        for (var k = lane; k < params.group_count; k += WORKGROUP_SIZE) {
            sums.y += partials[params.rr + k];
        }
    }
    sums = triple_sum(sums, lane);
    let good = is_positive(sums.x);
    var beta = real(0.0);
    if flags[FLAG_FIRST] != 1u {
        beta = sums.x / scalars[SCALAR_RZ];
    }
    let end = select(0u, params.row_count, own < params.group_count && good && !done);
    for (var i = own * WORKGROUP_SIZE + lane; i < end; i += params.group_count * WORKGROUP_SIZE) {
        for (var k = 3u * i; k < 3u * i + 3u; k++) {
            var next = real(vectors[params.z + k]);
            if beta != 0.0 {
                next += beta * both[k];
            }
            both[k] = next;
        }
    }
    if lane == 0u && own == 0u {
        flags[FLAG_SKIP] = select(select(2u, 0u, good), 1u, done);
        if !done {
            scalars[SCALAR_RZ_NEXT] = sums.x;
            scalars[SCALAR_RR] = sums.y;
        }
    }
}
