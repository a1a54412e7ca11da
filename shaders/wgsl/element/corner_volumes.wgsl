// One invocation an element whose volume counts around its nodes: of each corner a the sum over the points of N_a V (J - 1), and
// what the vectors `field` change it by, into `geometry` from NODAL_PLACE on, where `node_pressures` finds them; and the scalars
// of points that are squeezed flat, into those that lib/pressures.wgsl names. Race-free: an invocation writes scalars of its own
// element, which no other reads.

struct VolumeParams {
    element_count: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@group(0) @binding(0) var<uniform> params: VolumeParams;
@group(0) @binding(1) var<storage, read> displacement: array<stored>;
@group(0) @binding(2) var<storage, read> field: array<real>;
@group(0) @binding(3) var<storage, read> rows: array<u32>;
@group(0) @binding(4) var<storage, read> table: array<real>;
@group(0) @binding(5) var<storage, read_write> geometry: array<real>;

fn put(k: u32, i: u32, scalar: real) {
    geometry[(PRESSURE_PLACE + k * POINT_COUNT) * params.element_count + i] = scalar;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn corner_volumes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let e = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if e >= params.element_count {
        return;
    }
    let count = params.element_count * POINT_COUNT;
    let frame = volume_frame(e);
    var changes: array<real, NODE_COUNT>;
    var rates: array<real, NODE_COUNT>;
    for (var p = 0u; p < POINT_COUNT; p++) {
        let i = e * POINT_COUNT + p;
        let inverse = to_reference(i, count);
        let h = elastic_slope(displacement_slope(1u + p, e) * inverse, i);
        // Without a value, the state at rest.
        let known = h * select(real(0.0), real(1.0), has_value(h));
        let change = dilatation(known, frame);
        let rate = dilatation_rate(known, frame, field_slope(1u + p, e) * inverse);
        let volume = geometry[9u * count + i];
        for (var a = 0u; a < NODE_COUNT; a++) {
            let share = table[SHAPE_PLACE + p * NODE_COUNT + a] * volume;
            changes[a] += share * change;
            rates[a] += share * rate;
        }
        let guard = guard_slopes(e, 1.0 + change);
        put(0u, i, guard.x);
        put(1u, i, guard.y * rate);
        put(2u, i, guard.y * (1.0 + change));
    }
    for (var a = 0u; a < NODE_COUNT; a++) {
        geometry[(NODAL_PLACE + a) * params.element_count + e] = changes[a];
        geometry[(NODAL_PLACE + NODE_COUNT + a) * params.element_count + e] = rates[a];
    }
}
