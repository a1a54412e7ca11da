// The part of stress in the tangent: 6 words of a point from `first` on, stress times volume in the
// order xx, yy, zz, xy, yz, xz.

fn write_stress(first: u32, stress: mat3x3<real>, volume: real) {
    points[first] = stress[0].x * volume;
    points[first + 1u] = stress[1].y * volume;
    points[first + 2u] = stress[2].z * volume;
    points[first + 3u] = stress[1].x * volume;
    points[first + 4u] = stress[2].y * volume;
    points[first + 5u] = stress[2].x * volume;
}

// (a . sigma b) I.
fn stress_block(first: u32, a: vec3<real>, b: vec3<real>) -> mat3x3<real> {
    let direct = vec3<real>(points[first], points[first + 1u], points[first + 2u]);
    let shear = vec3<real>(points[first + 3u], points[first + 4u], points[first + 5u]);
    return IDENTITY * dot(a, symmetric(direct, shear) * b);
}

// l sigma.
fn turned_stress(l: mat3x3<real>, stress: mat3x3<real>) -> mat3x3<real> {
    return l * stress;
}
