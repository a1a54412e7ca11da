// One invocation a node around which volumes count: sums the changes of volume at its corners and their rates, in the order of
// its list, and puts the pressure U' and its change in their places; `weights` gets U'' over the volume around the node.
// `corners` has node_count + 1 offsets, which count from the first place after them, then the places of corners behind first_corner of
// `geometry`; rates stand rate_stride behind. `nodes` has three scalars a node: the volume around it at rest, the modulus, and 1 where the
// energy is logarithmic. Race-free: a corner is listed once.

struct NodeParams {
    node_count: u32,
    // Place of the first corner in `geometry`, and from a change of volume to its rate.
    first_corner: u32,
    rate_stride: u32,
    extra_0: u32,
}

@group(0) @binding(0) var<uniform> params: NodeParams;
@group(0) @binding(1) var<storage, read> corners: array<u32>;
@group(0) @binding(2) var<storage, read> nodes: array<real>;
@group(0) @binding(3) var<storage, read_write> geometry: array<real>;
@group(0) @binding(4) var<storage, read_write> weights: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn node_pressures(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let n = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if n >= params.node_count {
        return;
    }
    let first = params.node_count + 1u;
    var change: real;
    var rate: real;
    for (var k = corners[n]; k < corners[n + 1u]; k++) {
        let place = params.first_corner + corners[first + k];
        change += geometry[place];
        rate += geometry[place + params.rate_stride];
    }
    let volume = nodes[3u * n];
    let slopes = potential_slopes(nodes[3u * n + 1u], nodes[3u * n + 2u], change / volume);
    let weight = slopes.y / volume;
    for (var k = corners[n]; k < corners[n + 1u]; k++) {
        let place = params.first_corner + corners[first + k];
        geometry[place] = slopes.x;
        geometry[place + params.rate_stride] = weight * rate;
    }
    weights[n] = f32(weight);
}
