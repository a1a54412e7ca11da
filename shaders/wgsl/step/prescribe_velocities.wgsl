// Velocity that takes a fixed scalar to its place at the end of the step:
// x = ((target - d) / h - (1 - w) u) / w, the target being displacement times its schedule.
//
// One invocation serves one fixed scalar, of which each is listed once, and writes it alone.
// Twin: src/cpu/step/lead_velocities.rs.

@group(0) @binding(0) var<uniform> params: SupportParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> supports: array<u32>;
@group(0) @binding(3) var<storage, read> displacements: array<real>;
@group(0) @binding(4) var<storage, read> d: array<real>;
@group(0) @binding(5) var<storage, read> u: array<real>;
@group(0) @binding(6) var<storage, read_write> x: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn prescribe_velocities(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.support_count {
        return;
    }
    let at = supports[2u * i];
    let target_d = displacements[i] * step[params.first_factor + supports[2u * i + 1u]];
    let w = step[STEP_END_WEIGHT];
    x[at] = ((target_d - d[at]) / step[STEP_H] - (1.0 - w) * u[at]) / w;
}
