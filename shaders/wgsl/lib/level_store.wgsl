fn store(region: u32, i: u32, value: vec3<f32>) {
    let at = region + 3u * i;
    vectors[at] = value.x;
    vectors[at + 1u] = value.y;
    vectors[at + 2u] = value.z;
}
