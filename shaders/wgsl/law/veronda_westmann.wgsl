// Veronda-Westmann: constants C1, C2, then those of the volume.

fn slopes(a: real, b: real, c: array<real, LAW_CONSTANTS>) -> Slopes {
    let modulus = c[0] * c[1];
    let stiff = modulus * (1.0 + exp_m1(c[1] * a));
    return Slopes(vec2<real>(stiff, -0.5 * modulus), vec3<real>(c[1] * stiff, 0.0, 0.0));
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[2], c[3]);
}
