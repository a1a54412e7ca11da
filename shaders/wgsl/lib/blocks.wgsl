// Blocks of a sliced matrix in f32.

// Product with block k of the slice's row `slot`, k counted over all slices.
fn block_product(k: u32, slot: u32, v: vec3<num>) -> vec3<num> {
    let at = BLOCK * SLICE * k + slot;
    let row_0 = vec3<f32>(blocks[at], blocks[at + SLICE], blocks[at + 2u * SLICE]);
    let row_1 = vec3<f32>(blocks[at + 3u * SLICE], blocks[at + 4u * SLICE], blocks[at + 5u * SLICE]);
    let row_2 = vec3<f32>(blocks[at + 6u * SLICE], blocks[at + 7u * SLICE], blocks[at + 8u * SLICE]);
    return vec3<num>(dot(vec3<num>(row_0), v), dot(vec3<num>(row_1), v), dot(vec3<num>(row_2), v));
}
