// `dense_product` and `prolong` in one, for a coarsest level of at most a workgroup of scalars: y = A^-1 r there, then
// d = factor P y and x += d. `dense` is minus the inverse.
//
// Every group computes all of y, one scalar a lane; then one invocation writes one row, those of no aggregate d = 0.
// Twin: src/cpu/multigrid/prolong_dense.rs.

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> maps: array<u32>;
@group(0) @binding(3) var<storage, read> modes: array<f32>;
@group(0) @binding(4) var<storage, read> dense: array<f32>;
@group(0) @binding(5) var<storage, read> coarse: array<f32>;
@group(0) @binding(6) var<storage, read_write> vectors: array<f32>;

var<workgroup> right: array<f32, WORKGROUP_SIZE>;
var<workgroup> solution: array<f32, WORKGROUP_SIZE>;

fn coarse_row(i: u32) -> vec3<f32> {
    return vec3<f32>(solution[3u * i], solution[3u * i + 1u], solution[3u * i + 2u]);
}

// Four scalars of a row of `dense`, which is symmetric: lanes read side by side.
fn four_of_row(k: u32, lane: u32) -> vec4<f32> {
    let at = k * params.size + lane;
    let next = params.size;
    return vec4<f32>(dense[at], dense[at + next], dense[at + 2u * next], dense[at + 3u * next]);
}

fn four_of_right(k: u32) -> vec4<f32> {
    return vec4<f32>(right[k], right[k + 1u], right[k + 2u], right[k + 3u]);
}

// Product of a row of `dense` and `right`. Rows are a multiple of PIVOT; sixteen sums keep as many loads under way.
fn row_product(lane: u32) -> f32 {
    var a = vec4<f32>(0.0, 0.0, 0.0, 0.0);
    var b = a;
    var c = a;
    var d = a;
    for (var k = 0u; k < params.size; k += 16u) {
        a += four_of_row(k, lane) * four_of_right(k);
        b += four_of_row(k + 4u, lane) * four_of_right(k + 4u);
        c += four_of_row(k + 8u, lane) * four_of_right(k + 8u);
        d += four_of_row(k + 12u, lane) * four_of_right(k + 12u);
    }
    let sums = (a + b) + (c + d);
    return (sums.x + sums.y) + (sums.z + sums.w);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong_dense(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let count = 6u * params.aggregate_count;
    right[lane] = 0.0;
    if lane < count {
        right[lane] = coarse[params.coarse_r + lane];
    }
    workgroupBarrier();
    if lane < count {
        solution[lane] = -row_product(lane);
    }
    workgroupBarrier();
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i < params.row_count {
        correct(i);
    }
}
