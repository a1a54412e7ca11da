// The fixed scalars of x, zero elsewhere: what the right side that the free scalars see is made with.
//
// One invocation copies one row.
// Twin: src/cpu/step/held_part.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> fixed: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<real>;
@group(0) @binding(3) var<storage, read_write> y: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn fixed_part(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    for (var axis = 0u; axis < 3u; axis++) {
        let at = 3u * i + axis;
        y[at] = select(real(0.0), x[at], ((fixed[i] >> axis) & 1u) == 1u);
    }
}
