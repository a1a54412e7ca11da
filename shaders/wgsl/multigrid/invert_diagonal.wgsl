// The inverse of every diagonal block A_ii = G_i - s sum of K_ij, over the scalars that are not fixed;
// zero in the rows and columns of the others, and where there is none.
//
// One invocation writes the inverse of one row of a segment. Twin: src/cpu/multigrid/invert_diagonal.rs.

@group(0) @binding(0) var<uniform> params: ProductParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> blocks: array<f32>;
@group(0) @binding(3) var<storage, read_write> diagonal: array<f32>;

fn block_row(at: u32, stride: u32) -> vec3<f32> {
    return vec3<f32>(blocks[at], blocks[at + stride], blocks[at + 2u * stride]);
}

// A pivot that is positive, or 1.
fn pivot(scalar: f32) -> f32 {
    return select(1.0, scalar, scalar > 0.0);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn invert_diagonal(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let local = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if local >= params.row_count {
        return;
    }
    let g = BLOCK * (params.first_row + local);
    // The block is symmetric: its rows up to the diagonal.
    var row_0 = diagonal[g];
    var row_1 = vec2<f32>(diagonal[g + 3u], diagonal[g + 4u]);
    var row_2 = vec3<f32>(diagonal[g + 6u], diagonal[g + 7u], diagonal[g + 8u]);
    let slice = local / SLICE;
    for (var k = structure[slice]; k < structure[slice + 1u]; k++) {
        let at = BLOCK * SLICE * k + local % SLICE;
        row_0 -= params.shift * blocks[at];
        row_1 -= params.shift * block_row(at + 3u * SLICE, SLICE).xy;
        row_2 -= params.shift * block_row(at + 6u * SLICE, SLICE);
    }
    let fixed = structure[params.slice_count + 1u + local];
    let free = vec3<f32>(vec3<u32>(1u, 1u, 1u) - (vec3<u32>(fixed, fixed >> 1u, fixed >> 2u) & vec3<u32>(1u, 1u, 1u)));
    row_0 *= free.x;
    row_1 *= free.y * free.xy;
    row_2 *= free.z * free;
    let size = max(row_0, max(row_1.y, row_2.z));
    var inverse = 0.0;
    if size > 0.0 {
        inverse = 1.0 / size;
    }
    row_0 = row_0 * inverse + (1.0 - free.x);
    row_1 = row_1 * inverse + vec2<f32>(0.0, 1.0 - free.y);
    row_2 = row_2 * inverse + vec3<f32>(0.0, 0.0, 1.0 - free.z);
    // By a factor L D L^T, which leaves the inverse positive: cofactors lose all digits of soft directions beside a stiff one,
    // as that of the volume is.
    let d_0 = pivot(row_0);
    let l_10 = row_1.x / d_0;
    let l_20 = row_2.x / d_0;
    let p_1 = row_1.y - l_10 * row_1.x;
    let d_1 = pivot(p_1);
    let c_21 = row_2.y - l_20 * row_1.x;
    let l_21 = c_21 / d_1;
    let p_2 = row_2.z - l_20 * row_2.x - l_21 * c_21;
    let d_2 = pivot(p_2);
    if min(row_0, min(p_1, p_2)) <= 0.0 {
        inverse = 0.0;
    }
    let m_20 = l_10 * l_21 - l_20;
    let w = vec3<f32>(1.0 / d_0, 1.0 / d_1, 1.0 / d_2) * inverse;
    let xy = -(l_10 * w.y + m_20 * l_21 * w.z);
    let xz = m_20 * w.z;
    let yz = -(l_21 * w.z);
    let at = g + BLOCK * params.matrix_rows;
    diagonal[at] = free.x * (w.x + l_10 * l_10 * w.y + m_20 * m_20 * w.z);
    diagonal[at + 4u] = free.y * (w.y + l_21 * l_21 * w.z);
    diagonal[at + 8u] = free.z * w.z;
    diagonal[at + 1u] = xy;
    diagonal[at + 2u] = xz;
    diagonal[at + 3u] = xy;
    diagonal[at + 5u] = yz;
    diagonal[at + 6u] = xz;
    diagonal[at + 7u] = yz;
}
