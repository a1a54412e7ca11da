// The prolongator: for every row six columns of 3 scalars, translations then rotations. Scalar k of
// row i stands at (18 * (i / SLICE) + k) * SLICE + i % SLICE of `modes`, as blocks do.

fn mode_place(i: u32, column: u32) -> u32 {
    return (18u * (i / SLICE) + 3u * column) * SLICE + i % SLICE;
}

fn mode(i: u32, column: u32) -> vec3<f32> {
    let at = mode_place(i, column);
    return vec3<f32>(modes[at], modes[at + SLICE], modes[at + 2u * SLICE]);
}
