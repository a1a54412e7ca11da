// One invocation a corner i = e * NODE_COUNT + a of an element: the sum of S_p dN_a/dr over the points p
// of the element, with scalar k (columns) of S_p at k * n + e * POINT_COUNT + p of `stress`, n points in
// all. Writes 3 scalars at 3 (first_nodal + i) of `nodal`. Race-free: they are its own.

struct NodalParams {
    element_count: u32,
    // Number of the first corner in `nodal`.
    first_nodal: u32,
    extra_0: u32,
    extra_1: u32,
}

@group(0) @binding(0) var<uniform> params: NodalParams;
@group(0) @binding(1) var<storage, read> stress: array<real>;
@group(0) @binding(2) var<storage, read> table: array<real>;
@group(0) @binding(3) var<storage, read_write> nodal: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn element_forces(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.element_count * NODE_COUNT {
        return;
    }
    let n = params.element_count * POINT_COUNT;
    var sum = vec3<real>();
    for (var p = 0u; p < POINT_COUNT; p++) {
        let s = i / NODE_COUNT * POINT_COUNT + p;
        // The table starts with the constants of the law and the gradients at the centre.
        let t = LAW_CONSTANTS + 3u * ((1u + p) * NODE_COUNT + i % NODE_COUNT);
        sum += vec3<real>(stress[s], stress[n + s], stress[2u * n + s]) * table[t];
        sum += vec3<real>(stress[3u * n + s], stress[4u * n + s], stress[5u * n + s]) * table[t + 1u];
        sum += vec3<real>(stress[6u * n + s], stress[7u * n + s], stress[8u * n + s]) * table[t + 2u];
    }
    let place = 3u * (params.first_nodal + i);
    nodal[place] = sum.x;
    nodal[place + 1u] = sum.y;
    nodal[place + 2u] = sum.z;
}
