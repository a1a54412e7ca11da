// First half of a sweep of a symmetric positive definite matrix by PIVOT scalars: inverts their
// diagonal block, and leaves their columns C and the panel P = C times the inverse in `panel`. In the
// rows of the pivots P is minus the inverse. A pivot that is not positive is reported.
//
// A workgroup writes DENSE_TILE rows of the panel; each inverts the same block in its own memory.
// Twin: src/cpu/multigrid/dense_panel.rs.

@group(0) @binding(0) var<uniform> params: DenseParams;
@group(0) @binding(1) var<storage, read> dense: array<f32>;
@group(0) @binding(2) var<storage, read_write> panel: array<f32>;
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;

var<workgroup> block: array<f32, PIVOT * PIVOT>;
var<workgroup> columns: array<f32, DENSE_TILE * PIVOT>;

// One of the scalars of the block after a sweep by scalar p (Goodnight 1979).
fn swept(entry: u32, p: u32, inverse: f32) -> f32 {
    let row = entry / PIVOT;
    let column = entry % PIVOT;
    if row == p && column == p {
        return -inverse;
    }
    let outer = block[row * PIVOT + p] * inverse;
    if row == p || column == p {
        return block[entry] * inverse;
    }
    return block[entry] - outer * block[p * PIVOT + column];
}

// Returns whether a pivot was not positive; it is taken as 1, so that no infinity spreads.
fn invert_block(lane: u32) -> bool {
    var refused = false;
    for (var p = 0u; p < PIVOT; p++) {
        var pivot = block[p * PIVOT + p];
        if !(pivot > 0.0) {
            refused = true;
            pivot = 1.0;
        }
        var values: array<f32, 4>;
        for (var k = 0u; k < 4u; k++) {
            values[k] = swept(lane + k * WORKGROUP_SIZE, p, 1.0 / pivot);
        }
        workgroupBarrier();
        for (var k = 0u; k < 4u; k++) {
            block[lane + k * WORKGROUP_SIZE] = values[k];
        }
        workgroupBarrier();
    }
    return refused;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn dense_panel(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first = (group.y * groups.x + group.x) * DENSE_TILE;
    for (var k = lane; k < PIVOT * PIVOT; k += WORKGROUP_SIZE) {
        block[k] = dense[(params.pivot + k / PIVOT) * params.size + params.pivot + k % PIVOT];
    }
    for (var k = lane; k < DENSE_TILE * PIVOT; k += WORKGROUP_SIZE) {
        let row = min(first + k / PIVOT, params.size - 1u);
        columns[k] = dense[row * params.size + params.pivot + k % PIVOT];
    }
    workgroupBarrier();
    let refused = invert_block(lane);
    if refused && first == 0u && lane == 0u {
        flags[FLAG_INDEFINITE] = 1u;
    }
    for (var k = lane; k < DENSE_TILE * PIVOT; k += WORKGROUP_SIZE) {
        let row = first + k / PIVOT;
        let column = k % PIVOT;
        var value = 0.0;
        if row >= params.pivot && row < params.pivot + PIVOT {
            value = block[(row - params.pivot) * PIVOT + column];
        } else {
            for (var p = 0u; p < PIVOT; p++) {
                value -= columns[k - column + p] * block[p * PIVOT + column];
            }
        }
        if row < params.size {
            panel[row * PIVOT + column] = value;
            panel[(params.size + row) * PIVOT + column] = columns[k];
        }
    }
}
