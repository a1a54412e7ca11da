// What is left in this step of the stresses that points remember: their sum with the weights from weight_place on in `step`, the
// same at all points. Scalar k of point i goes to first_left + k * point_count + i of `geometry`; `memory` has stress t of
// point i from (i * stress_count + t) * STRESS_SIZE on.
//
// One invocation sums the stresses of one point.
// Twin: src/cpu/step/left_stress.rs.

@group(0) @binding(0) var<uniform> params: LeftParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> memory: array<real>;
@group(0) @binding(3) var<storage, read_write> geometry: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn left_stress(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.point_count {
        return;
    }
    for (var k = 0u; k < STRESS_SIZE; k++) {
        var sum = real(0.0);
        for (var t = 0u; t < params.stress_count; t++) {
            let place = (i * params.stress_count + t) * STRESS_SIZE + k;
            sum += step[params.weight_place + t] * memory[place];
        }
        geometry[params.first_left + k * params.point_count + i] = sum;
    }
}
