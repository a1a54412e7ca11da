// Puts fixed scalars where they are prescribed, without the rounding of a velocity.
//
// One invocation serves one fixed scalar, of which each is listed once, and writes it alone.
// Twin: src/cpu/step/lead_positions.rs.

@group(0) @binding(0) var<uniform> params: SupportParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> supports: array<u32>;
@group(0) @binding(3) var<storage, read> displacements: array<real>;
@group(0) @binding(4) var<storage, read_write> d: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn prescribe_positions(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.support_count {
        return;
    }
    d[supports[2u * i]] = displacements[i] * step[params.first_factor + supports[2u * i + 1u]];
}
