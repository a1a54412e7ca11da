// Compressible neo-Hookean: J sigma = mu (b - I) + lambda ln J I; constants lambda, mu.

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let f = h + IDENTITY;
    let j = det(f);
    let over_j = 1.0 / j;
    let log_j = ln_1p(volume_change(h));
    let stress = (left_strain(h) * c[1] + IDENTITY * (c[0] * log_j)) * over_j;
    let mu = (c[1] - c[0] * log_j) * over_j;
    return LawPoint(cofactors(f) * over_j, stress, j, c[0] * over_j, mu);
}
