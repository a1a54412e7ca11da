// Constants of the law, the same in all elements; the last one is the activation of its fibres, which is
// that of the step.
fn constants(e: u32) -> array<real, LAW_CONSTANTS> {
    var c: array<real, LAW_CONSTANTS>;
    for (var k = 0u; k < ACTIVATION; k++) {
        c[k] = real(table[k]);
    }
    c[ACTIVATION] = real(factors[params.activation_place]);
    return c;
}
