// 3 x 3 tensors over `real`. Matrices are columns: m[c][r].

const IDENTITY = mat3x3<real>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// a b^T.
fn outer(a: vec3<real>, b: vec3<real>) -> mat3x3<real> {
    return mat3x3<real>(a * b.x, a * b.y, a * b.z);
}

// a x b, written out: not every compiler has it in f64.
fn across(a: vec3<real>, b: vec3<real>) -> vec3<real> {
    return vec3<real>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

fn trace(m: mat3x3<real>) -> real {
    return m[0].x + m[1].y + m[2].z;
}

// a : b.
fn contract(a: mat3x3<real>, b: mat3x3<real>) -> real {
    return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

// Inverse transposed times determinant.
fn cofactors(m: mat3x3<real>) -> mat3x3<real> {
    return mat3x3<real>(across(m[1], m[2]), across(m[2], m[0]), across(m[0], m[1]));
}

fn det(m: mat3x3<real>) -> real {
    return dot(m[0], across(m[1], m[2]));
}

fn sym(m: mat3x3<real>) -> mat3x3<real> {
    return (m + transpose(m)) * 0.5;
}

fn deviator(m: mat3x3<real>) -> mat3x3<real> {
    return m - IDENTITY * (trace(m) / 3.0);
}

// Green-Lagrange strain of the displacement gradient h.
fn green_strain(h: mat3x3<real>) -> mat3x3<real> {
    return (h + transpose(h) + transpose(h) * h) * 0.5;
}

// b - I of the displacement gradient h.
fn left_strain(h: mat3x3<real>) -> mat3x3<real> {
    return h + transpose(h) + h * transpose(h);
}

// det(I + h) - 1, with all digits at small strain.
fn volume_change(h: mat3x3<real>) -> real {
    let xy = h[0].x * h[1].y - h[1].x * h[0].y;
    let yz = h[1].y * h[2].z - h[2].y * h[1].z;
    let xz = h[0].x * h[2].z - h[2].x * h[0].z;
    return trace(h) + (xy + yz + xz + det(h));
}

// lambda tr(e) I + 2 mu e.
fn hooke(e: mat3x3<real>, lambda: real, mu: real) -> mat3x3<real> {
    return e * (mu + mu) + IDENTITY * (lambda * trace(e));
}

// The symmetric tensor of components xx, yy, zz and xy, yz, xz.
fn symmetric(d: vec3<real>, s: vec3<real>) -> mat3x3<real> {
    return mat3x3<real>(d.x, s.x, s.z, s.x, d.y, s.y, s.z, s.y, d.z);
}
