// One invocation a quadrature point i = e * POINT_COUNT + p: evaluates the law, in f32, and writes
// the POINT_WORDS words that `assemble` needs: [0, 9) to_space, columns, with g_a = to_space dN_a/dr;
// [9, 15) stress times volume and then the tangent times volume (lambda and mu, or the upper rows of
// the 6 x 6 tangent), both in the Voigt order xx, yy, zz, xy, yz, xz. Zeros where the law has no
// value. Race-free: an invocation writes its own words.

struct PointParams {
    element_count: u32,
    extra_0: u32,
    extra_1: u32,
    extra_2: u32,
}

@group(0) @binding(0) var<uniform> params: PointParams;
@group(0) @binding(1) var<storage, read> displacement: array<stored>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read> geometry: array<stored>;
@group(0) @binding(4) var<storage, read> table: array<stored>;
@group(0) @binding(5) var<storage, read_write> points: array<f32>;

// Upper triangle of the 6 x 6 tangent, row by row, from `first` on.
fn write_tangent(first: u32, at: LawPoint, volume: real) {
    var k = first;
    for (var row = 0u; row < 6u; row++) {
        for (var column = row; column < 6u; column++) {
            points[k] = voigt(tangent_times(at, unit_strain(row)), column) * volume;
            k++;
        }
    }
}

// Row and column of component k in Voigt order.
fn voigt_row(k: u32) -> u32 {
    return select(select(0u, 1u, k == 4u), k, k < 3u);
}

fn voigt_column(k: u32) -> u32 {
    return select(select(2u, 1u, k == 3u), k, k < 3u);
}

fn axis(k: u32) -> vec3<real> {
    return select(vec3<real>(), vec3<real>(1.0), vec3<u32>(0u, 1u, 2u) == vec3<u32>(k));
}

// The symmetric tensor of component k alone: 1, or two halves.
fn unit_strain(k: u32) -> mat3x3<real> {
    return sym(outer(axis(voigt_row(k)), axis(voigt_column(k))));
}

fn voigt(m: mat3x3<real>, k: u32) -> real {
    return dot(axis(voigt_row(k)), m * axis(voigt_column(k)));
}

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
    let h = displacement_slope(1u + i % POINT_COUNT, e) * inverse;
    let first = i * POINT_WORDS;
    if NEEDS_POSITIVE_VOLUME && volume_change(h) <= -1.0 {
        for (var k = 0u; k < POINT_WORDS; k++) {
            points[first + k] = 0.0;
        }
        return;
    }
    let at = law(h, centre_gradient(e, h), constants());
    let volume = real(geometry[9u * count + i]) * at.volume_ratio;
    var to_space = at.frame * transpose(inverse);
    for (var k = 0u; k < 9u; k++) {
        points[first + k] = to_space[k / 3u][k % 3u];
    }
    for (var k = 0u; k < 6u; k++) {
        points[first + 9u + k] = select(0.0, voigt(at.stress, k) * volume, GEOMETRIC);
    }
    if ISOTROPIC {
        points[first + 15u] = at.lambda * volume;
        points[first + 16u] = at.mu * volume;
    } else {
        write_tangent(first + 15u, at, volume);
    }
}
