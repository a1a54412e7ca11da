// ln(1 + x) and exp(x) - 1 by sums and square roots alone: f64 has no other functions in WGSL, and
// those of f32 lose the digits of small x.

fn ln_1p(argument: real) -> real {
    var x = argument;
    var factor: real = 2.0;
    // ln(1 + x) = 2 ln(1 + x'), 1 + x' = sqrt(1 + x). 16 halvings bring any finite 1 + x here.
    for (var k = 0u; k < 16u; k++) {
        if abs(x) <= 0.125 {
            break;
        }
        x = x / (1.0 + sqrt(1.0 + x));
        factor = factor * 2.0;
    }
    // 2 artanh(s), s = x / (2 + x): with |s| <= 1/15 the next term is below 1e-17 of the sum.
    let s = x / (2.0 + x);
    let q = s * s;
    var series: real = 1.0 / 13.0;
    series = series * q + 1.0 / 11.0;
    series = series * q + 1.0 / 9.0;
    series = series * q + 1.0 / 7.0;
    series = series * q + 0.2;
    series = series * q + 1.0 / 3.0;
    return factor * (s + s * q * series);
}

fn exp_m1(argument: real) -> real {
    var x = argument;
    var doublings = 0u;
    for (; doublings < 16u; doublings++) {
        if abs(x) <= 0.25 {
            break;
        }
        x = x * 0.5;
    }
    // Taylor: with |x| <= 1/4 the term of degree 14 is below 1e-17 of the sum.
    var e: real = 1.0;
    for (var k = 13u; k > 1u; k--) {
        e = 1.0 + x / real(k) * e;
    }
    e = x * e;
    for (; doublings > 0u; doublings--) {
        e = e * (e + 2.0);
    }
    return e;
}
