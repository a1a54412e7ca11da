// Axes of the material at point i, columns: 9 scalars of its own in `geometry`.
fn material_axes(i: u32) -> mat3x3<real> {
    let count = params.element_count;
    let centres = select(0u, 9u * count, POINT_COUNT > 1u);
    return to_reference(10u * count * POINT_COUNT + centres + i, count * POINT_COUNT);
}

// Scalars of the axes of an element.
fn axes_scalars() -> u32 {
    return 9u * POINT_COUNT;
}
