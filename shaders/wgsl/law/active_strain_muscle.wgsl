// Muscle by active strain: constants shear modulus, k1, k2 of the fibres, shortening; last the activation.

fn isochoric(k: Kinematics, c: array<real, LAW_CONSTANTS>) -> Isochoric {
    let stretch = 1.0 - c[3] * c[ACTIVATION];
    let square = 1.0 / (stretch * stretch);
    let change = change_along(k, k.axes[0], k.axes[0]);
    let matrix = isotropic_structure(k);
    let fibre = pair_structure(k, k.axes[0], k.axes[0]);
    let stretched = mixed_structure(fibre, square, fibre, 0.0);
    let along = tension_only(c[1], c[2], change * square + (square - 1.0));
    var sum = with_term(Structure(), Term(0.5 * c[0] * stretch, 0.0), matrix);
    sum = with_term(sum, Term(0.5 * c[0] * (square - stretch), 0.0), fibre);
    sum = with_term(sum, along, stretched);
    var part: Isochoric;
    part.shape = sum.shape;
    part.trace = sum.trace;
    part.h0 = deviator(stretched.shape);
    part.curvatures = vec4<real>(along.curvature, 0.0, 0.0, 0.0) * 4.0;
    return part;
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>();
}
