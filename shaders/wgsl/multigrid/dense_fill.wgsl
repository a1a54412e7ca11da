// The coarsest matrix as a dense one: the rows of one segment, and 1 on the diagonal of scalars that
// are fixed or past the last row. The diagonal is raised by a millionth, since rounding in f32 may make
// a pivot of a matrix that is barely positive vanish.
//
// One invocation writes one row of scalars, over zeros; those past the segment write the rows past the
// matrix. The first one forgets what was found about the last matrix. Twin: src/cpu/multigrid/dense_fill.rs.

@group(0) @binding(0) var<uniform> params: DenseParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<f32>;
@group(0) @binding(3) var<storage, read> diagonal: array<f32>;
@group(0) @binding(4) var<storage, read> fixed: array<u32>;
@group(0) @binding(5) var<storage, read_write> dense: array<f32>;
@group(0) @binding(6) var<storage, read_write> flags: array<u32>;

const RAISE = 1.000001;

fn is_fixed(scalar: u32) -> bool {
    return ((fixed[scalar / 3u] >> (scalar % 3u)) & 1u) == 1u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn dense_fill(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let scalar = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if scalar >= 3u * params.row_count {
        let past = scalar + 3u * (params.matrix_rows - params.row_count);
        if past < params.size {
            dense[past * params.size + past] = 1.0;
        }
        return;
    }
    if scalar == 0u {
        flags[FLAG_INDEFINITE] = 0u;
    }
    let local = scalar / 3u;
    let i = params.first_row + local;
    let component = scalar % 3u;
    let start = params.size * (3u * i + component);
    let g = BLOCK * i + 3u * component;
    var own = vec3<f32>(diagonal[g], diagonal[g + 1u], diagonal[g + 2u]);
    let columns = params.slice_count + 1u + params.slice_count * SLICE + local % SLICE;
    for (var k = structure[local / SLICE]; k < structure[local / SLICE + 1u]; k++) {
        let j = structure[columns + k * SLICE];
        for (var c = 0u; c < 3u; c++) {
            let value = blocks[BLOCK * SLICE * k + (3u * component + c) * SLICE + local % SLICE];
            own[c] -= params.shift * value;
            if j != i && !is_fixed(3u * i + component) && !is_fixed(3u * j + c) {
                dense[start + 3u * j + c] = value;
            }
        }
    }
    for (var c = 0u; c < 3u; c++) {
        let among_fixed = is_fixed(3u * i + component) || is_fixed(3u * i + c);
        var value = select(own[c], 0.0, among_fixed);
        if c == component {
            value = select(own[c] * RAISE, 1.0, among_fixed);
        }
        dense[start + 3u * i + c] = value;
    }
}
