// Cauchy's stress is what relaxes, in axes that turn with the rotation of a point; h is its displacement gradient.

fn in_space(stress: mat3x3<real>, at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    let r = polar_rotation(h + IDENTITY);
    return r * stress * transpose(r);
}

fn as_remembered(at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    let r = polar_rotation(h + IDENTITY);
    return transpose(r) * at.stress * r;
}

// -(e s + s e) + (tr(e) s + (s:e) I) / 2: with the stress in the tangent, that of small stretches.
fn left_tangent_times(left: mat3x3<real>, e: mat3x3<real>) -> mat3x3<real> {
    let sizes = left * trace(e) + IDENTITY * contract(left, e);
    return sizes * 0.5 - (e * left + left * e);
}
