// Fibres that pull along themselves by their stretch, and do nothing else. A law has a function
// `tension`: λ W' and λ d(λ W')/dλ at a stretch.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    // Square of the unit vector along the fibre, and its modulus.
    along: mat3x3<real>,
    modulus: real,
}

fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    return p.along * (p.modulus * contract(p.along, e));
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let f = h + IDENTITY;
    let over_j = 1.0 / det(f);
    let image = f * axes[0];
    let t = tension(sqrt(1.0 + 2.0 * dot(axes[0], green_strain(h) * axes[0])), c);
    let along = outer(image, image) * (1.0 / dot(image, image));
    let modulus = (t.y - t.x - t.x) * over_j;
    return LawPoint(cofactors(f) * over_j, along * (t.x * over_j), det(f), along, modulus);
}
