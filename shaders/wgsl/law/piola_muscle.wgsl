// Piola muscle: constants the maximum stress; last the activation.

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    let stress = c[0] * c[ACTIVATION] * stretch * stretch;
    return vec2<real>(stress, stress + stress);
}
