// Internal forces of the elements at each row, with the sign of a residual: y_i = - sum of the values at
// the corners at row i (y_i -= sum where `field_count` is 1).
//
// One invocation sums one row in the order of its list and writes y there alone. `corners` holds
// row_count + 1 offsets, which count from the first place after them, then places in `nodal`.
// Twin: src/cpu/step/gather_rows.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> corners: array<u32>;
@group(0) @binding(2) var<storage, read> nodal: array<real>;
@group(0) @binding(3) var<storage, read_write> y: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    var sum = vec3<real>(0.0, 0.0, 0.0);
    if params.field_count == 1u {
        sum = vec3<real>(y[3u * i], y[3u * i + 1u], y[3u * i + 2u]);
    }
    let first = params.row_count + 1u;
    for (var k = corners[i]; k < corners[i + 1u]; k++) {
        let at = 3u * corners[first + k];
        sum -= vec3<real>(nodal[at], nodal[at + 1u], nodal[at + 2u]);
    }
    y[3u * i] = sum.x;
    y[3u * i + 1u] = sum.y;
    y[3u * i + 2u] = sum.z;
}
