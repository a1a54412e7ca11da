// Leaves of the trees: boxes of faces and edges on their ways, around their corners where these are and where they go,
// wider by the border. Leaves without a feature overlap nothing.
//
// One invocation computes one leaf and writes its box alone. `corners` holds three vertices a leaf, of an edge its last
// end twice. Twin: src/cpu/contact/feature_boxes.rs.

@group(0) @binding(0) var<uniform> params: TreeParams;
@group(0) @binding(1) var<storage, read> reach: array<f32>;
@group(0) @binding(2) var<storage, read> ways: array<f32>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read_write> boxes: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn feature_boxes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let leaf = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if leaf >= params.count {
        return;
    }
    var bounds = empty_bounds();
    if corners[3u * leaf] != NONE {
        for (var k = 0u; k < 3u; k++) {
            bounds = with_way(bounds, corners[3u * leaf + k]);
        }
        bounds = widened(bounds, reach[REACH_BORDER]);
    }
    store_box(leaf, bounds);
}
