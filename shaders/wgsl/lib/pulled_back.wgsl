// The second Piola-Kirchhoff stress is what relaxes; where a law is linear in a frame, the stress in that frame. The frame of a
// law, which takes gradients to space, is F^-T, or that rotation: both have the determinant 1 / volume_ratio.

// F S F^T / J. A point without volume has no frame.
fn in_space(stress: mat3x3<real>, at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    let forward = cofactors(at.frame);
    let size = det(at.frame);
    let over_size = select(1.0 / size, 0.0, size == 0.0);
    return forward * stress * transpose(forward) * over_size;
}

// J F^-1 sigma F^-T.
fn as_remembered(at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    return transpose(at.frame) * at.stress * at.frame * at.volume_ratio;
}

// It does not change with the motion.
fn left_tangent_times(left: mat3x3<real>, e: mat3x3<real>) -> mat3x3<real> {
    return mat3x3<real>();
}
