// For elements that have no pressures of their own.
struct VolumeSlopes {
    unused: u32,
}

fn add_volume_slopes(
    to: ptr<function, VolumeSlopes>,
    first: u32,
    g: vec3<real>,
    h: vec3<real>,
) {
}

fn volume_block(slopes: ptr<function, VolumeSlopes>) -> mat3x3<real> {
    return mat3x3<real>();
}
