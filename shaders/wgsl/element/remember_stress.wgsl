// One invocation a quadrature point i = e * POINT_COUNT + p, after a step that led to `displacement`: brings up to date what
// the point remembers. `memory` has, of each point, the stress of the law at the start of the step, then the delayed
// one of each term, STRESS_SIZE scalars each. With weights w of a term, three from weight_place on in `factors`, the
// delayed stress becomes w0 times the stress at the end, w1 times that at the start and w2 times itself.
// Race-free: an invocation writes its own scalars.

struct MemoryParams {
    element_count: u32,
    // Place in `factors` of the activation of the fibres.
    activation_place: u32,
    // Stresses that a point remembers.
    stress_count: u32,
    weight_place: u32,
}

@group(0) @binding(0) var<uniform> params: MemoryParams;
@group(0) @binding(1) var<storage, read> displacement: array<stored>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read> geometry: array<real>;
@group(0) @binding(4) var<storage, read> table: array<real>;
@group(0) @binding(5) var<storage, read> factors: array<real>;
@group(0) @binding(6) var<storage, read_write> memory: array<real>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn remember_stress(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    let count = params.element_count * POINT_COUNT;
    if i >= count {
        return;
    }
    let e = i / POINT_COUNT;
    let h = elastic_slope(displacement_slope(1u + i % POINT_COUNT, e) * to_reference(i, count), i);
    // Without a value, the state without stress.
    let known = select(real(0.0), real(1.0), has_value(h));
    let at = law(h * known, centre_gradient(e, h), material_axes(i), constants(e));
    let s = as_remembered(at, h * known);
    var stress = array<real, STRESS_SIZE>(s[0].x, s[1].y, s[2].z, s[1].x, s[2].y, s[2].x);
    let first = i * params.stress_count * STRESS_SIZE;
    for (var t = 1u; t < params.stress_count; t++) {
        let w = params.weight_place + 3u * (t - 1u);
        for (var k = 0u; k < STRESS_SIZE; k++) {
            let place = first + t * STRESS_SIZE + k;
            let before = factors[w + 1u] * memory[first + k] + factors[w + 2u] * memory[place];
            memory[place] = factors[w] * stress[k] + before;
        }
    }
    for (var k = 0u; k < STRESS_SIZE; k++) {
        memory[first + k] = stress[k];
    }
}
