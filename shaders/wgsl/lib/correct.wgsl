// The correction of a row by the solution of the next level, whose rows `coarse_row(i)` gives.

// d = factor P y and x += d at row i; those of no aggregate have d = 0.
fn correct(i: u32) {
    let aggregate = maps[params.of_row + i];
    var d = vec3<f32>(0.0, 0.0, 0.0);
    if aggregate != NONE {
        let t = coarse_row(2u * aggregate);
        let w = coarse_row(2u * aggregate + 1u);
        d = mode(i, 0u) * t.x + mode(i, 1u) * t.y + mode(i, 2u) * t.z;
        d += mode(i, 3u) * w.x + mode(i, 4u) * w.y + mode(i, 5u) * w.z;
        d *= params.factor;
        let at = params.x + 3u * i;
        store(params.x, i, vec3<f32>(vectors[at], vectors[at + 1u], vectors[at + 2u]) + d);
    }
    store(params.d, i, d);
}
