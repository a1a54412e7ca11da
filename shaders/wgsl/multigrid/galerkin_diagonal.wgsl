// Diagonal blocks of P^T A P, and the two entries between the rows of one aggregate I, from one
// segment: sum over its rows i of Q_i^T (G_i Q_i + sum of K_ij ([j in I] Q_j - s Q_i)) over all
// neighbours j, so that what a rigid motion leaves is not the difference of large numbers. Scalars
// that no mode stands behind have 1 on the diagonal.
//
// A team of TEAM lanes sums over the rows of one aggregate, its first lane writes.
// Twin: src/cpu/multigrid/galerkin_diagonal.rs.

@group(0) @binding(0) var<uniform> params: GalerkinParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<f32>;
@group(0) @binding(3) var<storage, read> diagonal: array<f32>;
@group(0) @binding(4) var<storage, read> maps: array<u32>;
@group(0) @binding(5) var<storage, read> modes: array<f32>;
@group(0) @binding(6) var<storage, read> rigid: array<f32>;
@group(0) @binding(7) var<storage, read_write> coarse_diagonal: array<f32>;
@group(0) @binding(8) var<storage, read_write> coarse_blocks: array<f32>;

fn put_diagonal(aggregate: u32, half: u32, block: mat3x3<f32>) {
    let mean = 0.5 * (block + transpose(block));
    let at = BLOCK * (2u * aggregate + half);
    for (var k = 0u; k < BLOCK; k++) {
        var value = mean[k % 3u][k / 3u];
        if params.add != 0u {
            value += coarse_diagonal[at + k];
        } else if k % 4u == 0u && rigid[40u * aggregate + 7u * (3u * half + k / 4u)] == 0.0 {
            value += 1.0;
        }
        coarse_diagonal[at + k] = value;
    }
}

fn diagonal_matrix(i: u32) -> mat3x3<f32> {
    let at = BLOCK * i;
    return transpose(mat3x3<f32>(
        diagonal[at], diagonal[at + 1u], diagonal[at + 2u],
        diagonal[at + 3u], diagonal[at + 4u], diagonal[at + 5u],
        diagonal[at + 6u], diagonal[at + 7u], diagonal[at + 8u],
    ));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn galerkin_diagonal(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let aggregate = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / TEAM;
    var tt = mat3x3<f32>();
    var tw = mat3x3<f32>();
    var ww = mat3x3<f32>();
    var range = vec2<u32>(0u, 0u);
    if aggregate < params.aggregate_count {
        range = vec2<u32>(maps[aggregate], maps[aggregate + 1u]);
    }
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = maps[params.aggregate_count + 1u + k];
        if i < params.first_row || i >= params.first_row + params.row_count {
            continue;
        }
        let local = i - params.first_row;
        let slice = local / SLICE;
        let t = translations(i);
        let w = rotations(i);
        var at = diagonal_matrix(i) * t;
        var aw = diagonal_matrix(i) * w;
        for (var column = structure[slice]; column < structure[slice + 1u]; column++) {
            let entry = column * SLICE + local % SLICE;
            let j = column_of(entry);
            let block = block_matrix(entry);
            var dt = t * -params.shift;
            var dw = w * -params.shift;
            if maps[params.of_row + j] == aggregate {
                dt += translations(j);
                dw += rotations(j);
            }
            at += block * dt;
            aw += block * dw;
        }
        tt += transpose(t) * at;
        tw += transpose(t) * aw;
        ww += transpose(w) * aw;
    }
    tt = team_sum(tt, lane, TEAM);
    tw = team_sum(tw, lane, TEAM);
    ww = team_sum(ww, lane, TEAM);
    if aggregate < params.aggregate_count && lane % TEAM == 0u {
        put_diagonal(aggregate, 0u, tt);
        put_diagonal(aggregate, 1u, ww);
        let base = maps[params.bases + aggregate];
        put_block(base, tw);
        put_block(base + 1u, transpose(tw));
    }
}
