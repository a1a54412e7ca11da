// Yeoh: constants C1, C2, C3, then those of the volume.

fn slopes(a: real, b: real, c: array<real, LAW_CONSTANTS>) -> Slopes {
    let first = c[0] + a * (2.0 * c[1] + a * c[2] * 3.0);
    return Slopes(vec2<real>(first, 0.0), vec3<real>(2.0 * c[1] + a * c[2] * 6.0, 0.0, 0.0));
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[3], c[4]);
}
