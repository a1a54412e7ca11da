// Five-constant Mooney-Rivlin: constants C10, C01, C11, C20, C02, then those of the volume.

fn slopes(a: real, b: real, c: array<real, LAW_CONSTANTS>) -> Slopes {
    let first = vec2<real>(c[0] + c[2] * b + 2.0 * c[3] * a, c[1] + c[2] * a + 2.0 * c[4] * b);
    return Slopes(first, vec3<real>(2.0 * c[3], c[2], 2.0 * c[4]));
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[5], c[6]);
}
