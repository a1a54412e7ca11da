// Blocks of a sliced matrix as `pack` leaves them: nine numbers of 16 bits and their common factor, or nine of 32 bits.

fn number(at: u32) -> f32 {
    return bitcast<f32>(packed[at]);
}

// Product with block k of the slice's row `slot`, k counted over all slices.
fn block_product(k: u32, slot: u32, v: vec3<f32>) -> vec3<f32> {
    let at = params.words * SLICE * k + slot;
    if params.words == BLOCK {
        let row_0 = vec3<f32>(number(at), number(at + SLICE), number(at + 2u * SLICE));
        let row_1 = vec3<f32>(number(at + 3u * SLICE), number(at + 4u * SLICE), number(at + 5u * SLICE));
        let row_2 = vec3<f32>(number(at + 6u * SLICE), number(at + 7u * SLICE), number(at + 8u * SLICE));
        return vec3<f32>(dot(row_0, v), dot(row_1, v), dot(row_2, v));
    }
    let a = unpack2x16float(packed[at]);
    let b = unpack2x16float(packed[at + SLICE]);
    let c = unpack2x16float(packed[at + 2u * SLICE]);
    let d = unpack2x16float(packed[at + 3u * SLICE]);
    let last = packed[at + 4u * SLICE];
    let e = unpack2x16float(last & 0xffffu);
    let product = vec3<f32>(
        dot(vec3<f32>(a.x, a.y, b.x), v),
        dot(vec3<f32>(b.y, c.x, c.y), v),
        dot(vec3<f32>(d.x, d.y, e.x), v),
    );
    return bitcast<f32>(last & 0xffff0000u) * product;
}
