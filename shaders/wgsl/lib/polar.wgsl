// The rotation nearest to a 3 x 3 matrix: Newton with scaling (Higham 1986) where the matrix is well
// away from singular, else one-sided Jacobi, which bears determinants of either sign.

fn norm(m: mat3x3<real>) -> real {
    return sqrt(contract(m, m));
}

fn largest(m: mat3x3<real>) -> real {
    let a = max(max(abs(m[0]), abs(m[1])), abs(m[2]));
    return max(max(a.x, a.y), a.z);
}

// The zero matrix gives the identity.
fn polar_rotation(f: mat3x3<real>) -> mat3x3<real> {
    let scale = largest(f);
    if scale == 0.0 {
        return IDENTITY;
    }
    let x = f * (1.0 / scale);
    let size = norm(x);
    // From here on inverses by cofactors are good; the identity has 0.19.
    if det(x) > 1e-3 * size * size * size {
        return polar_newton(x);
    }
    return polar_jacobi(x);
}

// X <- (gamma X + X^-T / gamma) / 2 with gamma^2 = |X^-1| / |X| while far from a rotation.
fn polar_newton(start: mat3x3<real>) -> mat3x3<real> {
    var x = start;
    var far = true;
    // Six steps suffice; the bound is for NaN.
    for (var k = 0u; k < 12u; k++) {
        let inverse = cofactors(x) * (1.0 / det(x));
        var gamma: real = 1.0;
        if far {
            gamma = sqrt(norm(inverse) / norm(x));
        }
        let next = x * (gamma * 0.5) + inverse * (0.5 / gamma);
        let step = largest(next - x);
        x = next;
        // Unscaled, the error after a step is half the square of the step.
        if !far && step * step <= EPSILON {
            break;
        }
        far = step > 0.1;
    }
    return x;
}

// Turns columns p, q of x and v so that those of x become orthogonal; false if they were.
fn orthogonalize(
    x: ptr<function, array<vec3<real>, 3>>,
    v: ptr<function, array<vec3<real>, 3>>,
    p: u32,
    q: u32,
) -> bool {
    let a = (*x)[p];
    let b = (*x)[q];
    let shared_part = dot(a, b);
    if abs(shared_part) <= EPSILON * sqrt(dot(a, a)) * sqrt(dot(b, b)) || shared_part == 0.0 {
        return false;
    }
    let zeta = (dot(b, b) - dot(a, a)) / (shared_part + shared_part);
    let turn = 1.0 / (abs(zeta) + sqrt(zeta * zeta + 1.0));
    let tangent = select(turn, -turn, zeta < 0.0);
    let cosine = 1.0 / sqrt(tangent * tangent + 1.0);
    let sine = cosine * tangent;
    (*x)[p] = a * cosine - b * sine;
    (*x)[q] = a * sine + b * cosine;
    let c = (*v)[p];
    let d = (*v)[q];
    (*v)[p] = c * cosine - d * sine;
    (*v)[q] = c * sine + d * cosine;
    return true;
}

// The unit vector along the part of a across the unit vector u.
fn reject(a: vec3<real>, u: vec3<real>) -> vec3<real> {
    let r = a - u * dot(u, a);
    return r * (1.0 / sqrt(dot(r, r)));
}

// R from the two largest principal directions: X V = U S, third columns from cross products.
fn polar_jacobi(start: mat3x3<real>) -> mat3x3<real> {
    var x = array<vec3<real>, 3>(start[0], start[1], start[2]);
    var v = array<vec3<real>, 3>(IDENTITY[0], IDENTITY[1], IDENTITY[2]);
    // 3 x 3 matrices need five sweeps or fewer.
    for (var sweep = 0u; sweep < 12u; sweep++) {
        let a = orthogonalize(&x, &v, 0u, 1u);
        let b = orthogonalize(&x, &v, 0u, 2u);
        let c = orthogonalize(&x, &v, 1u, 2u);
        if !(a || b || c) {
            break;
        }
    }
    let sizes = array<real, 3>(dot(x[0], x[0]), dot(x[1], x[1]), dot(x[2], x[2]));
    var first = select(0u, 1u, sizes[1] > sizes[0]);
    if sizes[2] > max(sizes[0], sizes[1]) {
        first = 2u;
    }
    let low = select(0u, 1u, first == 0u);
    let high = select(2u, 1u, first == 2u);
    var second = low;
    var second_size = select(sizes[0], sizes[1], low == 1u);
    let high_size = select(sizes[2], sizes[1], high == 1u);
    if high_size > second_size {
        second = high;
        second_size = high_size;
    }
    let first_size = sqrt(max(max(sizes[0], sizes[1]), sizes[2]));
    let v1 = v[first];
    let v2 = v[second];
    let u1 = x[first] * (1.0 / first_size);
    // Rank one: any direction across u1, v2 if that is not too near to u1.
    var beside = x[second];
    if sqrt(second_size) <= first_size * EPSILON {
        beside = v2;
        if abs(dot(u1, v2)) >= 0.8 {
            beside = across(v1, v2);
        }
    }
    let u2 = reject(beside, u1);
    let u = mat3x3<real>(u1, u2, across(u1, u2));
    return u * transpose(mat3x3<real>(v1, v2, across(v1, v2)));
}
