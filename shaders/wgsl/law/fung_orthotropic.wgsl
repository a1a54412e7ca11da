// Fung, orthotropic, over the isochoric strain along the axes of the material: constants of
// lib/exponential, then those of the volume.

struct Isochoric {
    shape: mat3x3<real>,
    trace: real,
    exponential: Exponential,
    // Takes axes of the material to space, isochoric.
    f: mat3x3<real>,
}

fn modulus_times(p: Isochoric, e: mat3x3<real>) -> mat3x3<real> {
    return pushed_modulus(p.exponential, p.f, e);
}

fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let whole = green_strain(k.h) * k.scale + IDENTITY * (k.shrink * 0.5);
    let p = exponential(c, transpose(k.axes) * whole * k.axes);
    let f = k.f * k.axes * sqrt(k.scale);
    let shape = f * p.slope * transpose(f) * p.stiff;
    return Isochoric(shape, trace(shape), p, f);
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[10], c[11]);
}
