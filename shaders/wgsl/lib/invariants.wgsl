// Isochoric energies of a = I1 - 3 and b = I2 - 3 of the isochoric left Cauchy-Green tensor B. A law
// has a function `slopes`.

// Derivatives of the energy by a and b.
struct Slopes {
    first: vec2<real>,
    // aa, ab, bb.
    second: vec3<real>,
}

struct Isochoric {
    shape: mat3x3<real>,
    trace: real,
    // B, and the deviators of B and of I1 B - B B.
    left: mat3x3<real>,
    d: mat3x3<real>,
    g: mat3x3<real>,
    w2: real,
    // aa + W2, ab, bb.
    second: vec3<real>,
}

// 4 [(W11 + W2) D D:e + W12 (D G:e + G D:e) + W22 G G:e - W2 B e B].
fn modulus_times(p: Isochoric, e: mat3x3<real>) -> mat3x3<real> {
    let along_d = contract(p.d, e);
    let along_g = contract(p.g, e);
    var sum = p.d * (p.second.x * along_d + p.second.y * along_g);
    sum = sum + p.g * (p.second.y * along_d + p.second.z * along_g);
    return (sum - p.left * e * p.left * p.w2) * 4.0;
}

// I1 and I2 without differences of first order: with t = tr b / 3 and d = dev b / t,
// I1 = 3 (1 - q)^(-1/3), I2 = 3 (1 - p) (1 - q)^(-2/3), q = d:d/2 - det d, p = d:d/6.
fn invariants(left: mat3x3<real>) -> vec2<real> {
    let d = deviator(left) * (1.0 / (1.0 + trace(left) / 3.0));
    let squares = contract(d, d);
    let log_q = ln_1p(det(d) - 0.5 * squares) / 3.0;
    let p = squares / 6.0;
    return vec2<real>(3.0 * exp_m1(-log_q), 3.0 * (exp_m1(-log_q - log_q) * (1.0 - p) - p));
}

// 2 [(W1 + I1 W2) B - W2 B B] from b - I.
fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let ab = invariants(k.left);
    let s = slopes(ab.x, ab.y, c);
    let i1 = ab.x + 3.0;
    let second = s.first.y * k.scale * k.scale;
    let first = (s.first.x + s.first.y * i1) * k.scale - second - second;
    var part: Isochoric;
    part.shape = (k.left * first - k.left * k.left * second) * 2.0;
    part.trace = (s.first.x * i1 + s.first.y * 2.0 * (ab.y + 3.0)) * 2.0;
    part.left = (k.left + IDENTITY) * k.scale;
    part.d = deviator(part.left);
    part.g = deviator(part.left * i1 - part.left * part.left);
    part.w2 = s.first.y;
    part.second = s.second + vec3<real>(s.first.y, 0.0, 0.0);
    return part;
}
