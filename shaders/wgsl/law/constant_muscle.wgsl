// Constant muscle: constants the maximum stress; last the activation.

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    let force = c[0] * c[ACTIVATION] * stretch;
    return vec2<real>(force, force);
}
