// One invocation a quadrature point i = e * POINT_COUNT + p: evaluates the law, in f32, and writes
// the POINT_WORDS words that `assemble` needs: [0, 9) to_space, columns, with g_a = to_space dN_a/dr;
// from 9 on stress times volume, where it is part of the tangent; from 15 on the tangent times volume; at MODE_WORDS what the
// pressures of its element need. All are zero where the law has no value. Race-free: an invocation writes its own words.

struct PointParams {
    element_count: u32,
    // Place in `factors` of the activation of the fibres.
    activation_place: u32,
    // Places in `factors` of the stiffness; of pressures and of stresses that are left of earlier steps; of the resistance
    // of volumes to change.
    product_place: u32,
    left_product_place: u32,
    volume_product_place: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@group(0) @binding(0) var<uniform> params: PointParams;
@group(0) @binding(1) var<storage, read> displacement: array<stored>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read> geometry: array<stored>;
@group(0) @binding(4) var<storage, read> table: array<stored>;
@group(0) @binding(5) var<storage, read> factors: array<stored>;
@group(0) @binding(6) var<storage, read_write> points: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn element_points(
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
    let inverse = to_reference(i, count);
    let h = elastic_slope(displacement_slope(1u + i % POINT_COUNT, e) * inverse, i);
    // Without a value, the state at rest times no volume.
    let known = select(0.0, 1.0, has_value(h));
    let at = law(h * known, centre_gradient(e, h), material_axes(i), constants(e));
    let volume = real(geometry[9u * count + i]) * at.volume_ratio * known;
    var to_space = at.frame * transpose(inverse);
    let first = i * POINT_WORDS;
    for (var k = 0u; k < 9u; k++) {
        points[first + k] = to_space[k / 3u][k % 3u];
    }
    let left = left_in_stiffness(i, at, h * known);
    let pressure = pressure_in_stiffness(i);
    write_stress(first + 9u, at.stress + left + IDENTITY * pressure.x, volume);
    write_tangent(first + 15u, at, left, vec2<real>(pressure.x + pressure.y, -pressure.x), volume);
    write_modes(first + MODE_WORDS, i, volume);
}
