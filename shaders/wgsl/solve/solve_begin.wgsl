// Decides, where the iteration has ended, whether the residual computed anew is small enough; if not,
// lets conjugate gradients start from it and sets their tolerance. Does nothing while they run, so that it
// may be called at any time; an outcome other than convergence stays.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/solve_begin.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: ToleranceParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<real>;

struct ToleranceParams {
    partial_count: u32,
    reduction: f32,
    furthest: f32,
    padding: u32,
}

// Reason against a start, or 0: iterations have run out, or the last start hardly gained, as
// the rounding of x leaves no more.
fn obstacle(residual: real, before: real) -> u32 {
    if !is_finite(residual) || flags[FLAG_INDEFINITE] != 0u {
        return OUTCOME_INDEFINITE;
    }
    if flags[FLAG_ITERATIONS] >= flags[FLAG_MAX_ITERATIONS] {
        return OUTCOME_LIMIT;
    }
    if flags[FLAG_CORRECTIONS] > 0u && residual > 0.9 * before {
        return OUTCOME_STALLED;
    }
    return 0u;
}

fn decide(residual: real) {
    let before = scalars[SCALAR_RESIDUAL];
    scalars[SCALAR_RESIDUAL] = residual;
    let asked = scalars[SCALAR_TOLERANCE] * scalars[SCALAR_SCALE];
    if is_finite(residual) && residual <= asked {
        flags[FLAG_OUTCOME] = OUTCOME_CONVERGED;
    } else if flags[FLAG_OUTCOME] == 0u {
        flags[FLAG_OUTCOME] = obstacle(residual, before);
        if flags[FLAG_OUTCOME] != 0u {
            return;
        }
        // A little lower than asked, so that the residual computed anew seldom misses it; in one round where that is not
        // much further than a round goes.
        var tolerance = 0.9 * asked;
        if tolerance < real(params.furthest) * residual {
            tolerance = max(tolerance, real(params.reduction) * residual);
        }
        scalars[SCALAR_TOLERANCE_SQUARED] = tolerance * tolerance;
        // The last direction is of use as long as the residual is what its recursion made of it.
        let goes_on = flags[FLAG_CORRECTIONS] > 0u && residual * residual <= 1.5 * scalars[SCALAR_RR];
        flags[FLAG_FIRST] = select(1u, 2u, goes_on);
        flags[FLAG_BATCHES + min(flags[FLAG_CORRECTIONS], BATCHES - 1u)] = flags[FLAG_ITERATIONS];
        flags[FLAG_CORRECTIONS] += 1u;
        flags[FLAG_DONE] = 0u;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn solve_begin(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let residual = sqrt(partial_sum(lane, params.partial_count));
    if lane == 0u && group.x + group.y == 0u && flags[FLAG_DONE] != 0u {
        decide(residual);
    }
}
