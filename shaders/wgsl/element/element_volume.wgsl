// One invocation an element: its volume, projected on PRESSURES modes q_k that are orthonormal over its points, what that resists
// with, and how it changes with the vectors `field`; writes the scalars of its points that lib/pressures.wgsl names. With
// the projection Pi, changes of volume J - 1 and their rates J tr l, pressures are Pi U'(Pi (J - 1)), and what the field
// changes them by is Pi (U'' Pi (J tr l)). Race-free: an invocation writes scalars of its own points, which no other reads.

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

// Modes at point i; none beyond those that there are.
fn modes_of(i: u32) -> vec4<real> {
    var modes: vec4<real>;
    for (var k = 0u; k < PRESSURES; k++) {
        modes[k] = volume_scalar(MODE_PLACE, k, i);
    }
    return modes;
}

fn put(k: u32, i: u32, scalar: real) {
    geometry[(PRESSURE_PLACE + k * POINT_COUNT) * params.element_count + i] = scalar;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn element_volume(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let e = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if e >= params.element_count {
        return;
    }
    let count = params.element_count * POINT_COUNT;
    let first = e * POINT_COUNT;
    let frame = volume_frame(e);
    var change: vec4<real>;
    var rate: vec4<real>;
    for (var p = 0u; p < POINT_COUNT; p++) {
        let i = first + p;
        let inverse = to_reference(i, count);
        let h = elastic_slope(displacement_slope(1u + p, e) * inverse, i);
        // Without a value, the state at rest.
        let known = h * select(real(0.0), real(1.0), has_value(h));
        let own = dilatation(known, frame);
        let own_rate = dilatation_rate(known, frame, field_slope(1u + p, e) * inverse);
        let weighted = modes_of(i) * geometry[9u * count + i];
        change += weighted * own;
        rate += weighted * own_rate;
        put(0u, i, own);
        put(1u, i, own_rate);
    }
    var pressure: vec4<real>;
    var pressure_rate: vec4<real>;
    var moduli: mat4x4<real>;
    for (var p = 0u; p < POINT_COUNT; p++) {
        let i = first + p;
        let modes = modes_of(i);
        let slopes = bulk_slopes(e, dot(modes, change));
        let weighted = modes * geometry[9u * count + i];
        let scaled = weighted * slopes.y;
        pressure += weighted * slopes.x;
        pressure_rate += scaled * dot(modes, rate);
        moduli = moduli + mat4x4<real>(scaled * modes.x, scaled * modes.y, scaled * modes.z, scaled * modes.w);
    }
    for (var p = 0u; p < POINT_COUNT; p++) {
        let i = first + p;
        let modes = modes_of(i);
        let j = 1.0 + volume_scalar(PRESSURE_PLACE, 0u, i);
        let own_rate = volume_scalar(PRESSURE_PLACE, 1u, i);
        let guard = guard_slopes(e, j);
        put(0u, i, dot(modes, pressure) + guard.x);
        put(1u, i, dot(modes, pressure_rate) + guard.y * own_rate);
        put(2u, i, guard.y * j);
        let resistance = moduli * modes;
        for (var k = 0u; k < PRESSURES; k++) {
            put(3u + k, i, resistance[k]);
        }
    }
}
