// Linear elasticity in the frame R that turns with the element, by the displacement gradient at its
// centre: constants lambda, mu.
//
// Strain is e = sym(R^T F) - I. With w = skew(R^T F), F^T F = I + 2 E gives
// e = E - (e e + e w - w e - w w) / 2, where errors of e and w count only times strain.

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    let r = polar_rotation(centre + IDENTITY);
    let turned = transpose(r) * (h + IDENTITY);
    let e = sym(turned) - IDENTITY;
    let w = (turned - transpose(turned)) * 0.5;
    let strain = green_strain(h) - (e * e + e * w - w * e - w * w) * 0.5;
    let stress = r * hooke(strain, c[0], c[1]) * transpose(r);
    return LawPoint(r, stress, 1.0, c[0], c[1]);
}
