// Tangent times volume of a point as 2 words from `first` on: lambda and mu; `volume_part` has those that come from the
// volume of the element.

fn write_tangent(
    first: u32,
    at: LawPoint,
    left: mat3x3<real>,
    volume_part: vec2<real>,
    volume: real,
) {
    points[first] = (at.lambda + volume_part.x) * volume;
    points[first + 1u] = (at.mu + volume_part.y) * volume;
}

// B_a^T D B_b with the spatial gradients a and b.
fn tangent_block(first: u32, a: vec3<real>, b: vec3<real>) -> mat3x3<real> {
    let mu = points[first + 1u];
    return outer(a, b) * points[first] + outer(b, a) * mu + IDENTITY * (mu * dot(a, b));
}
