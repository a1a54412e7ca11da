// Five-constant Mooney-Rivlin over a = I1 - 3, b = I2 - 3 of the isochoric left Cauchy-Green tensor B:
// constants C10, C01, C11, C20, C02, kappa. Stress and tangent: Holzapfel, sections 6.4 and 6.6.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space, and its deviator.
    stress: mat3x3<real>,
    deviator: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    // The part of the tangent that is isotropic.
    lambda: real,
    mu: real,
    // B, the deviator of I1 B - B B, and the derivative of the energy by b.
    left: mat3x3<real>,
    dual: mat3x3<real>,
    w2: real,
    // 2 C20, C11, 2 C02.
    curvature: vec3<real>,
}

// Tangent : e for a symmetric e, with D = dev B, G = the dual, S = B B - I tr(B B) / 6:
// 4/J [(2 C20 + W2) D D:e + C11 (D G:e + G D:e) + 2 C02 G G:e - W2 (B e B - (S tr e + I S:e) / 3)]
// - 2/3 (dev sigma tr e + I dev sigma:e) + lambda tr e I + 2 mu e.
fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    let d = deviator(p.left);
    let square = p.left * p.left;
    let s = square - IDENTITY * (trace(square) / 6.0);
    let along_d = contract(d, e);
    let along_g = contract(p.dual, e);
    var sum = d * ((p.curvature.x + p.w2) * along_d + p.curvature.y * along_g);
    sum = sum + p.dual * (p.curvature.y * along_d + p.curvature.z * along_g);
    let turned = (s * trace(e) + IDENTITY * contract(s, e)) * (1.0 / 3.0);
    sum = sum - (p.left * e * p.left - turned) * p.w2;
    let side = p.deviator * trace(e) + IDENTITY * contract(p.deviator, e);
    return sum * (4.0 / p.volume_ratio) - side * (2.0 / 3.0) + hooke(e, p.lambda, p.mu);
}

// I1 and I2 without differences of first order: with t = tr b / 3 and d = dev b / t,
// I1 = 3 (1 - q)^(-1/3), I2 = 3 (1 - p) (1 - q)^(-2/3), q = d:d/2 - det d, p = d:d/6.
fn law(h: mat3x3<real>, centre: mat3x3<real>, c: array<real, 6>) -> LawPoint {
    let f = h + IDENTITY;
    let j = det(f);
    let growth = volume_change(h);
    let left = left_strain(h);
    let d = deviator(left) * (1.0 / (1.0 + trace(left) / 3.0));
    let squares = contract(d, d);
    let log_q = ln_1p(det(d) - 0.5 * squares) / 3.0;
    let a = 3.0 * exp_m1(-log_q);
    let p = squares / 6.0;
    let b = 3.0 * (exp_m1(-log_q - log_q) * (1.0 - p) - p);
    let isochoric = 1.0 + exp_m1(ln_1p(growth) * (-2.0 / 3.0));

    let w1 = c[0] + c[2] * b + 2.0 * c[3] * a;
    let w2 = c[1] + c[2] * a + 2.0 * c[4] * b;
    let i1 = a + 3.0;
    let whole = (left + IDENTITY) * isochoric;
    let square = whole * whole;
    // dev[(W1 + I1 W2) B - W2 B B] from b - I.
    let second = w2 * isochoric * isochoric;
    let first = (w1 + w2 * i1) * isochoric - second - second;
    let stress_deviator = deviator(left * first - left * left * second) * (2.0 / j);
    let pressure = c[5] * growth;
    let isochoric_trace = ((w1 + i1 * w2) * i1 - w2 * trace(square)) * 2.0 / j;

    var point: LawPoint;
    point.frame = cofactors(f) * (1.0 / j);
    point.stress = stress_deviator + IDENTITY * pressure;
    point.deviator = stress_deviator;
    point.volume_ratio = j;
    point.mu = isochoric_trace / 3.0 - pressure;
    point.lambda = pressure + c[5] * (1.0 + growth) - isochoric_trace * (2.0 / 9.0);
    point.left = whole;
    point.dual = deviator(whole * i1 - square);
    point.w2 = w2;
    point.curvature = vec3<real>(2.0 * c[3], c[2], 2.0 * c[4]);
    return point;
}
