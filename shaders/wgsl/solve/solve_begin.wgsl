// Decides, where the iteration has ended, whether the residual computed anew is small enough; if not,
// lets conjugate gradients start from it and sets their goal. Does nothing while they run, so that it
// may be called at any time; an outcome other than convergence stays.
//
// One workgroup; lane 0 alone writes. Twin: src/cpu/solve/solve_begin.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: GoalParams;
@group(0) @binding(1) var<storage, read> partials: array<real>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<real>;

struct GoalParams {
    partial_count: u32,
    reduction: f32,
    padding_0: u32,
    padding_1: u32,
}

// Whether there is no use in another start: iterations have run out, or the last start hardly gained,
// as the rounding of x leaves no more.
fn is_stuck(residual: real, before: real) -> bool {
    let stalled = flags[FLAG_CORRECTIONS] > 0u && residual > 0.9 * before;
    return stalled || flags[FLAG_ITERATIONS] >= flags[FLAG_MAX_ITERATIONS];
}

fn decide(residual: real) {
    let before = scalars[SCALAR_RESIDUAL];
    scalars[SCALAR_RESIDUAL] = residual;
    let asked = scalars[SCALAR_TOLERANCE] * scalars[SCALAR_SCALE];
    if is_finite(residual) && residual <= asked {
        flags[FLAG_OUTCOME] = OUTCOME_CONVERGED;
    } else if flags[FLAG_OUTCOME] == 0u {
        if !is_finite(residual) || flags[FLAG_INDEFINITE] != 0u {
            flags[FLAG_OUTCOME] = OUTCOME_INDEFINITE;
            return;
        }
        if is_stuck(residual, before) {
            flags[FLAG_OUTCOME] = OUTCOME_LIMIT;
            return;
        }
        // A little lower than asked, so that the residual computed anew seldom misses it.
        let goal = max(0.9 * asked, real(params.reduction) * residual);
        scalars[SCALAR_GOAL] = goal * goal;
        flags[FLAG_FIRST] = 1u;
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
