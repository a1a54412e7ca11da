// Axes of the material of element e, columns: the last 9 scalars of the elements in `geometry`.
fn material_axes(e: u32) -> mat3x3<real> {
    let count = params.element_count;
    let centres = select(0u, 9u * count, POINT_COUNT > 1u);
    return to_reference(10u * count * POINT_COUNT + centres + e, count);
}

// Scalars of the axes of an element.
fn axes_scalars() -> u32 {
    return 9u;
}
