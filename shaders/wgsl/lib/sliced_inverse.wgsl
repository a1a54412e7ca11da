// Products with the inverse diagonal blocks, which stand in `diagonal` from `first` on.

fn inverse_product(first: u32, i: u32, v: vec3<f32>) -> vec3<f32> {
    let at = first + BLOCK * i;
    let row_0 = vec3<f32>(diagonal[at], diagonal[at + 1u], diagonal[at + 2u]);
    let row_1 = vec3<f32>(diagonal[at + 3u], diagonal[at + 4u], diagonal[at + 5u]);
    let row_2 = vec3<f32>(diagonal[at + 6u], diagonal[at + 7u], diagonal[at + 8u]);
    return vec3<f32>(dot(row_0, v), dot(row_1, v), dot(row_2, v));
}
