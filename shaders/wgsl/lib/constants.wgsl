// Constants of the law, the same in all elements; the last one is the activation of its fibres.
fn constants(e: u32) -> array<real, LAW_CONSTANTS> {
    var c: array<real, LAW_CONSTANTS>;
    for (var k = 0u; k < LAW_CONSTANTS; k++) {
        c[k] = real(table[k]);
    }
    return c;
}
