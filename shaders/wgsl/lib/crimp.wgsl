// Passive force of crimped fibres over their modulus and its slope by n, x = n - 1: p1 (exp(p2 x) - 1)
// for x > 0, from `straight` on its tangent.
fn crimp(p1: real, p2: real, straight: real, x: real) -> vec2<real> {
    if x <= 0.0 {
        return vec2<real>();
    }
    let curved = min(x, straight);
    let stiff = exp_m1(p2 * curved);
    let slope = p1 * p2 * (1.0 + stiff);
    return vec2<real>(p1 * stiff + slope * (x - curved), slope);
}
