// Second half of a sweep: A_ij - P_i . C_j outside the rows and columns of the pivots, P inside them.
// After all sweeps the matrix is minus its inverse.
//
// A workgroup computes one tile of DENSE_TILE x DENSE_TILE scalars on or below the diagonal and writes
// it and its transpose: a scalar and its mirror image are one invocation's. An invocation has 4 x 4.
// Twin: src/cpu/multigrid/dense_update.rs.

@group(0) @binding(0) var<uniform> params: DenseParams;
@group(0) @binding(1) var<storage, read> panel: array<f32>;
@group(0) @binding(2) var<storage, read_write> dense: array<f32>;

var<workgroup> rows: array<f32, DENSE_TILE * PIVOT>;
var<workgroup> columns: array<f32, DENSE_TILE * PIVOT>;

// Tiles of the lower triangle before a row.
fn tiles_before(row: u32) -> u32 {
    return row * (row + 1u) / 2u;
}

// Row and column of tile number `k` of the lower triangle, of which there are some thousands: the root is off by one at most.
fn tile_of(k: u32) -> vec2<u32> {
    var row = u32(0.5 * sqrt(8.0 * f32(k) + 1.0) - 0.5);
    if tiles_before(row) > k {
        row--;
    }
    if tiles_before(row + 1u) <= k {
        row++;
    }
    return vec2<u32>(row, k - tiles_before(row));
}

fn is_pivot(scalar: u32) -> bool {
    return scalar >= params.pivot && scalar < params.pivot + PIVOT;
}

fn put(i: u32, j: u32, product: f32) {
    if i < j || i >= params.size {
        return;
    }
    var value = dense[i * params.size + j] - product;
    if is_pivot(j) {
        value = panel[i * PIVOT + j - params.pivot];
    } else if is_pivot(i) {
        value = panel[j * PIVOT + i - params.pivot];
    }
    dense[i * params.size + j] = value;
    dense[j * params.size + i] = value;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn dense_update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = DENSE_TILE * tile_of(group.y * groups.x + group.x);
    // Scalar by scalar, so that lanes read side by side from either.
    for (var k = lane; k < DENSE_TILE * PIVOT; k += WORKGROUP_SIZE) {
        let row = min(tile.x + k / PIVOT, params.size - 1u);
        let column = min(tile.y + k / PIVOT, params.size - 1u);
        rows[k % PIVOT * DENSE_TILE + k / PIVOT] = panel[row * PIVOT + k % PIVOT];
        columns[k % PIVOT * DENSE_TILE + k / PIVOT] = panel[(params.size + column) * PIVOT + k % PIVOT];
    }
    workgroupBarrier();
    let row = lane / 16u * 4u;
    let column = lane % 16u * 4u;
    var sums: array<vec4<f32>, 4>;
    for (var p = 0u; p < DENSE_TILE * PIVOT; p += DENSE_TILE) {
        let at = p + column;
        let c = vec4<f32>(columns[at], columns[at + 1u], columns[at + 2u], columns[at + 3u]);
        sums[0] += rows[p + row] * c;
        sums[1] += rows[p + row + 1u] * c;
        sums[2] += rows[p + row + 2u] * c;
        sums[3] += rows[p + row + 3u] * c;
    }
    for (var k = 0u; k < 16u; k++) {
        put(tile.x + row + k / 4u, tile.y + column + k % 4u, sums[k / 4u][k % 4u]);
    }
}
