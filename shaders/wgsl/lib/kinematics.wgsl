// Deformation of an element from the displacements of its nodes. `rows`: row of node a of element e
// at a * element_count + e. `table`: LAW_CONSTANTS scalars of the law (the last is not used), then dN/dr
// of all nodes at the centre, then at each point. `geometry`: with n points in all, the 9 scalars of
// dr/dX (column by column) and weight times det dX/dr of point i at k * n + i; then, where there are more points than
// one an element, the 9 scalars of dr/dX at the centre of element e at (CENTRE_PLACE + k) * element_count + e;
// then, for laws with axes, those of the axes of each element, or of each point, column by column; then,
// where constants of the law vary, constant k of element e; last, where elements are deformed at rest, the 9
// scalars of the displacement gradient that they have there at each point and at the centre, and where stresses
// relax what is left of earlier ones at each point.

// dN/dr of a node; slot 0 is the centre, slot p + 1 is point p.
fn slope(slot: u32, a: u32) -> vec3<real> {
    let k = LAW_CONSTANTS + 3u * (slot * NODE_COUNT + a);
    return vec3<real>(vec3<stored>(table[k], table[k + 1u], table[k + 2u]));
}

// dr/dX from 9 scalars, `stride` apart.
fn to_reference(first: u32, stride: u32) -> mat3x3<real> {
    var m: mat3x3<real>;
    for (var c = 0u; c < 3u; c++) {
        let k = first + 3u * c * stride;
        let column = vec3<stored>(geometry[k], geometry[k + stride], geometry[k + 2u * stride]);
        m[c] = vec3<real>(column);
    }
    return m;
}

fn displacement_of(a: u32, e: u32) -> vec3<stored> {
    let k = 3u * rows[a * params.element_count + e];
    return vec3<stored>(displacement[k], displacement[k + 1u], displacement[k + 2u]);
}

// Displacement gradient by reference coordinates. Taken from differences, it is exactly zero where
// all nodes are displaced alike, and rounding to `real` cuts digits of strain alone.
fn displacement_slope(slot: u32, e: u32) -> mat3x3<real> {
    let origin = displacement_of(0u, e);
    var sum: mat3x3<real>;
    for (var a = 1u; a < NODE_COUNT; a++) {
        sum = sum + outer(vec3<real>(displacement_of(a, e) - origin), slope(slot, a));
    }
    return sum;
}
