// Holzapfel-Gasser-Ogden: constants c, k1, k2, kappa, cosine and sine of the angle of the families,
// then those of the volume.

fn family_structure(k: Kinematics, matrix: Structure, kappa: real, direction: vec3<real>) -> Structure {
    let fibre = pair_structure(k, direction, direction);
    return mixed_structure(matrix, kappa, fibre, 1.0 - 3.0 * kappa);
}

fn family_strain(k: Kinematics, a: real, kappa: real, direction: vec3<real>) -> real {
    return kappa * a + (1.0 - 3.0 * kappa) * change_along(k, direction, direction);
}

fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let a = first_invariant(k.left);
    let matrix = isotropic_structure(k);
    let left = k.axes[0] * c[4] + k.axes[1] * c[5];
    let right = k.axes[0] * c[4] - k.axes[1] * c[5];
    let one = family_structure(k, matrix, c[3], left);
    let two = family_structure(k, matrix, c[3], right);
    let first = tension_only(c[1], c[2], family_strain(k, a, c[3], left));
    let second = tension_only(c[1], c[2], family_strain(k, a, c[3], right));
    var sum = with_term(Structure(), Term(0.5 * c[0], 0.0), matrix);
    sum = with_term(sum, first, one);
    sum = with_term(sum, second, two);
    var part: Isochoric;
    part.shape = sum.shape;
    part.trace = sum.trace;
    part.h0 = deviator(one.shape);
    part.h1 = deviator(two.shape);
    part.curvatures = vec4<real>(first.curvature, second.curvature, 0.0, 0.0) * 4.0;
    return part;
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[6], c[7]);
}
