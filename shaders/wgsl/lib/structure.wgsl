// Isochoric energies that are sums of up to four functions of one invariant each: slope and curvature
// of each, and its structure tensor in space, up to a multiple of the identity, with its trace.

struct Term {
    slope: real,
    curvature: real,
}

struct Structure {
    shape: mat3x3<real>,
    trace: real,
}

struct Isochoric {
    shape: mat3x3<real>,
    trace: real,
    // Deviators of the structure tensors, and four times the curvatures.
    h0: mat3x3<real>,
    h1: mat3x3<real>,
    h2: mat3x3<real>,
    h3: mat3x3<real>,
    curvatures: vec4<real>,
}

fn modulus_times(p: Isochoric, e: mat3x3<real>) -> mat3x3<real> {
    var sum = p.h0 * (p.curvatures.x * contract(p.h0, e));
    sum = sum + p.h1 * (p.curvatures.y * contract(p.h1, e));
    sum = sum + p.h2 * (p.curvatures.z * contract(p.h2, e));
    return sum + p.h3 * (p.curvatures.w * contract(p.h3, e));
}

// k1/(2 k2) (exp(k2 q^2) - 1).
fn square_exponential(k1: real, k2: real, q: real) -> Term {
    let square = k2 * q * q;
    let stiff = k1 * (1.0 + exp_m1(square));
    return Term(stiff * q, stiff * (1.0 + 2.0 * square));
}

// The same of fibres that bear no compression.
fn tension_only(k1: real, k2: real, q: real) -> Term {
    if q > 0.0 {
        return square_exponential(k1, k2, q);
    }
    return Term(0.0, 0.0);
}

// Ī1 - 3 without differences of first order (see lib/invariants).
fn first_invariant(left: mat3x3<real>) -> real {
    let d = deviator(left) * (1.0 / (1.0 + trace(left) / 3.0));
    return 3.0 * exp_m1(ln_1p(det(d) - 0.5 * contract(d, d)) / -3.0);
}

fn isotropic_structure(k: Kinematics) -> Structure {
    return Structure(k.left * k.scale, (trace(k.left) + 3.0) * k.scale);
}

// Of the images of two directions at rest.
fn pair_structure(k: Kinematics, a0: vec3<real>, b0: vec3<real>) -> Structure {
    let a = k.f * a0;
    let b = k.f * b0;
    return Structure(sym(outer(a, b)) * k.scale, dot(a, b) * k.scale);
}

fn mixed_structure(a: Structure, x: real, b: Structure, y: real) -> Structure {
    return Structure(a.shape * x + b.shape * y, a.trace * x + b.trace * y);
}

fn with_term(sum: Structure, term: Term, structure: Structure) -> Structure {
    return mixed_structure(sum, 1.0, structure, 2.0 * term.slope);
}
