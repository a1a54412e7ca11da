// Laws W = W(F / J^(1/3)) + U(J). A law has a struct `Isochoric` with `shape`, its fictitious Kirchhoff
// stress up to a multiple of the identity, and `trace`, the trace of that stress; a function
// `isochoric` that makes it; `modulus_times`, its fictitious modulus times J : e for deviatoric e; and
// `bulk`, its bulk modulus and 1 where the potential is logarithmic. Holzapfel, sections 6.4 and 6.6.

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
    part: Isochoric,
}

// Arguments of isochoric energies.
struct Kinematics {
    h: mat3x3<real>,
    f: mat3x3<real>,
    axes: mat3x3<real>,
    // J^(-2/3) - 1, and J^(-2/3).
    shrink: real,
    scale: real,
    // b - I.
    left: mat3x3<real>,
}

// a.b of the isochoric images of two directions at rest, minus that at rest.
fn change_along(k: Kinematics, a: vec3<real>, b: vec3<real>) -> real {
    return dot(a, green_strain(k.h) * b) * 2.0 * k.scale + k.shrink * dot(a, b);
}

// U' and U' + J U''.
fn pressures(bulk: vec2<real>, growth: real) -> vec2<real> {
    let j = 1.0 + growth;
    if bulk.y != 0.0 {
        return vec2<real>(bulk.x * ln_1p(growth) / j, bulk.x / j);
    }
    return vec2<real>(bulk.x * growth, bulk.x * growth + bulk.x * j);
}

// dev(c : dev e) - 2/3 (dev sigma tr e + I dev sigma:e) + lambda tr e I + 2 mu e.
fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    let inner = deviator(modulus_times(p.part, deviator(e))) * (1.0 / p.volume_ratio);
    let side = p.deviator * trace(e) + IDENTITY * contract(p.deviator, e);
    return inner - side * (2.0 / 3.0) + hooke(e, p.lambda, p.mu);
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let f = h + IDENTITY;
    let j = det(f);
    let growth = volume_change(h);
    let shrink = exp_m1(ln_1p(growth) * (-2.0 / 3.0));
    let k = Kinematics(h, f, axes, shrink, 1.0 + shrink, left_strain(h));
    let part = isochoric(k, c);
    let pressure = pressures(bulk(c), growth);
    let trace = part.trace / j;
    var point: LawPoint;
    point.frame = cofactors(f) * (1.0 / j);
    point.deviator = deviator(part.shape) * (1.0 / j);
    point.stress = point.deviator + IDENTITY * pressure.x;
    point.volume_ratio = j;
    point.mu = trace / 3.0 - pressure.x;
    point.lambda = pressure.y - trace * (2.0 / 9.0);
    point.part = part;
    return point;
}
