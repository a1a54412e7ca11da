// Rows of a product with a sliced matrix (src/matrix.rs): y_i = G_i x_i + sum of K_ij (x_j - s x_i).
// The text that imports this declares `num`, the type of the vectors, `vector_at(row)`, the bindings
// `structure` and `diagonal`, `block_product` of its blocks, and parameters with the members that are used below.
// A workgroup has WORKGROUP_SIZE / parts rows; `parts` lanes share the entries of a row.

var<workgroup> shares: array<vec3<num>, WORKGROUP_SIZE>;

// Rows of a workgroup.
fn rows_of_group() -> u32 {
    return WORKGROUP_SIZE / params.parts;
}

// Row of the segment that a lane of a group works on.
fn row_of(group: u32, lane: u32) -> u32 {
    return group * rows_of_group() + lane % rows_of_group();
}

// G_i v.
fn diagonal_product(i: u32, v: vec3<num>) -> vec3<num> {
    let at = BLOCK * i;
    let row_0 = vec3<f32>(diagonal[at], diagonal[at + 1u], diagonal[at + 2u]);
    let row_1 = vec3<f32>(diagonal[at + 3u], diagonal[at + 4u], diagonal[at + 5u]);
    let row_2 = vec3<f32>(diagonal[at + 6u], diagonal[at + 7u], diagonal[at + 8u]);
    return vec3<num>(dot(vec3<num>(row_0), v), dot(vec3<num>(row_1), v), dot(vec3<num>(row_2), v));
}

// Index of the first column in `structure`: after the starts of slices and the fixed bits.
fn first_column() -> u32 {
    return params.slice_count + 1u + params.slice_count * SLICE;
}

// Sum of the entries part, part + parts, ... of row `local` of the segment, with G added to the first.
fn row_share(local: u32, part: u32) -> vec3<num> {
    let own = vector_at(params.first_row + local);
    let slice = local / SLICE;
    let columns = first_column() + local % SLICE;
    var y = vec3<num>(0.0, 0.0, 0.0);
    if part == 0u {
        y = diagonal_product(params.first_row + local, own);
    }
    for (var k = structure[slice] + part; k < structure[slice + 1u]; k += params.parts) {
        let other = vector_at(structure[columns + k * SLICE]);
        y += block_product(k, local % SLICE, other - num(params.shift) * own);
    }
    return y;
}

// Row `local` of the product, valid in the lanes below rows_of_group(); every lane of the workgroup must
// come here.
fn sliced_row(local: u32, lane: u32) -> vec3<num> {
    let rows = rows_of_group();
    shares[lane] = vec3<num>(0.0, 0.0, 0.0);
    if local < params.row_count {
        shares[lane] = row_share(local, lane / rows);
    }
    workgroupBarrier();
    for (var stride = WORKGROUP_SIZE / 2u; stride >= rows; stride /= 2u) {
        if lane < stride {
            shares[lane] += shares[lane + stride];
        }
        workgroupBarrier();
    }
    return shares[lane];
}

// v without the scalars that are fixed in row `local`.
fn without_fixed(local: u32, v: vec3<num>) -> vec3<num> {
    let fixed = structure[params.slice_count + 1u + local];
    let bits = vec3<u32>(fixed, fixed >> 1u, fixed >> 2u) & vec3<u32>(1u, 1u, 1u);
    return select(v, vec3<num>(0.0, 0.0, 0.0), bits == vec3<u32>(1u, 1u, 1u));
}
