// Stresses that relax: those of earlier steps leave a part at every point, which does not change in a step. It stands as it
// is remembered at LEFT_PLACE of `geometry`, STRESS_SIZE scalars a point; a piece beside this one takes it to space
// (`in_space`), and tells how it changes with a symmetric gradient there (`left_tangent_times`).

// The stress that is left at point i, in space.
fn left_stress(i: u32, at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    let count = params.element_count * POINT_COUNT;
    var s: array<real, STRESS_SIZE>;
    for (var k = 0u; k < STRESS_SIZE; k++) {
        s[k] = real(geometry[LEFT_PLACE * params.element_count + k * count + i]);
    }
    let stress = symmetric(vec3<real>(s[0], s[1], s[2]), vec3<real>(s[3], s[4], s[5]));
    return in_space(stress, at, h);
}

// The same as a part of the stiffness, whose factor is another one than that of the law.
fn left_in_stiffness(i: u32, at: LawPoint, h: mat3x3<real>) -> mat3x3<real> {
    let share = real(factors[params.left_product_place] / factors[params.product_place]);
    return left_stress(i, at, h) * share;
}

// `sum` with force times that stress, and product times its change with the spatial gradient l of a field.
fn add_left(
    sum: mat3x3<real>,
    i: u32,
    at: LawPoint,
    h: mat3x3<real>,
    l: mat3x3<real>,
) -> mat3x3<real> {
    let left = left_stress(i, at, h);
    let rate = left_tangent_times(left, sym(l)) + turned_stress(l, left);
    return sum + left * factors[params.left_force_place] + rate * factors[params.left_product_place];
}
