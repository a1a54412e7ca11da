// Passive force of crimped fibres over their modulus and its slope by n, x = n - 1: p1 (exp(p2 x) - 1)
// for x > 0, from `straight` on a line of slope `line`.
fn crimp(p1: real, p2: real, straight: real, line: real, x: real) -> vec2<real> {
    if x <= 0.0 {
        return vec2<real>();
    }
    if x < straight {
        let stiff = exp_m1(p2 * x);
        return vec2<real>(p1 * stiff, p1 * p2 * (1.0 + stiff));
    }
    let bent = p1 * exp_m1(p2 * straight);
    return vec2<real>(bent + line * (x - straight), line);
}
