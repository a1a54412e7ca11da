// Constants of the law in element e, the last scalars of the elements in `geometry`; the last one is the
// activation of its fibres, which is that of the step.
fn constants(e: u32) -> array<real, LAW_CONSTANTS> {
    let count = params.element_count;
    let centres = select(0u, 9u, POINT_COUNT > 1u);
    let first = (10u * POINT_COUNT + centres + axes_scalars()) * count + e;
    var c: array<real, LAW_CONSTANTS>;
    for (var k = 0u; k < ACTIVATION; k++) {
        c[k] = real(geometry[first + k * count]);
    }
    c[ACTIVATION] = real(factors[params.activation_place]);
    return c;
}
