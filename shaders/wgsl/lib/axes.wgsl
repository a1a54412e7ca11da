// Axes of the material at point i, columns: 9 scalars of its element in `geometry`.
fn material_axes(i: u32) -> mat3x3<real> {
    let count = params.element_count;
    return to_reference(AXES_PLACE * count + i / POINT_COUNT, count);
}
