// Elements whose shape without stress is not that at rest (growth, prestrain). With A the deformation at rest
// from there, dr/dX in `geometry` are derivatives by positions in the shape without stress, those at rest times A; so the
// displacement gradient from there is h A + (A - I), whose last term is stored: at small strain all digits stay.

// Displacement gradient from the shape without stress at point i, from that part of it that displacements make.
fn elastic_slope(h: mat3x3<real>, i: u32) -> mat3x3<real> {
    let count = params.element_count;
    return h + to_reference(OFFSET_PLACE * count + i, count * POINT_COUNT);
}

// The same at the centre of element e.
fn elastic_centre(h: mat3x3<real>, e: u32) -> mat3x3<real> {
    let count = params.element_count;
    return h + to_reference(CENTRE_OFFSET_PLACE * count + e, count);
}
