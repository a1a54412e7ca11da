// v = x + s u: the velocity that damping and stiffness act on (backward Euler s = 0, trapezoidal 1).
//
// One invocation computes one row. Twin: src/cpu/step/shift_velocity.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> x: array<real>;
@group(0) @binding(3) var<storage, read> u: array<real>;
@group(0) @binding(4) var<storage, read_write> v: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn shift_velocity(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    for (var at = 3u * i; at < 3u * i + 3u; at++) {
        v[at] = x[at] + step[STEP_SHIFT] * u[at];
    }
}
