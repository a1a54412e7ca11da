// Neo-Hookean with the change of volume apart: constants G, then those of the volume.

fn slopes(a: real, b: real, c: array<real, LAW_CONSTANTS>) -> Slopes {
    return Slopes(vec2<real>(0.5 * c[0], 0.0), vec3<real>());
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[1], c[2]);
}
