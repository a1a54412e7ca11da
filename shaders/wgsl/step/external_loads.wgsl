// External force of every row: f_i = sum over fields k of factor_k field_k,i.
//
// One invocation computes one row and writes its force alone (scalars 2 to 4 of its five in `loads`).
// Twin: src/cpu/step/external_loads.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> fields: array<real>;
@group(0) @binding(3) var<storage, read_write> loads: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn external_loads(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    var f = vec3<real>(0.0, 0.0, 0.0);
    for (var k = 0u; k < params.field_count; k++) {
        let at = 3u * (k * params.row_count + i);
        f += step[params.first_factor + k] * vec3<real>(fields[at], fields[at + 1u], fields[at + 2u]);
    }
    loads[5u * i + 2u] = f.x;
    loads[5u * i + 3u] = f.y;
    loads[5u * i + 4u] = f.z;
}
