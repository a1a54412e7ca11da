// One invocation a node and a node beside it, k in all: the derivative of the volume around the first by the displacement of the
// second, summed over offsets[k]..offsets[k + 1] of `sources`, each a pair of corners (e * NODE_COUNT + a) * NODE_COUNT + b of an
// element. Writes 4 scalars: the derivative, and the weight of the first node, nodes[k]. Race-free: they are its own.

struct SlopeParams {
    slope_count: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@group(0) @binding(0) var<uniform> params: SlopeParams;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> table: array<f32>;
@group(0) @binding(3) var<storage, read> nodes: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> weights: array<f32>;
@group(0) @binding(7) var<storage, read_write> slopes: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn node_slopes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let k = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if k >= params.slope_count {
        return;
    }
    var sum: vec3<real>;
    for (var s = offsets[k]; s < offsets[k + 1u]; s++) {
        let pair = sources[s];
        let a = pair / NODE_COUNT % NODE_COUNT;
        let b = pair % NODE_COUNT;
        var first = pair / (NODE_COUNT * NODE_COUNT) * POINT_COUNT * POINT_WORDS;
        for (var p = 0u; p < POINT_COUNT; p++) {
            // `element_points` leaves the volume of a point behind its tangent.
            let share = table[SHAPE_PLACE + p * NODE_COUNT + a] * points[first + MODE_WORDS];
            sum += gradient(first, p, b) * share;
            first += POINT_WORDS;
        }
    }
    slopes[4u * k] = sum.x;
    slopes[4u * k + 1u] = sum.y;
    slopes[4u * k + 2u] = sum.z;
    slopes[4u * k + 3u] = weights[nodes[k]];
}
