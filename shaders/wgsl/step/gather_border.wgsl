// Displacement and velocity of the rows of the border, side by side: six scalars a row, for the host.
//
// One invocation copies one row. `structure` starts with the rows.
// Twin: src/cpu/step/gather_border.rs.

@group(0) @binding(0) var<uniform> params: BorderParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> d: array<real>;
@group(0) @binding(3) var<storage, read> u: array<real>;
@group(0) @binding(4) var<storage, read_write> motion: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_border(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let row = structure[i];
    for (var axis = 0u; axis < 3u; axis++) {
        motion[6u * i + axis] = d[3u * row + axis];
        motion[6u * i + 3u + axis] = u[3u * row + axis];
    }
}
