// For elements whose one point is the centre and whose volume is told by their frame, before h is known.
fn centre_gradient(e: u32, h: mat3x3<real>) -> mat3x3<real> {
    return elastic_slope(displacement_slope(1u, e) * to_reference(e, params.element_count), e);
}
