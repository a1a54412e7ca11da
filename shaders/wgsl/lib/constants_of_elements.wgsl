// Constants of the law in element e, in `geometry`; the last one is the activation of its fibres, which is
// that of the step.
fn constants(e: u32) -> array<real, LAW_CONSTANTS> {
    let count = params.element_count;
    let first = CONSTANTS_PLACE * count + e;
    var c: array<real, LAW_CONSTANTS>;
    for (var k = 0u; k < ACTIVATION; k++) {
        c[k] = real(geometry[first + k * count]);
    }
    c[ACTIVATION] = real(factors[params.activation_place]);
    return c;
}
