// d = factor P y and x += d, y the solution of the next level: that of its one visit, or the sum of
// those of two.
//
// One invocation writes one row; those of no aggregate have d = 0. Twin: src/cpu/multigrid/prolong.rs.

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> maps: array<u32>;
@group(0) @binding(3) var<storage, read> modes: array<f32>;
@group(0) @binding(4) var<storage, read> coarse: array<f32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<f32>;

fn coarse_row(i: u32) -> vec3<f32> {
    let first = params.coarse_x + 3u * i;
    var y = vec3<f32>(coarse[first], coarse[first + 1u], coarse[first + 2u]);
    if params.coarse_second != NONE {
        let second = params.coarse_second + 3u * i;
        y += vec3<f32>(coarse[second], coarse[second + 1u], coarse[second + 2u]);
    }
    return y;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if flags[FLAG_DONE] != 0u || i >= params.row_count {
        return;
    }
    let aggregate = maps[params.of_row + i];
    var d = vec3<f32>(0.0, 0.0, 0.0);
    if aggregate != NONE {
        let t = coarse_row(2u * aggregate);
        let w = coarse_row(2u * aggregate + 1u);
        d = mode(i, 0u) * t.x + mode(i, 1u) * t.y + mode(i, 2u) * t.z;
        d += mode(i, 3u) * w.x + mode(i, 4u) * w.y + mode(i, 5u) * w.z;
        d *= params.factor;
        let at = params.x + 3u * i;
        store(params.x, i, vec3<f32>(vectors[at], vectors[at + 1u], vectors[at + 2u]) + d);
    }
    store(params.d, i, d);
}
