// Values at a point of a law with an isotropic spatial tangent.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    lambda: real,
    mu: real,
}

// Tangent : e for a symmetric e.
fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    return hooke(e, p.lambda, p.mu);
}
