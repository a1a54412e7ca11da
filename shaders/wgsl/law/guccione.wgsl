// Guccione, over the strain along the axes of the material: constants of lib/exponential, then those of
// the volume.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in space.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest.
    volume_ratio: real,
    // The part of the tangent that is isotropic.
    lambda: real,
    mu: real,
    exponential: Exponential,
    // Takes axes of the material to space.
    f: mat3x3<real>,
}

fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    let inner = pushed_modulus(p.exponential, p.f, e) * (1.0 / p.volume_ratio);
    return inner + hooke(e, p.lambda, p.mu);
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let f = h + IDENTITY;
    let j = det(f);
    let growth = volume_change(h);
    var pressure = c[10] * growth;
    var stiffness = pressure + c[10] * (1.0 + growth);
    if c[11] != 0.0 {
        pressure = c[10] * ln_1p(growth) / j;
        stiffness = c[10] / j;
    }
    let p = exponential(c, transpose(axes) * green_strain(h) * axes);
    let turned = f * axes;
    let stress = turned * p.slope * transpose(turned) * (p.stiff / j) + IDENTITY * pressure;
    return LawPoint(cofactors(f) * (1.0 / j), stress, j, stiffness, -pressure, p, turned);
}
