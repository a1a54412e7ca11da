// Pressures, made by `element_volume` or, of nodes, by `corner_volumes` and `node_pressures`: a piece beside this one tells that of
// point i and what a field changes it by (`point_pressure`). With n points in all, scalar k of point i stands at PRESSURE_PLACE *
// element_count + k * n + i of `geometry`; the third is what the point alone resists with, J U'' where it is squeezed flat.

// The pressure that turns with the element (TURNING is 0 where stress is no part of the stiffness), and the resistance of the
// point alone, as parts of the stiffness, whose factor is another one.
fn pressure_in_stiffness(i: u32) -> vec2<real> {
    let turned = real(factors[params.left_product_place] / factors[params.product_place]);
    let whole = real(factors[params.volume_product_place] / factors[params.product_place]);
    let pressure = point_pressure(0u, i) * real(TURNING);
    return vec2<real>(pressure * turned, volume_scalar(PRESSURE_PLACE, 2u, i) * whole);
}

// `sum` with force times the pressure and product times its change with the spatial gradient l of a field.
fn add_pressure(sum: mat3x3<real>, i: u32, l: mat3x3<real>) -> mat3x3<real> {
    let pressure = point_pressure(0u, i);
    let turning = pressure * real(TURNING) * factors[params.left_product_place];
    let turned = (IDENTITY * trace(l) - transpose(l)) * turning;
    let change = point_pressure(1u, i) * factors[params.volume_product_place];
    return sum + turned + IDENTITY * (pressure * factors[params.left_force_place] + change);
}
