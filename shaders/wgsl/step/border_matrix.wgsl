// Stiffness of what acts on the border beside tissue, in the matrix: K_ij += B_ij, i != j.
//
// One invocation adds one block to an entry of a segment; each is listed once. `places` holds the number of the
// block and that of the entry.
// Twin: src/cpu/step/border_matrix.rs.

@group(0) @binding(0) var<uniform> params: BorderParams;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> border: array<real>;
@group(0) @binding(3) var<storage, read_write> blocks: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn border_matrix(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.entry_count {
        return;
    }
    let source = BLOCK * places[2u * i];
    let entry = places[2u * i + 1u];
    // Scalar 3 row + column of an entry, SLICE entries side by side.
    let first = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    for (var c = 0u; c < BLOCK; c++) {
        blocks[first + c * SLICE] += f32(border[source + c]);
    }
}
