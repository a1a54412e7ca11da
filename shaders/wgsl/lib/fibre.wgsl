// Fibres that pull along themselves by their isochoric stretch. A law has a function `tension`: λ W' and
// λ d(λ W')/dλ at a stretch.

struct Isochoric {
    shape: mat3x3<real>,
    trace: real,
    // Square of the unit vector along the fibre, and its modulus.
    along: mat3x3<real>,
    modulus: real,
}

fn modulus_times(p: Isochoric, e: mat3x3<real>) -> mat3x3<real> {
    return p.along * (p.modulus * contract(p.along, e));
}

fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let image = k.f * k.axes[0];
    let t = tension(sqrt(1.0 + change_along(k, k.axes[0], k.axes[0])), c);
    let along = outer(image, image) * (1.0 / dot(image, image));
    return Isochoric(along * t.x, t.x, along, t.y - t.x - t.x);
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>();
}
