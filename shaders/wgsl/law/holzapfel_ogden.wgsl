// Holzapfel-Ogden: constants a, b of the matrix, of fibres, of sheets, of shear between them; then those
// of the volume.

fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let f = k.axes[0];
    let s = k.axes[1];
    let stiff = 0.5 * c[0] * (1.0 + exp_m1(c[1] * first_invariant(k.left)));
    let ground = Term(stiff, c[1] * stiff);
    let fibre = tension_only(c[2], c[3], change_along(k, f, f));
    let sheet = tension_only(c[4], c[5], change_along(k, s, s));
    let shear = square_exponential(c[6], c[7], change_along(k, f, s));
    let matrix = isotropic_structure(k);
    let along_f = pair_structure(k, f, f);
    let along_s = pair_structure(k, s, s);
    let between = pair_structure(k, f, s);
    var sum = with_term(Structure(), ground, matrix);
    sum = with_term(sum, fibre, along_f);
    sum = with_term(sum, sheet, along_s);
    sum = with_term(sum, shear, between);
    let curvatures =
        vec4<real>(ground.curvature, fibre.curvature, sheet.curvature, shear.curvature) * 4.0;
    let h0 = deviator(matrix.shape);
    let h1 = deviator(along_f.shape);
    let h2 = deviator(along_s.shape);
    return Isochoric(sum.shape, sum.trace, h0, h1, h2, deviator(between.shape), curvatures);
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[8], c[9]);
}
