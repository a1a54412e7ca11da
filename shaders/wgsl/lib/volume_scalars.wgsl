// Scalar k of point i from a place of `geometry` on that has some of each point.
fn volume_scalar(place: u32, k: u32, i: u32) -> real {
    return real(geometry[(place + k * POINT_COUNT) * params.element_count + i]);
}
