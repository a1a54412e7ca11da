// One invocation a matrix entry (i, j), i != j, of two nodes in the volume around a third: adds factor times the sum over
// such volumes of their weight times the derivatives of the volume by i and j. `slopes` has those of `node_slopes`; sources of
// entry k are offsets[k]..offsets[k + 1], two words each: the slope of i and that of j. Of (j, i) they are the same products in the same order,
// so that the matrix is symmetric to the last bit. Race-free: an entry is listed once.

struct AssembleParams {
    entry_count: u32,
    factor_place: u32,
    extra_0: u32,
    extra_1: u32,
}

@group(0) @binding(0) var<uniform> params: AssembleParams;
@group(0) @binding(1) var<storage, read> slopes: array<f32>;
@group(0) @binding(2) var<storage, read> entries: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read> sources: array<u32>;
@group(0) @binding(5) var<storage, read> factors: array<real>;
@group(0) @binding(6) var<storage, read_write> blocks: array<f32>;

fn slope_of(k: u32) -> vec3<f32> {
    return vec3<f32>(slopes[4u * k], slopes[4u * k + 1u], slopes[4u * k + 2u]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn assemble_nodes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.entry_count {
        return;
    }
    // Columns.
    var x: vec3<f32>;
    var y: vec3<f32>;
    var z: vec3<f32>;
    for (var s = offsets[i]; s < offsets[i + 1u]; s++) {
        let k = sources[2u * s];
        let a = slope_of(k);
        let b = slope_of(sources[2u * s + 1u]);
        let weight = slopes[4u * k + 3u];
        x += (a * b.x) * weight;
        y += (a * b.y) * weight;
        z += (a * b.z) * weight;
    }
    let factor = f32(factors[params.factor_place]);
    // Scalar 3 row + column of an entry, SLICE entries side by side.
    let place = BLOCK * SLICE * (entries[i] / SLICE) + entries[i] % SLICE;
    for (var r = 0u; r < 3u; r++) {
        blocks[place + 3u * r * SLICE] += x[r] * factor;
        blocks[place + (3u * r + 1u) * SLICE] += y[r] * factor;
        blocks[place + (3u * r + 2u) * SLICE] += z[r] * factor;
    }
}
