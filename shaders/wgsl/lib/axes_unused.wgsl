// For laws that are the same in all directions.
fn material_axes(i: u32) -> mat3x3<real> {
    return IDENTITY;
}
