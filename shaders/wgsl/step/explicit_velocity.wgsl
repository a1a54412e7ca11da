// Velocity after an explicit step: x = u + r / m, r being the impulse of all forces. A row without
// mass keeps its velocity: it is fixed.
//
// One invocation computes one row. Twin: src/cpu/step/explicit_velocity.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> loads: array<real>;
@group(0) @binding(2) var<storage, read> residual: array<real>;
@group(0) @binding(3) var<storage, read> u: array<real>;
@group(0) @binding(4) var<storage, read_write> x: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn explicit_velocity(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let mass = loads[5u * i];
    let has_mass = mass > 0.0;
    for (var at = 3u * i; at < 3u * i + 3u; at++) {
        x[at] = select(u[at], u[at] + residual[at] / select(real(1.0), mass, has_mass), has_mass);
    }
}
