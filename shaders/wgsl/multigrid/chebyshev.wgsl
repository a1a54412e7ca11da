// Coefficients of a Chebyshev polynomial of degree 2 in D^-1 A that is small from a tenth of the
// largest eigenvalue up to it (Saad2003, algorithm 12.1): those of the first step, of the old change and
// the residual in the second, 0, and the eigenvalue.
//
// One workgroup; lane 0 alone writes, five scalars from `place` on. Twin: src/cpu/multigrid/chebyshev.rs.

alias num = vec2<f32>;

@group(0) @binding(0) var<uniform> params: ChebyshevParams;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> coefficients: array<f32>;

struct ChebyshevParams {
    partial_count: u32,
    place: u32,
    safety: f32,
    range: f32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn chebyshev(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var own = vec2<f32>(0.0, 0.0);
    for (var k = lane; k < params.partial_count; k += WORKGROUP_SIZE) {
        own += vec2<f32>(partials[2u * k], partials[2u * k + 1u]);
    }
    let total = team_sum(own, lane, WORKGROUP_SIZE);
    if lane != 0u || group.x + group.y != 0u {
        return;
    }
    // Without any free scalar there is nothing to smooth.
    var largest = 1.0;
    if total.y > 0.0 {
        largest = total.x / total.y;
    }
    let upper = params.safety * largest;
    let middle = 0.5 * (upper + upper / params.range);
    let half = 0.5 * (upper - upper / params.range);
    let rho = half / middle;
    let next = 1.0 / (2.0 * middle / half - rho);
    coefficients[params.place] = 1.0 / middle;
    coefficients[params.place + 1u] = next * rho;
    coefficients[params.place + 2u] = 2.0 * next / half;
    coefficients[params.place + 3u] = 0.0;
    coefficients[params.place + 4u] = largest;
}
