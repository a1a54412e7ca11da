// Simple muscle: constants the maximum stress; last the activation.

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[0] * c[ACTIVATION], 0.0);
}
