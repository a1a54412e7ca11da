// Small-strain linear elasticity: constants lambda, mu. Its frame is that of the rest shape.

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    return LawPoint(IDENTITY, hooke(sym(h), c[0], c[1]), 1.0, c[0], c[1]);
}
