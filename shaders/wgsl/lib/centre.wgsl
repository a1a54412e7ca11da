// Displacement gradient at the centre of element e, for laws whose frame is that of the element; h is
// that of a point.
fn centre_gradient(e: u32, h: mat3x3<real>) -> mat3x3<real> {
    let count = params.element_count;
    let inverse = to_reference(CENTRE_PLACE * count + e, count);
    return elastic_centre(displacement_slope(0u, e) * inverse, e);
}
