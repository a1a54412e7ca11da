// Blemker's muscle: constants maximum stress, optimal stretch, P1, P2, maximum stretch, slope of the
// line beyond that; last the activation.

// The active force over its maximum, and its slope.
fn active_force(n: real) -> vec2<real> {
    if n <= 0.4 || n >= 1.6 {
        return vec2<real>();
    }
    if n > 0.6 && n < 1.4 {
        return vec2<real>(1.0 - 4.0 * (n - 1.0) * (n - 1.0), 8.0 * (1.0 - n));
    }
    let x = n - select(real(1.6), real(0.4), n < 1.0);
    return vec2<real>(9.0 * x * x, 18.0 * x);
}

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    let n = stretch / c[1];
    let passive = crimp(c[2], c[3], c[4] / c[1] - 1.0, c[5], n - 1.0);
    let force = passive + active_force(n) * c[ACTIVATION];
    return vec2<real>(force.x, force.x + n * force.y) * (c[0] * n);
}
