// The start of the preconditioner at one row: r in f32, and z = c D^-1 r, the whole of block-Jacobi and the first
// step of a smoothing from zero, which keeps it as its direction too.

fn store_row(region: u32, i: u32, value: vec3<f32>) {
    let at = region + 3u * i;
    vectors[at] = value.x;
    vectors[at + 1u] = value.y;
    vectors[at + 2u] = value.z;
}

// Writes row i and returns r . z; 0 where nothing but r is wanted.
fn precondition(i: u32, r: vec3<real>) -> real {
    let rounded = vec3<f32>(r);
    store_row(params.r, i, rounded);
    if params.z == NONE {
        return real(0.0);
    }
    let z = coefficients[params.coefficient] * inverse_product(BLOCK * params.row_count, i, rounded);
    store_row(params.z, i, z);
    if params.d != NONE {
        store_row(params.d, i, z);
    }
    return dot(r, vec3<real>(z));
}
