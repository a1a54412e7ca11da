// Pressures of elements: `geometry` has of each point the pressure, what a field changes it by, what the point resists with alone, and
// for each mode q_k of the volume the sum over modes l of M_kl q_l, M being moduli of the element.

fn point_pressure(k: u32, i: u32) -> real {
    return volume_scalar(PRESSURE_PLACE, k, i);
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
