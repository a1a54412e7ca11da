// For elastic tissue, in which earlier steps leave nothing.
fn left_in_stiffness(i: u32, at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    return mat3x3<real>();
}

fn left_tangent_times(left: mat3x3<real>, e: mat3x3<real>) -> mat3x3<real> {
    return mat3x3<real>();
}

fn add_left(
    sum: mat3x3<real>,
    i: u32,
    at: LawPoint,
    h: mat3x3<real>,
    l: mat3x3<real>,
) -> mat3x3<real> {
    return sum;
}

fn as_remembered(at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    return at.stress;
}
