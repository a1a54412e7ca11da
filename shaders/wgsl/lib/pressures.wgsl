// Pressures of elements, made by `element_volume`: of point i, with n points in all, scalar k stands at PRESSURE_PLACE *
// element_count + k * n + i of `geometry`. They are the pressure; what a field changes it by; what the point alone resists with,
// J U'' where it is squeezed flat; then for each mode q_k the sum over modes l of M_kl q_l, M being moduli of the element.

// The pressure that turns with the element (TURNING is 0 where stress is no part of the stiffness), and the resistance of the
// point alone, as parts of the stiffness, whose factor is another one.
fn pressure_in_stiffness(i: u32) -> vec2<real> {
    let turned = real(factors[params.left_product_place] / factors[params.product_place]);
    let whole = real(factors[params.volume_product_place] / factors[params.product_place]);
    let pressure = volume_scalar(PRESSURE_PLACE, 0u, i) * real(TURNING);
    return vec2<real>(pressure * turned, volume_scalar(PRESSURE_PLACE, 2u, i) * whole);
}

// `sum` with force times the pressure and product times its change with the spatial gradient l of a field.
fn add_pressure(sum: mat3x3<real>, i: u32, l: mat3x3<real>) -> mat3x3<real> {
    let pressure = volume_scalar(PRESSURE_PLACE, 0u, i);
    let turning = pressure * real(TURNING) * factors[params.left_product_place];
    let turned = (IDENTITY * trace(l) - transpose(l)) * turning;
    let change = volume_scalar(PRESSURE_PLACE, 1u, i) * factors[params.volume_product_place];
    return sum + turned + IDENTITY * (pressure * factors[params.left_force_place] + change);
}

// Modes times volume, and times volume and moduli, from `first` on.
fn write_modes(first: u32, i: u32, volume: real) {
    let whole = real(factors[params.volume_product_place] / factors[params.product_place]);
    for (var k = 0u; k < PRESSURES; k++) {
        points[first + k] = volume_scalar(MODE_PLACE, k, i) * volume;
        points[first + PRESSURES + k] = volume_scalar(PRESSURE_PLACE, 3u + k, i) * volume * whole;
    }
}

// Derivatives of the modes of an element by the displacements of two corners, the second times moduli.
struct VolumeSlopes {
    a: array<vec3<real>, PRESSURES>,
    b: array<vec3<real>, PRESSURES>,
}

// Adds those of a point with the spatial gradients g and h of the corners.
fn add_volume_slopes(
    to: ptr<function, VolumeSlopes>,
    first: u32,
    g: vec3<real>,
    h: vec3<real>,
) {
    for (var k = 0u; k < PRESSURES; k++) {
        (*to).a[k] += g * points[first + k];
        (*to).b[k] += h * points[first + PRESSURES + k];
    }
}

fn volume_block(slopes: ptr<function, VolumeSlopes>) -> mat3x3<real> {
    var sum: mat3x3<real>;
    for (var k = 0u; k < PRESSURES; k++) {
        sum = sum + outer((*slopes).a[k], (*slopes).b[k]);
    }
    return sum;
}
