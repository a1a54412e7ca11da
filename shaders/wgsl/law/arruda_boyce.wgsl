// Arruda-Boyce: constants mu, 1 / N, 1 where the fifth term counts, then those of the volume.

fn slopes(a: real, b: real, c: array<real, LAW_CONSTANTS>) -> Slopes {
    let i1 = a + 3.0;
    let n = c[1];
    // Factors of the powers of I1 in the energy.
    let f1: real = 0.5;
    let f2 = n / 20.0;
    let f3 = n * n * (11.0 / 1050.0);
    let f4 = n * n * n * (19.0 / 7000.0);
    let f5 = n * n * n * n * (519.0 / 673750.0) * c[2];
    let first = f1 + i1 * (2.0 * f2 + i1 * (3.0 * f3 + i1 * (4.0 * f4 + i1 * 5.0 * f5)));
    let second = 2.0 * f2 + i1 * (6.0 * f3 + i1 * (12.0 * f4 + i1 * 20.0 * f5));
    return Slopes(vec2<real>(c[0] * first, 0.0), vec3<real>(c[0] * second, 0.0, 0.0));
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[3], c[4]);
}
