// St. Venant-Kirchhoff: sigma = F (lambda tr(E) I + 2 mu E) F^T / J; constants lambda, mu.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    // Constants over J.
    lambda: real,
    mu: real,
    // Left Cauchy-Green tensor.
    b: mat3x3<real>,
}

// (lambda b (b : e) + 2 mu b e b) / J for a symmetric e.
fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    return p.b * (p.lambda * contract(p.b, e)) + p.b * e * p.b * (p.mu + p.mu);
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let f = h + IDENTITY;
    let j = det(f);
    // A point without volume counts for nothing.
    let over_j = select(1.0 / j, 0.0, j == 0.0);
    let stress = f * hooke(green_strain(h), c[0], c[1]) * transpose(f) * over_j;
    let b = left_strain(h) + IDENTITY;
    return LawPoint(cofactors(f) * over_j, stress, j, c[0] * over_j, c[1] * over_j, b);
}
