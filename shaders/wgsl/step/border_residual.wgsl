// What acts on the border beside tissue, in the residual of a step: r_i += b_i - sum over j of B_ij v_j.
//
// One invocation updates one row of the border; each is listed once. `structure` holds the rows, row_count + 1
// offsets that count from the first place after them, and the column of each block; `blocks` nine scalars a
// block, row by row.
// Twin: src/cpu/step/border_residual.rs.

@group(0) @binding(0) var<uniform> params: BorderParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> impulses: array<real>;
@group(0) @binding(3) var<storage, read> blocks: array<real>;
@group(0) @binding(4) var<storage, read> v: array<real>;
@group(0) @binding(5) var<storage, read_write> residual: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn border_residual(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    var sum = vec3<real>(impulses[3u * i], impulses[3u * i + 1u], impulses[3u * i + 2u]);
    let offsets = params.row_count;
    let columns = 2u * params.row_count + 1u;
    for (var k = structure[offsets + i]; k < structure[offsets + i + 1u]; k++) {
        let j = 3u * structure[columns + k];
        let vj = vec3<real>(v[j], v[j + 1u], v[j + 2u]);
        let b = BLOCK * k;
        sum.x -= dot(vec3<real>(blocks[b], blocks[b + 1u], blocks[b + 2u]), vj);
        sum.y -= dot(vec3<real>(blocks[b + 3u], blocks[b + 4u], blocks[b + 5u]), vj);
        sum.z -= dot(vec3<real>(blocks[b + 6u], blocks[b + 7u], blocks[b + 8u]), vj);
    }
    let row = 3u * structure[i];
    residual[row] += sum.x;
    residual[row + 1u] += sum.y;
    residual[row + 2u] += sum.z;
}
