// Blocks of P^T A P between two aggregates a < b: the sum of Q_i^T K_ij Q_j over what one segment has
// of the blocks between them, and its transpose below the diagonal.
//
// A team of PAIR_TEAM lanes sums over the contributions to one pair, its first lane writes. `lists`
// holds the starts of the pairs, for each the entries of blocks (2a, 2b) and (2b, 2a) of the coarse
// matrix, then row i and entry of every contribution. Twin: src/cpu/multigrid/galerkin_coupling.rs.

@group(0) @binding(0) var<uniform> params: GalerkinParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<f32>;
@group(0) @binding(3) var<storage, read> lists: array<u32>;
@group(0) @binding(4) var<storage, read> modes: array<f32>;
@group(0) @binding(5) var<storage, read_write> coarse_blocks: array<f32>;

// Block (half, other) of a pair and its transpose: both halves of a row lie side by side.
fn put_pair(pair: u32, half: u32, other: u32, block: mat3x3<f32>) {
    let bases = params.pair_count + 1u + 2u * pair;
    put_block(lists[bases] + half + SLICE * other, block);
    put_block(lists[bases + 1u] + other + SLICE * half, transpose(block));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn galerkin_coupling(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let pair = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / PAIR_TEAM;
    var tt = mat3x3<f32>();
    var tw = mat3x3<f32>();
    var wt = mat3x3<f32>();
    var ww = mat3x3<f32>();
    var range = vec2<u32>(0u, 0u);
    if pair < params.pair_count {
        range = vec2<u32>(lists[pair], lists[pair + 1u]);
    }
    for (var k = range.x + lane % PAIR_TEAM; k < range.y; k += PAIR_TEAM) {
        let at = 3u * params.pair_count + 1u + 2u * k;
        let i = lists[at];
        let entry = lists[at + 1u];
        let j = column_of(entry);
        let block = block_matrix(entry);
        let to_translations = block * translations(j);
        let to_rotations = block * rotations(j);
        let t = transpose(translations(i));
        let w = transpose(rotations(i));
        tt += t * to_translations;
        tw += t * to_rotations;
        wt += w * to_translations;
        ww += w * to_rotations;
    }
    tt = team_sum(tt, lane, PAIR_TEAM);
    tw = team_sum(tw, lane, PAIR_TEAM);
    wt = team_sum(wt, lane, PAIR_TEAM);
    ww = team_sum(ww, lane, PAIR_TEAM);
    if pair < params.pair_count && lane % PAIR_TEAM == 0u {
        put_pair(pair, 0u, 0u, tt);
        put_pair(pair, 0u, 1u, tw);
        put_pair(pair, 1u, 0u, wt);
        put_pair(pair, 1u, 1u, ww);
    }
}
