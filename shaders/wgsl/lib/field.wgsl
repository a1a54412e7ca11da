// Gradient of the vectors `field` at the nodes of an element.

fn field_of(a: u32, e: u32) -> vec3<real> {
    let k = 3u * rows[a * params.element_count + e];
    return vec3<real>(field[k], field[k + 1u], field[k + 2u]);
}

// By reference coordinates, from differences as that of displacements.
fn field_slope(slot: u32, e: u32) -> mat3x3<real> {
    let origin = field_of(0u, e);
    var sum: mat3x3<real>;
    for (var a = 1u; a < NODE_COUNT; a++) {
        sum = sum + outer(field_of(a, e) - origin, slope(slot, a));
    }
    return sum;
}
