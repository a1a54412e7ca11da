// e += alpha p, r -= alpha ap, the preconditioner begins on the new r, and partial sums of r . r and r . z. alpha is
// r . z over the curvature p . ap; one that is not positive says that the matrix is not. The iteration is counted, and
// ends at the tolerance or at the limit, by |r - alpha ap|^2 = r . r - 2 alpha r . ap + alpha^2 ap . ap, whose sums are
// at hand before r is. Whether the tolerance was enough is for the residual computed anew to say.
//
// Every group adds all partial sums, in one order, so that all have the same alpha; none reads what lane 0 of the first
// group writes. One invocation writes every group_count-th row of its lane; lane 0 writes the sums of its group.
// `steps` holds p, then ap; `both` e, then r. Twin: src/cpu/solve/cg_update.rs.

@group(0) @binding(0) var<uniform> params: SolveParams;
@group(0) @binding(1) var<storage, read> steps: array<real>;
@group(0) @binding(2) var<storage, read> diagonal: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients: array<f32>;
@group(0) @binding(4) var<storage, read_write> flags: array<u32>;
@group(0) @binding(5) var<storage, read_write> scalars: array<real>;
@group(0) @binding(6) var<storage, read_write> both: array<real>;
@group(0) @binding(7) var<storage, read_write> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> partials: array<real>;

// Sums over p . ap, r . ap and ap . ap; none after the end.
fn sums_of_product(lane: u32, skip: bool) -> vec3<real> {
    var sums = vec3<real>(0.0, 0.0, 0.0);
    if !skip {
        for (var k = lane; k < params.partial_count; k += WORKGROUP_SIZE) {
            sums += vec3<real>(partials[3u * k], partials[3u * k + 1u], partials[3u * k + 2u]);
        }
    }
    return triple_sum(sums, lane);
}

// Row i of e and r; r . r and r . z.
fn update(i: u32, alpha: real) -> vec3<real> {
    let at = 3u * (params.row_count + i);
    for (var k = 0u; k < 3u; k++) {
        both[3u * i + k] += alpha * steps[3u * i + k];
        both[at + k] -= alpha * steps[at + k];
    }
    let r = vec3<real>(both[at], both[at + 1u], both[at + 2u]);
    return vec3<real>(dot(r, r), precondition(i, r), 0.0);
}

fn decide(alpha: real, sums: vec3<real>) {
    let rr = scalars[SCALAR_RR] - alpha * (2.0 * sums.y - alpha * sums.z);
    let made = flags[FLAG_ITERATIONS] + 1u;
    flags[FLAG_ITERATIONS] = made;
    flags[FLAG_FIRST] = 0u;
    scalars[SCALAR_RZ] = scalars[SCALAR_RZ_NEXT];
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

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own = group.y * groups.x + group.x;
    let skip = flags[FLAG_SKIP];
    let of_product = sums_of_product(lane, skip != 0u);
    let good = skip == 0u && is_positive(of_product.x);
    var alpha = real(0.0);
    if good {
        alpha = scalars[SCALAR_RZ_NEXT] / of_product.x;
    }
    var sums = vec3<real>(0.0, 0.0, 0.0);
    let end = select(0u, params.row_count, own < params.group_count && good);
    for (var i = own * WORKGROUP_SIZE + lane; i < end; i += params.group_count * WORKGROUP_SIZE) {
        sums += update(i, alpha);
    }
    sums = triple_sum(sums, lane);
    if lane == 0u && own < params.group_count && good {
        partials[params.rr + own] = sums.x;
        if params.d == NONE {
            partials[params.rz + own] = sums.y;
        }
    }
    if lane == 0u && own == 0u && skip != 1u {
        if good {
            decide(alpha, of_product);
        } else {
            flags[FLAG_DONE] = 1u;
            flags[FLAG_OUTCOME] = OUTCOME_INDEFINITE;
        }
    }
}
