// The right side of the next level, P^T r; a smoothing from zero begins there (v = c D^-1 r, x = v) unless it is the
// coarsest.
//
// A team of TEAM lanes sums over the rows of one aggregate; its first two lanes write one coarse row
// each. `maps` holds the starts of the aggregates, then their rows.
// Twin: src/cpu/multigrid/restrict_residual.rs.

// Sums over translations, then rotations.
alias num = mat2x3<f32>;

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> maps: array<u32>;
@group(0) @binding(3) var<storage, read> modes: array<f32>;
@group(0) @binding(4) var<storage, read> fine: array<f32>;
@group(0) @binding(5) var<storage, read> diagonal: array<f32>;
@group(0) @binding(6) var<storage, read> coefficients: array<f32>;
@group(0) @binding(7) var<storage, read_write> vectors: array<f32>;

fn write_row(i: u32, r: vec3<f32>) {
    store(params.coarse_r, i, r);
    if params.coarse_d != NONE {
        let inverse = 2u * BLOCK * params.aggregate_count;
        let v = coefficients[params.coefficient] * inverse_product(inverse, i, r);
        store(params.coarse_d, i, v);
        store(params.coarse_x, i, v);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn restrict_residual(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let aggregate = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / TEAM;
    var sum = mat2x3<f32>();
    if aggregate < params.aggregate_count {
        for (var k = maps[aggregate] + lane % TEAM; k < maps[aggregate + 1u]; k += TEAM) {
            let i = maps[params.aggregate_count + 1u + k];
            let at = params.r + 3u * i;
            let r = vec3<f32>(fine[at], fine[at + 1u], fine[at + 2u]);
            let translation = vec3<f32>(dot(mode(i, 0u), r), dot(mode(i, 1u), r), dot(mode(i, 2u), r));
            let rotation = vec3<f32>(dot(mode(i, 3u), r), dot(mode(i, 4u), r), dot(mode(i, 5u), r));
            sum += mat2x3<f32>(translation, rotation);
        }
    }
    sum = team_sum(sum, lane, TEAM);
    if aggregate < params.aggregate_count && lane % TEAM < 2u {
        write_row(2u * aggregate + lane % TEAM, sum[lane % TEAM]);
    }
}
