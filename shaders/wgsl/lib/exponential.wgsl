// W = C/2 (exp Q - 1), Q = sum of A_ij e_ii e_jj + B12 e12^2 + B23 e23^2 + B13 e13^2, of a strain along
// the axes of the material: constants C; A11, A22, A33, A12, A23, A13; B12, B23, B13.

struct Exponential {
    // Half of B.
    shear: vec3<real>,
    direct: mat3x3<real>,
    // Half the derivative of Q at the strain, and C exp Q.
    slope: mat3x3<real>,
    stiff: real,
}

// Half the derivative of Q at e: linear in e.
fn half_slope(direct: mat3x3<real>, shear: vec3<real>, e: mat3x3<real>) -> mat3x3<real> {
    let along = direct * vec3<real>(e[0].x, e[1].y, e[2].z);
    return symmetric(along, shear * vec3<real>(e[1].x, e[2].y, e[2].x));
}

fn exponential(c: array<real, LAW_CONSTANTS>, e: mat3x3<real>) -> Exponential {
    let direct = symmetric(vec3<real>(c[1], c[2], c[3]), vec3<real>(c[4], c[5], c[6]));
    let shear = vec3<real>(c[7], c[8], c[9]) * 0.5;
    let slope = half_slope(direct, shear, e);
    return Exponential(shear, direct, slope, c[0] * (1.0 + exp_m1(contract(slope, e))));
}

// F (d2W/de2 : (F^T x F)) F^T.
fn pushed_modulus(p: Exponential, f: mat3x3<real>, x: mat3x3<real>) -> mat3x3<real> {
    let e = transpose(f) * x * f;
    let along = p.slope * (2.0 * contract(p.slope, e));
    return f * (along + half_slope(p.direct, p.shear, e)) * transpose(f) * p.stiff;
}
