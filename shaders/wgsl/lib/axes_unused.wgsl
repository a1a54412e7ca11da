// For laws that are the same in all directions.
fn material_axes(i: u32) -> mat3x3<real> {
    return IDENTITY;
}

// Scalars of the axes of an element.
fn axes_scalars() -> u32 {
    return 0u;
}
