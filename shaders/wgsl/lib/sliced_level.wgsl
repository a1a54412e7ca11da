// The vectors of a level, in f32: regions of one buffer. For sliced.wgsl, the direction `v`.

alias num = f32;

fn level_vector(region: u32, i: u32) -> vec3<f32> {
    let at = region + 3u * i;
    return vec3<f32>(vectors[at], vectors[at + 1u], vectors[at + 2u]);
}

fn vector_at(i: u32) -> vec3<f32> {
    return level_vector(params.v, i);
}
