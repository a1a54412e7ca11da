// Hill-type muscle: constants maximum stress, optimal stretch, 1 / gamma, factor and exponent of the
// passive force; last the activation.

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    let n = stretch / c[1];
    let x = n - 1.0;
    let bell = (1.0 + exp_m1(-x * x * c[2])) * c[ACTIVATION];
    var force = vec2<real>(bell, -2.0 * x * c[2] * bell);
    if x > 0.0 {
        let stiff = exp_m1(c[4] * x);
        force += vec2<real>(c[3] * stiff, c[3] * c[4] * (1.0 + stiff));
    }
    return vec2<real>(force.x, force.x + n * force.y) * (c[0] * n);
}
