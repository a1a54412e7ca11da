// Energies of the volume of an element: U of the law, and that of a point that is squeezed flat, which the volume of its element
// does not see. `geometry` has four scalars of element e from BULK_PLACE on, element_count apart: modulus and 1 where U is
// logarithmic; modulus m and share J0 of the volume of the other, -m (J - J0)^2 ln(J / J0) below it.

fn bulk_scalar(k: u32, e: u32) -> real {
    return geometry[(BULK_PLACE + k) * params.element_count + e];
}

// U' and U'' of element e at the change of volume J - 1.
fn bulk_slopes(e: u32, change: real) -> vec2<real> {
    return potential_slopes(bulk_scalar(0u, e), bulk_scalar(1u, e), change);
}

// The same of a point with a share j of its volume.
fn guard_slopes(e: u32, j: real) -> vec2<real> {
    let modulus = bulk_scalar(2u, e);
    let flat_share = bulk_scalar(3u, e);
    if j >= flat_share || modulus == 0.0 {
        return vec2<real>();
    }
    let below = j - flat_share;
    let log = ln_1p(below / flat_share);
    let ratio = below / j;
    let first = -2.0 * below * log - below * ratio;
    let second = -2.0 * log - 4.0 * ratio + ratio * ratio;
    return vec2<real>(modulus * first, modulus * second);
}
