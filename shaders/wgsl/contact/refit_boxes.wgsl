// One level of the trees: each box is that around its children.
//
// One invocation computes one box and writes it alone; the level below was computed by an earlier call.
// Twin: src/cpu/contact/refit_boxes.rs.

@group(0) @binding(0) var<uniform> params: TreeParams;
@group(0) @binding(1) var<storage, read_write> boxes: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn refit_boxes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let k = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if k >= params.count {
        return;
    }
    var bounds = empty_bounds();
    for (var child = 0u; child < BRANCHES; child++) {
        bounds = joined(bounds, load_box(params.below + BRANCHES * k + child));
    }
    store_box(params.first + k, bounds);
}
