// Row sums of the matrix of a step in difference form: G_i = (m_i + c_d c_i) I. Stiffness adds nothing
// to them, as it does not resist a translation.
//
// One invocation writes the nine scalars of one row. Twin: src/cpu/step/row_sums.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> loads: array<real>;
@group(0) @binding(3) var<storage, read_write> diagonal: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn row_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let sum = f32(loads[5u * i] + step[STEP_DRAG] * loads[5u * i + 1u]);
    for (var k = 0u; k < BLOCK; k++) {
        diagonal[BLOCK * i + k] = select(0.0, sum, k % 4u == 0u);
    }
}
