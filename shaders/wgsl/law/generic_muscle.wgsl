// Generic muscle: constants maximum stress, P1, P2, maximum stretch, slope of the line; last the activation.

fn tension(stretch: real, c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    let passive = crimp(c[1], c[2], c[3] - 1.0, c[4], stretch - 1.0);
    return vec2<real>(c[0] * c[ACTIVATION] + passive.x, passive.y * stretch);
}
