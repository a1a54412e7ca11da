// Pressures of nodes: `geometry` has from NODAL_PLACE on the pressure of each corner, then what a field changes it by; a point has the sum over
// its corners by their shape functions, and what it resists with alone.

fn point_pressure(k: u32, i: u32) -> real {
    let e = i / POINT_COUNT;
    let first = SHAPE_PLACE + i % POINT_COUNT * NODE_COUNT;
    var sum = volume_scalar(PRESSURE_PLACE, k, i);
    for (var a = 0u; a < NODE_COUNT; a++) {
        let place = (NODAL_PLACE + k * NODE_COUNT + a) * params.element_count + e;
        sum += real(table[first + a]) * real(geometry[place]);
    }
    return sum;
}

// The volume alone, for `node_slopes`.
fn write_modes(first: u32, i: u32, volume: real) {
    points[first] = volume;
}
