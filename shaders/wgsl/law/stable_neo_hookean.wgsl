// Stable neo-Hookean (Smith, de Goes, Kim 2018): constants lambda, mu.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    lambda: real,
    mu: real,
    // Left Cauchy-Green tensor, and the factor of its square in the tangent.
    b: mat3x3<real>,
    curvature: real,
}

fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    return p.b * (p.curvature * contract(p.b, e)) + hooke(e, p.lambda, p.mu);
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let l = c[0] + c[1] * (5.0 / 6.0);
    let m = c[1] * (4.0 / 3.0);
    let f = h + IDENTITY;
    let j = det(f);
    // A point without volume counts for nothing.
    let over_j = select(1.0 / j, 0.0, j == 0.0);
    let left = left_strain(h);
    let growth = volume_change(h);
    let i1 = trace(left) + 4.0;
    let stiff = IDENTITY * growth;
    let b = left + IDENTITY;
    let shear = (left - stiff) * 0.75 + b * (trace(left) / (i1 * 4.0));
    let pressure = l * growth - m * 0.75;
    var point: LawPoint;
    point.frame = cofactors(f) * over_j;
    point.stress = shear * (m * over_j) + stiff * l;
    point.volume_ratio = j;
    point.lambda = pressure + j * l;
    point.mu = -pressure;
    point.b = b;
    point.curvature = 2.0 * m * over_j / (i1 * i1);
    return point;
}
