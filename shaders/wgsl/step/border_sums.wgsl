// Row sums of the stiffness at the border, which may resist a translation, in the matrix in difference form:
// G_i += sum over j of B_ij.
//
// One invocation updates one row of the border; each is listed once. The buffers are those of border_residual.
// Twin: src/cpu/step/border_sums.rs.

@group(0) @binding(0) var<uniform> params: BorderParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<real>;
@group(0) @binding(3) var<storage, read_write> diagonal: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn border_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let offsets = params.row_count;
    for (var c = 0u; c < BLOCK; c++) {
        var sum: real = 0.0;
        for (var k = structure[offsets + i]; k < structure[offsets + i + 1u]; k++) {
            sum += blocks[BLOCK * k + c];
        }
        diagonal[BLOCK * structure[i] + c] += f32(sum);
    }
}
